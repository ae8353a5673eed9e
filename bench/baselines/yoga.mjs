// GraphQL Yoga as its documentation sets it up. No keys, no policy, no limits.
import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { resolvers, typeDefs } from './schema.mjs';

const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false });
createServer(yoga).listen(Number(process.env.PORT), '127.0.0.1');
