// The least that answers a read from Postgres over GraphQL: a Yoga, one query, no keys, no policy, no limits.
import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import postgres from 'postgres';

const sql = postgres(process.env.DATABASE_URL, { max: 10 });
const typeDefs = `
  type Query { connection(id: ID!): Connection content(connectionId: ID!, first: Int!): [Item!]! }
  type Connection { id: ID! provider: String! providerAccountId: String! status: String! }
  type Item {
    id: ID! providerContentId: String! provider: String! kind: String! canonicalUrl: String thumbnailUrl: String
    title: String description: String publishedAt: String availability: String! reason: String observedAt: String!
    metrics: [Metric!]!
  }
  type Metric { name: String! value: String availability: String! reason: String sourceField: String }
`;
const resolvers = {
  Query: {
    connection: async (_, { id }) => {
      const [row] = await sql`
        select connection_id as id, provider, provider_account_id as "providerAccountId", status
        from connection where connection_id = ${id}
      `;
      return row;
    },
    content: (_, { connectionId, first }) => sql`
      select content_item_id as id, provider_content_id as "providerContentId", provider, kind,
        canonical_url as "canonicalUrl", thumbnail_url as "thumbnailUrl", title, description, published_at as "publishedAt",
        availability, reason, observed_at as "observedAt", metrics
      from content_item join connection using (connection_id) where connection_id = ${connectionId} order by published_at desc limit ${first}
    `,
  },
};
const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false });
const server = createServer(yoga);
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}/graphql`));
