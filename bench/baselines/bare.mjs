// The minimal program that answers a read: node:http and one prepared query. No GraphQL, no keys, no policy, no limits.
import { createServer } from 'node:http';
import postgres from 'postgres';
import { cases } from '../reads.mjs';

const sql = postgres(process.env.DATABASE_URL, { max: Number(process.env.POOL_SIZE) });
/** Finds the requested read by its whole text. */
const fields = new Map(Object.entries(cases).map(([field, { query }]) => [query, field]));

async function answer(text) {
  const { query, variables } = JSON.parse(text);
  const field = fields.get(query);
  const { bareSql, bareParameters, bareResult } = cases[field];
  const rows = await sql.unsafe(bareSql, bareParameters(variables), { prepare: true });
  return JSON.stringify({ data: { [field]: bareResult(rows, variables) } });
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const body = await answer(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    } catch (error) {
      response.writeHead(500).end(error.message);
    }
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
