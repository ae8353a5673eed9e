// The service's own schema over the same single query for each read, for the GraphQL servers of the comparison.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { cases } from '../reads.mjs';

const sql = postgres(process.env.DATABASE_URL, { max: Number(process.env.POOL_SIZE) });

export const typeDefs = readFileSync(path.join(import.meta.dirname, '..', '..', 'schema.graphql'), 'utf8');

const read =
  ({ bareSql, bareParameters, bareResult }) =>
  async (_root, args) =>
    bareResult(await sql.unsafe(bareSql, bareParameters(args), { prepare: true }), args);

export const resolvers = {
  Query: Object.fromEntries(Object.entries(cases).map(([field, one]) => [field, read(one)])),
};
