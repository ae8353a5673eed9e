import { describe, expect } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import type { ProviderName } from '../../src/basics/codes.ts';
import type { ConnectionId, JobId } from '../../src/basics/ids.ts';
import { PICTURES } from '../../src/basics/post-details.ts';
import { DAY_MS, HOUR_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { type Expected, FAILURE_TABLE } from '../kit/failure-table.ts';
import type { Database } from '../kit/postgres.ts';
import { callerRead, insertMetricsJob, insertScan } from '../kit/seed-jobs.ts';
import { BODIES } from '../providers/error-bodies/all.ts';
import type { ErrorBody } from '../providers/error-bodies/body.ts';
import { open, test } from './wire-stage.ts';

type Opened = Awaited<ReturnType<typeof open>>;

/** When the service calls during the bad day, in hours from its start. */
const HOURS = [0, 24];
const ACCOUNTS = 2;

/** The platform's answers to all requests on a bad day, and where. */
interface Fault {
  readonly name: string;
  readonly routes: readonly string[];
  readonly status: number;
  readonly body: unknown;
  /** Whether it is the documented answer about a withdrawn permission or a closed account, by which capabilities end until they work again. */
  readonly withdraws?: boolean;
}

/** The routes of the sandbox for each kind of call. A refusal of a code harms no connection. */
interface Routes {
  readonly account: readonly string[];
  readonly posts: readonly string[];
  readonly refresh: readonly string[];
}
const ROUTES: Readonly<Record<ProviderName, Routes>> = {
  PROVIDER_A: { account: ['channels'], posts: ['playlistItems', 'videos'], refresh: ['token'] },
  PROVIDER_B: { account: ['userInfo'], posts: ['videoList', 'videoQuery'], refresh: ['token'] },
  PROVIDER_C: { account: ['me'], posts: ['media', 'item', 'items', 'insights'], refresh: ['refresh'] },
};

/** Successful answers without anything in them. */
const tiktok = (data: object) => ({ data, error: { code: 'ok', message: '', log_id: '1' } });
const EMPTY: Readonly<Record<ProviderName, Readonly<Record<string, unknown>>>> = {
  PROVIDER_A: {
    channels: { kind: 'youtube#channelListResponse' },
    playlistItems: { kind: 'x' },
    videos: { kind: 'x' },
  },
  PROVIDER_B: { videoList: tiktok({ videos: [], cursor: 0, has_more: false }), videoQuery: tiktok({ videos: [] }) },
  PROVIDER_C: { media: { data: [] }, items: {}, insights: { data: [] } },
};

/**
 * One error body of each meaning but the end of a grant, which is believed of a few accounts; on all reads, and on those of posts only; and empty answers, on each route alone.
 * `test/providers/error-bodies.test.ts` proves that the other bodies mean the same.
 */
function listFaults(provider: ProviderName): Fault[] {
  const { account, posts, refresh } = ROUTES[provider];
  const of = (call: ErrorBody['call']) => [
    ...new Map(
      BODIES[provider]
        .filter((body) => body.call === call && body.type !== 'GrantDead')
        .map((body) => [body.type, body]),
    ).values(),
  ];
  const on = (where: string, routes: readonly string[]) => (body: ErrorBody) => {
    const { type, status } = body;
    const { withdraws: lost } = FAILURE_TABLE[type] as Expected;
    const withdraws = lost === 'ACCOUNT' || (lost === 'CAPABILITY' && routes === posts);
    return { name: `${type}, ${where}`, routes, status, body: body.body, withdraws };
  };
  return [
    ...of('refresh').map(on('refreshes', refresh)),
    ...of('read').map(on('all reads', [...account, ...posts])),
    ...of('read').map(on('reads of posts', posts)),
    ...Object.entries(EMPTY[provider]).map(([route, body]) => ({
      name: `nothing, ${route}`,
      routes: [route],
      status: 200,
      body,
      withdraws: route === 'channels', // An account without a channel is closed.
    })),
  ];
}

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
      await runActivity(stage.activities.recordReadFailure, { jobId, failedTry: { type, retryAfterSeconds: null } });
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
  const base = callerRead(stage.seeded, provider, connectionId);
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

/** The data that a person or a caller would miss. */
const listState = async (sql: Database, connectionIds: readonly ConnectionId[]) => ({
  connections: await sql`
    select connection_id, c.status, c.capabilities, c.profile - 'avatarUrl' as profile,
      g.status as grant_status, g.sealed_tokens is not null as has_tokens
    from connection c join account_grant g using (connection_id)
    where connection_id = any(${[...connectionIds]}::uuid[]) order by connection_id
  `,
  posts: await sql`
    select connection_id, provider_content_id, availability, reason, details - ${[...PICTURES]}::text[] as details,
      details ?| ${[...PICTURES]} as has_picture,
      jsonb_path_query_array(metrics, '$[*] ? (@.value != null).name') as metrics
    from content_item where connection_id = any(${[...connectionIds]}::uuid[]) order by 1, 2
  `,
});

async function connectAll(opened: Opened, sql: Database, provider: ProviderName, accounts: readonly string[]) {
  const ids: ConnectionId[] = [];
  for (const account of accounts) {
    const { connectionId } = await opened.connect(provider, account);
    ids.push(connectionId);
    await useConnection(opened, sql, provider, connectionId);
  }
  return ids;
}

/** The sweep that looks at refused clients. */
async function heal({ stage }: Opened, provider: ProviderName) {
  await runActivity(stage.activities.probeRegistration, { registrationId: stage.seeded.registrations[provider] });
}

const countReads = async (sql: Database, connectionIds: readonly ConnectionId[]): Promise<number> => {
  const [read] = await sql`
    select count(*)::int as count from read_job where connection_id = any(${[...connectionIds]}::uuid[])
      and status = 'SUCCEEDED' and finished_at > business_now() - interval '1 hour'
  `;
  return read?.count;
};

/** Registrations of their own at one platform of their own each, which can have a bad day. */
async function openWorld(
  sql: Database,
  http: Parameters<typeof open>[2],
  provider: ProviderName,
  seed: string,
  count: number,
) {
  const sandbox = await startSandbox({ port: 0, seed });
  const opened = await open(sql, sandbox, http);
  const ids = await connectAll(opened, sql, provider, findAccounts(sandbox, provider).slice(0, count));
  expect(ids).toHaveLength(count);
  return {
    ids,
    begin({ routes, status, body }: Fault) {
      const what = {
        kind: 'answer',
        status,
        body,
        headers: { 'content-type': 'application/json' },
      } as const;
      for (const route of routes) sandbox.control.addFault({ provider, route, times: null, what });
    },
    end: () => sandbox.control.clearFaults(),
    use: async () => {
      for (const id of ids) await useConnection(opened, sql, provider, id);
    },
    heal: () => heal(opened, provider),
    close: () => sandbox.close(),
  };
}

describe.each(Object.keys(BODIES) as ProviderName[])(
  'a day on which %s answers everybody with an error',
  (provider) => {
    test('changes nothing that lasts, for every error', { timeout: 900_000 }, async ({ sql, http }) => {
      let movedMs = 0; // The tests of a file share the clock.
      const wait = async (ms: number) => {
        movedMs += ms;
        await moveClock(sql, ms);
      };
      const many = await openWorld(sql, http, provider, 'many', ACCOUNTS);
      const well = await openWorld(sql, http, provider, 'well', 1);
      try {
        for (const fault of listFaults(provider)) {
          const ids = [...many.ids, ...well.ids];
          const before = await listState(sql, ids);
          expect(before.posts.length).toBeGreaterThan(20);
          many.begin(fault);
          for (const [index, hour] of HOURS.entries()) {
            await wait((hour - (HOURS[index - 1] ?? 0)) * HOUR_MS);
            await many.use();
          }
          many.end();
          if (!fault.withdraws) expect(await listState(sql, ids), fault.name).toEqual(before);
          await wait(DAY_MS);
          await many.heal();
          for (const world of [many, well]) await world.use();
          expect(await countReads(sql, ids), fault.name).toBe(2 * ids.length);
          expect(await listState(sql, ids), fault.name).toEqual(before);
        }
      } finally {
        await moveClock(sql, -movedMs);
        for (const world of [many, well]) await world.close();
      }
    });
  },
);
