import { expect } from 'vitest';
import { startReadJob } from '../../src/store/read-jobs.ts';
import { conformanceTest } from '../kit/conformance.ts';
import { seedConnection } from '../kit/seed.ts';
import { seedReadJob, seedReceipt } from './rows.ts';

const test = conformanceTest();
const URL_OF_A_POST = 'https://www.tiktok.com/@harbour/video/7500000000000000001';

test('4 disconnectConnection + 4 disconnectConnection pending: two jobs, pending until the revoke has succeeded', async ({
  client,
  sql,
}) => {
  const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
  const disconnect = () => client.ask('disconnectConnection', { connectionId });
  const { revokeJobId, eraseJobId, ...rest } = await disconnect();
  expect(rest).toEqual({ accepted: true, connectionId, upstreamRevocationPending: true });
  expect(revokeJobId).not.toBe(eraseJobId);
  await seedReceipt(sql, revokeJobId, { status: 'FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER' });
  expect(await disconnect()).toMatchObject({ upstreamRevocationPending: true });
  await seedReceipt(sql, revokeJobId, { status: 'SUCCEEDED' });
  expect(await disconnect()).toMatchObject({ accepted: true, upstreamRevocationPending: false });
});

test('4 disconnectConnection again: the same jobs until the erase, then NOT_FOUND', async ({ client, sql }) => {
  const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
  const first = await client.ask('disconnectConnection', { connectionId });
  for (const status of ['DISCONNECTED', 'DELETING']) {
    await sql`update connection set status = ${status} where connection_id = ${connectionId}`;
    expect(await client.ask('disconnectConnection', { connectionId })).toEqual(first);
  }
  await sql`delete from connection where connection_id = ${connectionId}`;
  expect(await client.outcome('disconnectConnection', { connectionId })).toBe('NOT_FOUND');
  expect(await client.outcome('syncJob', { connectionId, id: first.revokeJobId })).toBe('answered');
});

test('D disconnect cancels: reads in flight are CANCELED with CONNECTION_DISCONNECTED', async ({ client, sql }) => {
  const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
  const scan = await client.ask('requestRefresh', { connectionId });
  const lookup = await client.ask('requestContentLookup', { connectionId, url: URL_OF_A_POST });
  await startReadJob(sql, lookup.id);
  const ended = await seedReadJob(sql, connectionId, { kind: 'SCAN', status: 'SUCCEEDED', reachedEnd: true });
  await client.ask('disconnectConnection', { connectionId });
  const canceled = { status: 'CANCELED', errorCode: 'CONNECTION_DISCONNECTED' };
  for (const { id } of [scan, lookup])
    expect(await client.ask('syncJob', { connectionId, id })).toMatchObject(canceled);
  expect(await client.ask('syncJob', { connectionId, id: ended })).toMatchObject({
    status: 'SUCCEEDED',
    errorCode: null,
  });
});

test('D disconnect always allowed: whatever is paused, withdrawn or no longer allowed', async ({ client, sql }) => {
  const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
  await sql`update registration set paused_at = business_now()`;
  await sql`delete from registration_app where app_id = ${client.seeded.app.appId}`;
  await sql`delete from app_policy where app_id = ${client.seeded.app.appId}`;
  await sql`update account_grant set status = 'DEAD' where connection_id = ${connectionId}`;
  expect(await client.outcome('connection', { id: connectionId })).toBe('FORBIDDEN');
  expect(await client.ask('disconnectConnection', { connectionId })).toMatchObject({ accepted: true });
});
