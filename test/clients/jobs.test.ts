import { describe, expect } from 'vitest';
import {
  continueScan,
  createClient,
  eachConnection,
  WaitTimeoutError,
  waitForJob,
} from '../../clients/typescript/src/index.ts';
import { answers, test } from './scripted-service.ts';

const scope = { tenantKey: 'acme', externalSubjectId: 'user-1' };
const connectionId = 'connection-1';
const job = (fields: object) => ({
  id: 'job-1',
  status: 'SUCCEEDED',
  nextRetryAt: null,
  errorCode: null,
  continuationCursor: null,
  ...fields,
});
const syncJob = (fields: object) => answers.json({ data: { syncJob: job(fields) } });
const refresh = (id: string) => answers.json({ data: { requestRefresh: job({ id, status: 'QUEUED' }) } });
const clientOf = ({ url }: { url: string }) => createClient({ url, key: 'id.secret' });

describe('waitForJob', () => {
  test.for(['SUCCEEDED', 'FAILED'])('reads a job until it is %s', async (status, { service }) => {
    service.script(syncJob({ status: 'QUEUED' }), syncJob({ status: 'RUNNING' }), syncJob({ status }));
    expect(await waitForJob(clientOf(service), { scope, connectionId, id: 'job-1' })).toMatchObject({ status });
    expect(service.requests).toHaveLength(3);
  });

  test('does not wait beyond its time-out for a retry that comes later', async ({ service }) => {
    const nextRetryAt = new Date(Date.now() + 3_600_000).toISOString();
    service.script(syncJob({ status: 'RUNNING', nextRetryAt, errorCode: 'PROVIDER_UNAVAILABLE' }));
    const wait = waitForJob(clientOf(service), { scope, connectionId, id: 'job-1' }, { timeoutMs: 60_000 });
    await expect(wait).rejects.toThrow(new WaitTimeoutError('Job job-1 is still RUNNING (PROVIDER_UNAVAILABLE).'));
    expect(service.requests).toHaveLength(1);
  });
});

test('continueScan continues with the cursor of each scan that stopped early, until one did not', async ({
  service,
}) => {
  const window = { publishedAfter: '2026-01-01T00:00:00.000Z', publishedBefore: '2026-02-01T00:00:00.000Z' };
  service.script(
    refresh('job-1'),
    syncJob({ id: 'job-1', completeForWindow: false, continuationCursor: 'cursor-1' }),
    refresh('job-2'),
    syncJob({ id: 'job-2', completeForWindow: true }),
  );
  const last = await continueScan(clientOf(service), { scope, connectionId, window });
  expect(last).toMatchObject({ id: 'job-2', completeForWindow: true });
  expect(service.requests.map(({ body }) => body.variables)).toEqual([
    { scope, connectionId, window },
    { scope, connectionId, id: 'job-1' },
    { scope, connectionId, continuationCursor: 'cursor-1' },
    { scope, connectionId, id: 'job-2' },
  ]);
});

test('pages of connections are read one after another, by the cursor of the one before', async ({ service }) => {
  const page = (ids: string[], endCursor: string | null, hasNextPage: boolean) =>
    answers.json({
      data: { connections: { items: ids.map((id) => ({ id })), pageInfo: { endCursor, hasNextPage } } },
    });
  service.script(page(['a', 'b'], 'cursor-b', true), page(['c'], 'cursor-c', false));
  const ids: string[] = [];
  for await (const { id } of eachConnection(clientOf(service), { scope, first: 2 })) ids.push(id);
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(service.requests.map(({ body }) => body.variables)).toEqual([
    { scope, first: 2 },
    { scope, first: 2, after: 'cursor-b' },
  ]);
});
