import { describe, expect } from 'vitest';
import { type ConnectionId, type CorrelationId, type JobId, newId } from '../../src/ids.ts';
import type { ProviderName } from '../../src/providers/provider.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { insertMetricsJob, insertScan } from '../../src/store/read-jobs.ts';
import type { Database } from '../../src/store/sql.ts';
import { DAY_MS, HOUR_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import type { ErrorBody } from '../providers/error-bodies/body.ts';
import { PROVIDER_A_BODIES } from '../providers/error-bodies/provider-a.ts';
import { PROVIDER_B_BODIES } from '../providers/error-bodies/provider-b.ts';
import { PROVIDER_C_BODIES } from '../providers/error-bodies/provider-c.ts';
import { open, test } from './wire-stage.ts';

type Opened = Awaited<ReturnType<typeof open>>;

const BODIES: Readonly<Record<ProviderName, readonly ErrorBody[]>> = {
  PROVIDER_A: PROVIDER_A_BODIES,
  PROVIDER_B: PROVIDER_B_BODIES,
  PROVIDER_C: PROVIDER_C_BODIES,
};
/** One body of each kind and meaning: `test/providers/error-bodies.test.ts` proves that the others mean the same. */
const listBodies = (provider: ProviderName) => {
  const harmful = BODIES[provider].filter(({ call }) => ROUTES[provider][call].length > 0);
  return [...new Map(harmful.map((body) => [`${body.call} ${body.type}`, body])).values()];
};
/** When the service calls during the bad day, in hours from its start. */
const HOURS = [0, 24];
const ACCOUNTS = 3;
/** The routes of the sandbox that answer with a body of each kind. A refusal of a code harms no connection. */
const ROUTES: Readonly<Record<ProviderName, Readonly<Record<ErrorBody['call'], readonly string[]>>>> = {
  PROVIDER_A: { read: ['channels', 'playlistItems', 'videos'], refresh: ['token'], exchange: [] },
  PROVIDER_B: { read: ['userInfo', 'videoList', 'videoQuery'], refresh: ['token'], exchange: [] },
  PROVIDER_C: { read: ['me', 'media', 'item', 'items', 'insights'], refresh: ['refresh'], exchange: [] },
};

/** Accounts of different owners that have posts. */
function findAccounts(sandbox: Sandbox, provider: ProviderName): string[] {
  const owners = new Map<string, string>();
  for (const { id, principal, traits } of sandbox.control.accounts(provider)) {
    const isPlain = !traits.includes('personal') && !traits.includes('noChannel');
    if (isPlain && sandbox.control.posts(id).length > 0 && !owners.has(principal)) owners.set(principal, id);
  }
  return [...owners.values()].slice(0, ACCOUNTS);
}

/** Runs a job's step until it is done or fails, and records the failure as the workflow does. */
async function runJob({ stage }: Opened, jobId: JobId, step: 'runScanStep' | 'runMetricsStep') {
  for (let steps = 0; steps < 10; steps += 1) {
    try {
      if ((await runActivity(stage.activities[step], { jobId })).done) return;
    } catch (error) {
      const { type } = error as { type: string };
      await runActivity(stage.activities.recordReadSetback, { jobId, setback: { type, retryAfterSeconds: null } });
      return;
    }
  }
}

/** Everything that the service does with a connection: upkeep, a scan, and the metrics of a post. */
async function useConnection(opened: Opened, sql: Database, provider: ProviderName, connectionId: ConnectionId) {
  const { stage } = opened;
  await runActivity(stage.activities.checkGrant, { connectionId }).catch(() => undefined);
  await sql`update read_job set status = 'CANCELED', finished_at = business_now()
    where connection_id = ${connectionId} and status in ('QUEUED', 'RUNNING')`;
  const base = {
    connectionId,
    appId: stage.seeded.app.appId,
    provider,
    requestedBy: 'CALLER',
    correlationId: newId<CorrelationId>(),
  } as const;
  // The sandbox's posts are of this month, however far the clock of the service has moved.
  const window = { publishedAfter: new Date(Date.now() - 30 * DAY_MS), publishedBefore: new Date() };
  const scan = await insertScan(sql, { ...base, window, maxItems: 10, continues: null });
  await runJob(opened, scan.jobId, 'runScanStep');
  const [post] = await sql`
    select provider_content_id from content_item where connection_id = ${connectionId} order by published_at desc limit 1
  `;
  if (!post) return;
  const metrics = await insertMetricsJob(sql, { ...base, providerContentId: String(post.providerContentId) });
  await runJob(opened, metrics.jobId, 'runMetricsStep');
}

/** What a person or a caller would miss. */
const listState = async (sql: Database, connectionIds: readonly ConnectionId[]) => ({
  connections: await sql`
    select connection_id, c.status, c.capabilities, g.status as grant_status, g.sealed_tokens is not null as has_tokens
    from connection c join account_grant g using (connection_id)
    where connection_id = any(${[...connectionIds]}::uuid[]) order by connection_id
  `,
  posts: await sql`
    select connection_id, provider_content_id, availability, reason, thumbnail_url is not null as has_thumbnail,
      jsonb_path_query_array(metrics, '$[*] ? (@.value != null).name') as metrics
    from content_item where connection_id = any(${[...connectionIds]}::uuid[]) order by 1, 2
  `,
});

async function connectAll(opened: Opened, sql: Database, provider: ProviderName, accounts: readonly string[]) {
  const ids: ConnectionId[] = [];
  for (const account of accounts) {
    const { connection } = await opened.connect(provider, account);
    ids.push(connection.connectionId);
    await useConnection(opened, sql, provider, connection.connectionId);
  }
  return ids;
}

describe.each(Object.keys(BODIES) as ProviderName[])(
  'a day on which %s answers everybody with an error',
  (provider) => {
    test('changes nothing that lasts, whatever the error', { timeout: 600_000 }, async ({
      database: { sql },
      sandbox,
      http,
    }) => {
      const other = await startSandbox({ port: 0, seed: 'other' });
      let movedMs = 0; // The tests of a file share the clock.
      const wait = async (ms: number) => {
        movedMs += ms;
        await moveClock(sql, ms);
      };
      try {
        const [ill, well] = [await open(sql, sandbox, http), await open(sql, other, http)];
        const hurt = await connectAll(ill, sql, provider, findAccounts(sandbox, provider));
        const untouched = await connectAll(well, sql, provider, findAccounts(other, provider).slice(0, 1));
        expect(hurt).toHaveLength(ACCOUNTS);
        for (const { call: kind, status, headers, body } of listBodies(provider)) {
          const before = await listState(sql, [...hurt, ...untouched]);
          expect(before.posts.length).toBeGreaterThan(20);
          const what = {
            kind: 'answer',
            status,
            body,
            headers: { 'content-type': 'application/json', ...headers },
          } as const;
          for (const route of ROUTES[provider][kind]) sandbox.control.addFault({ provider, route, times: null, what });
          for (const [index, hour] of HOURS.entries()) {
            await wait((hour - (HOURS[index - 1] ?? 0)) * HOUR_MS);
            for (const connectionId of hurt) await useConnection(ill, sql, provider, connectionId);
          }
          sandbox.control.clearFaults();
          const after = await listState(sql, [...hurt, ...untouched]);
          expect(after, JSON.stringify(body)).toEqual(before);
          await wait(DAY_MS);
          await heal(ill, provider);
          for (const connectionId of [...hurt, ...untouched]) {
            await useConnection(hurt.includes(connectionId) ? ill : well, sql, provider, connectionId);
          }
          const [read] = await sql`
          select count(*)::int as count from read_job where connection_id = any(${[...hurt, ...untouched]}::uuid[])
            and status = 'SUCCEEDED' and finished_at > business_now() - interval '1 hour'
        `;
          expect(read?.count, JSON.stringify(body)).toBe(2 * (hurt.length + untouched.length));
        }
      } finally {
        await moveClock(sql, -movedMs);
        await other.close();
      }
    });
  },
);

/** The sweep that looks at refused clients. */
async function heal({ stage }: Opened, provider: ProviderName) {
  await runActivity(stage.activities.probeRegistration, { registrationId: stage.seeded.registrations[provider] });
}
