import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Sandbox } from '../../sandbox/src/server.ts';
import type { ProviderName } from '../../src/basics/codes.ts';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { failureOf } from '../kit/activity-stage.ts';
import { DAY_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import type { Database } from '../kit/postgres.ts';
import { moveConnection } from '../kit/seed.ts';
import { callerRead, insertLookup, insertMetricsJob } from '../kit/seed-jobs.ts';
import { accountOf, open, scan, test } from './wire-stage.ts';

/** The calls of each flow in order: a route, and its number of repetitions if more than one. */
const CALLS = {
  connect: {
    PROVIDER_A: ['token', 'channels'],
    PROVIDER_B: ['token', 'userInfo'],
    PROVIDER_C: ['token', 'exchange', 'me'],
  },
  'scan of 100 posts': {
    // Six units besides the channel's: some of 150 uploads are private, so the 100 posts take three pages.
    PROVIDER_A: ['channels', 'playlistItems 3', 'videos 3'],
    PROVIDER_B: ['videoList 6'],
    // Views and shares of a post take a separate call there, which fails for one of the two on some posts. A step
    // measures ten posts.
    PROVIDER_C: [10, 12, 10, 10, 12, 10, 12, 10, 12, 10].flatMap((calls) => ['media', `insights ${calls}`]),
  },
  'metrics refresh': { PROVIDER_A: ['videos'], PROVIDER_B: ['videoQuery'], PROVIDER_C: ['item', 'insights'] },
  'lookup of an own post': { PROVIDER_A: ['videos'], PROVIDER_B: ['videoQuery'], PROVIDER_C: ['item', 'insights'] },
  // PROVIDER_C can only search for an unread post: through the account's 250 posts, page by page.
  'lookup of a foreign post': { PROVIDER_A: ['videos'], PROVIDER_B: ['videoQuery'], PROVIDER_C: ['media 5'] },
  // PROVIDER_C's token cannot be refreshed on its first day, and does not need to be.
  'profile refresh': { PROVIDER_A: ['token', 'channels'], PROVIDER_B: ['token', 'userInfo'], PROVIDER_C: ['me'] },
  'upkeep of a lapsing grant': {
    PROVIDER_A: ['token', 'channels'],
    PROVIDER_B: ['token', 'userInfo'],
    PROVIDER_C: ['refresh', 'me'],
  },
  'verifying a sibling': { PROVIDER_A: ['token', 'channels'], PROVIDER_B: ['token', 'userInfo'], PROVIDER_C: ['me'] },
  disconnect: { PROVIDER_A: ['revoke'], PROVIDER_B: ['revoke'], PROVIDER_C: [] },
} as const satisfies Readonly<Record<string, Readonly<Record<ProviderName, readonly string[]>>>>;
type Flow = keyof typeof CALLS;

type Wire = Awaited<ReturnType<typeof open>>;
type Connected = Awaited<ReturnType<Wire['connect']>>;

/** Calls in order; repeated calls of one route are counted. */
function inShort(sandbox: Sandbox): string[] {
  const runs: { route: string; count: number }[] = [];
  for (const { route } of sandbox.control.calls().filter((call) => call.route !== 'authorize')) {
    const last = runs.at(-1);
    if (last?.route === route) last.count += 1;
    else runs.push({ route, count: 1 });
  }
  return runs.map(({ route, count }) => (count === 1 ? route : `${route} ${count}`));
}

/** Every flow except the connect, for an account of 250 posts. */
function flowsOf(wire: Wire, sql: Database, sandbox: Sandbox, provider: ProviderName, connected: Connected) {
  const { stage } = wire;
  const { connectionId, grantId } = connected;
  const job = callerRead(stage.seeded, provider, connectionId);
  const tend = () => runActivity(stage.activities.checkGrant, { connectionId });
  const lookUp = async (url: string) => {
    const { jobId } = await insertLookup(sql, { ...job, url, urlSha256: createHash('sha256').update(url).digest() });
    const steps = async () => {
      while (!(await runActivity(stage.activities.runLookupStep, { jobId })).done);
    };
    return { jobId, steps };
  };
  return {
    'scan of 100 posts': async () => {
      // The automatic first scan of a new connection is not counted here.
      expect(await scan(stage, connectionId, provider)).toMatchObject({ status: 'SUCCEEDED', itemCount: 100 });
      expect(await sql`select from content_item where connection_id = ${connectionId}`).toHaveLength(100);
    },
    'metrics refresh': async () => {
      const { jobId } = await insertMetricsJob(sql, { ...job, providerContentId: await firstPost(sql, connectionId) });
      await runActivity(stage.activities.runMetricsStep, { jobId });
      expect(await stage.job('read_job', jobId)).toMatchObject({ status: 'SUCCEEDED' });
    },
    'lookup of an own post': async () => {
      const { jobId, steps } = await lookUp(await firstPost(sql, connectionId, 'canonical_url'));
      await steps();
      expect(await stage.job('read_job', jobId)).toMatchObject({ status: 'SUCCEEDED' });
    },
    'lookup of a foreign post': async () => {
      const foreign = FOREIGN[provider](sandbox.control.posts(accountOf(sandbox, provider, 1))[0]?.id ?? '');
      const { steps } = await lookUp(foreign);
      expect(await failureOf(steps())).toMatchObject({ type: 'NotFound' });
    },
    'profile refresh': tend,
    'verifying a sibling': async () => {
      await moveConnection(sql, connectionId, 'SUSPENDED');
      await tend();
      expect(await runActivity(stage.activities.resumeSibling, { connectionId })).toBe(true);
    },
    'upkeep of a lapsing grant': async () => {
      sandbox.control.setClock(2 * DAY_MS);
      // PROVIDER_C's token of 60 days expires within a month; the others have long expired.
      const days = provider === 'PROVIDER_C' ? 20 : -1;
      await sql`
        update account_grant set access_expires_at = now() + make_interval(days => ${days}) where grant_id = ${grantId}
      `;
      await tend();
      expect((await stage.grant(grantId)).generation).toBeGreaterThan(1);
    },
    disconnect: async () => {
      const { revokeJobId, eraseJobId } = await stage.disconnect(connected);
      await runActivity(stage.activities.purgeContent, { connectionId, revokeJobId, eraseJobId });
      await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
      await runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
      expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject({ status: 'SUCCEEDED' });
    },
  } satisfies Readonly<Record<Exclude<Flow, 'connect'>, () => Promise<void>>>;
}

const FOREIGN = {
  PROVIDER_A: (id: string) => `https://www.youtube.com/watch?v=${id}`,
  PROVIDER_B: (id: string) => `https://www.tiktok.com/@somebody/video/${id}`,
  PROVIDER_C: () => 'https://www.instagram.com/p/DForeign001/',
} as const;

async function firstPost(sql: Database, connectionId: ConnectionId, column = 'provider_content_id'): Promise<string> {
  const [row] = await sql`
    select ${sql(column)} as wanted from content_item where connection_id = ${connectionId}
    order by published_at desc limit 1
  `;
  return String(row?.wanted);
}

for (const provider of ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const) {
  test(`${provider} receives exactly the listed calls in each flow`, async ({ sql, sandbox, http }) => {
    const wire = await open(sql, sandbox, http);
    const account = accountOf(sandbox, provider, 0);
    const connected = await wire.connect(provider, account);
    const made: Partial<Record<Flow, readonly string[]>> = { connect: inShort(sandbox) };
    for (const [flow, run] of Object.entries(flowsOf(wire, sql, sandbox, provider, connected))) {
      sandbox.control.clearCalls();
      await run();
      made[flow as Flow] = inShort(sandbox);
    }
    expect(made).toEqual(Object.fromEntries(Object.entries(CALLS).map(([flow, calls]) => [flow, calls[provider]])));
  });
}

test('a failed try of a scan names the call that failed', async ({ sql, sandbox, http }) => {
  const wire = await open(sql, sandbox, http);
  const { connectionId, grantId } = await wire.connect('PROVIDER_B', accountOf(sandbox, 'PROVIDER_B', 0));
  const [job] = await sql`select job_id from read_job where connection_id = ${connectionId} and kind = 'SCAN'`;
  const what = { kind: 'status', status: 503 } as const;
  for (const [route, call] of [
    ['videoList', 'listContent'],
    ['token', 'refresh'],
  ] as const) {
    if (route === 'token') await wire.expireToken(grantId);
    sandbox.control.addFault({ provider: 'PROVIDER_B', route, what, times: null });
    const failed = await failureOf(runActivity(wire.stage.activities.runScanStep, { jobId: job?.jobId }));
    expect(failed).toMatchObject({ type: 'RetryLater', status: 503, call });
  }
});
