// The minimal server that exchanges the code inside the callback request: node:http, one call of the platform, one sealed row.
// No account, no state of its own, no retry: what is lost on the way is lost.
import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import postgres from 'postgres';

const { DATABASE_URL, TOKEN_URL, CLIENT_ID, CLIENT_SECRET, CALLBACK_PATH, CODE_VERIFIER } = process.env;
const sql = postgres(DATABASE_URL, { max: 10 });
await sql.unsafe(
  'create table bare_connection (id uuid primary key, account_id text not null, sealed_tokens bytea not null)',
);
const key = randomBytes(32);
let port = 0;

/** @param {string} text */
function seal(text) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** @param {string} code */
async function exchange(code) {
  const answer = await fetch(TOKEN_URL, {
    method: 'POST',
    body: new URLSearchParams({
      client_key: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      grant_type: 'authorization_code',
      code_verifier: CODE_VERIFIER,
      redirect_uri: `http://127.0.0.1:${port}${CALLBACK_PATH}`,
      code,
    }),
  });
  const tokens = await answer.json();
  if (!tokens.access_token) throw new Error(JSON.stringify(tokens));
  await sql.unsafe(
    'insert into bare_connection values ($1, $2, $3)',
    [randomUUID(), tokens.open_id, seal(JSON.stringify(tokens))],
    {
      prepare: true,
    },
  );
}

const server = createServer(async (request, response) => {
  try {
    await exchange(new URL(request.url, 'http://server').searchParams.get('code'));
    response.writeHead(200).end('connected');
  } catch (error) {
    response.writeHead(500).end(error.message);
  }
});
server.listen(0, '127.0.0.1', () => {
  ({ port } = /** @type {import('node:net').AddressInfo} */ (server.address()));
  process.send(port);
});
process.once('SIGTERM', () => process.exit(0));
