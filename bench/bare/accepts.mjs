// The minimal program that accepts work: node:http, and one prepared statement that commits the rows which the service commits.
// No GraphQL, no keys, no policy, no limits, no check of the connection's state.
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import postgres from 'postgres';

const sql = postgres(process.env.DATABASE_URL, { max: Number(process.env.POOL_SIZE) });
// Its entries are never due, so they are not delivered.
const OUTBOX = `insert into outbox (workflow_id, workflow_type, input, search_attributes, correlation_id, next_retry_at)
  values ($1 || '/' || $2, $1, jsonb_build_object('id', $2::text), jsonb_build_object('AppId', $3::text), $4::uuid, 'infinity')`;
const statements = {
  requestRefresh: `with entry as (${OUTBOX})
    insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, provider_content_id, correlation_id)
    values ($2::uuid, 'METRICS', $5::uuid, $3::uuid, 'PROVIDER_B', 'CALLER', $6, $4::uuid) returning job_id as id, status`,
  createConnectSession: `with entry as (${OUTBOX}), owner as (
      insert into scope (scope_id, app_id, tenant_key, external_subject_id) values ($2::uuid, $3::uuid, $5, $6) returning scope_id
    )
    insert into connect_attempt (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url,
      launch_token_sha256, correlation_id, created_at, expires_at, result_expires_at)
    select $2::uuid, scope_id, $3::uuid, 'PROVIDER_B', (select registration_id from registration_app join registration
      using (registration_id) where app_id = $3::uuid and provider = 'PROVIDER_B'), '{PROFILE,CONTENT_LIST}', 'https://caller.example',
      decode($7, 'hex'), $4::uuid, now(), now() + interval '10 minutes', now() + interval '24 hours' from owner returning attempt_id as id`,
  disconnectConnection: `with entry as (${OUTBOX}), disconnected as (
      update connection set status = 'DISCONNECTED' where connection_id = $5::uuid and app_id = $3::uuid
      returning connection_id, registration_id, scope_id
    ), revoking as (
      update account_grant set status = 'REVOKING' where connection_id = $5::uuid and status = 'LIVE' returning grant_id
    )
    insert into disconnect_job (job_id, kind, connection_id, grant_id, app_id, provider, registration_id, scope_id, correlation_id)
    select job_id::uuid, kind, connection_id, case kind when 'REVOKE' then (select grant_id from revoking) end, $3::uuid, 'PROVIDER_B',
      registration_id, scope_id, $4::uuid from disconnected, (values ('REVOKE', $2::text), ('ERASE', $6::text)) as job (kind, job_id)
    returning job_id as id`,
};

async function accept({ field, appId, connectionId, providerContentId, tenantKey, subject }) {
  const parts = {
    requestRefresh: [connectionId, providerContentId],
    createConnectSession: [tenantKey, subject, randomBytes(32).toString('hex')],
    disconnectConnection: [connectionId, randomUUID()],
  };
  const parameters = [field, randomUUID(), appId, randomUUID(), ...parts[field]];
  return await sql.unsafe(statements[field], parameters, { prepare: true });
}

/** @param {import('node:http').Server} server */
const portOf = (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port;
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    try {
      const rows = await accept(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: rows }));
    } catch (error) {
      response.writeHead(500).end(JSON.stringify({ error: error.message }));
    }
  });
});
server.listen(0, '127.0.0.1', () => process.send(portOf(server)));
process.once('SIGTERM', () => process.exit(0));
