// Mercurius with its JIT, as its documentation sets it up. No keys, no policy, no limits.
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { resolvers, typeDefs } from './schema.mjs';

const app = Fastify();
app.register(mercurius, { schema: typeDefs, resolvers, jit: 1, graphiql: false });
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
