import type { Capability } from '../../src/basics/codes.ts';
import type { ConnectionId, JobId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { openStageWith } from './activity-stage.ts';
import { callerOf, createDeps } from './caller.ts';
import { runActivity } from './deps.ts';
import { fakeProviders, newTokens, post } from './fake-provider.ts';
import type { Answer, RootField } from './graphql.ts';
import type { Database } from './postgres.ts';
import { freezeClock, seedScope } from './seed.ts';

/** A post at the platform. The platform hides it from `removedAt` on. */
export interface PlatformPost {
  readonly id: string;
  readonly publishedAt: number;
  removedAt?: number;
}

/** An account at the platform, listed newest first, a few posts per page. It has the service's clock. */
class Account {
  readonly posts: PlatformPost[] = [];
  pageSize = 2;
  /** The number of next calls that fail as if the platform were unavailable. */
  failures = 0;

  visible(now: number): PlatformPost[] {
    return this.posts
      .filter(({ publishedAt, removedAt = Number.POSITIVE_INFINITY }) => publishedAt <= now && removedAt > now)
      .sort((a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? 1 : -1));
  }

  answer(): void {
    if (this.failures === 0) return;
    this.failures -= 1;
    throw new ProviderError('RetryLater', 'Away.');
  }
}

/**
 * The service without its processes: a caller uses the API, and the test runs the worker's activities in the order of the
 * workflows. Both share one database, and only the test moves its clock.
 */
export async function openReader(sql: Database, startsAt: number) {
  let now = startsAt;
  await freezeClock(sql, new Date(now));
  const account = new Account();
  const providers = fakeProviders();
  const provider = providers.PROVIDER_B;
  provider.listContent.mockImplementation(async (_access, { window, cursor, limit }) => {
    account.answer();
    const [publishedAt = Number.POSITIVE_INFINITY, id = ''] =
      cursor === null ? [] : (JSON.parse(cursor) as [number, string]);
    const left = account
      .visible(now)
      .filter((one) => one.publishedAt < publishedAt || (one.publishedAt === publishedAt && one.id < id))
      .filter((one) => one.publishedAt >= window.publishedAfter.getTime())
      .filter((one) => one.publishedAt < window.publishedBefore.getTime());
    const page = left.slice(0, Math.min(account.pageSize, limit));
    const last = page.at(-1);
    const reachedEnd = page.length === left.length;
    return {
      items: page.map((one) => post(one.id, new Date(one.publishedAt))),
      cursor: reachedEnd || !last ? null : JSON.stringify([last.publishedAt, last.id]),
      reachedEnd,
    };
  });
  provider.readContent.mockImplementation(async (_access, { providerContentIds }) => {
    account.answer();
    const found = account.visible(now).filter(({ id }) => providerContentIds.includes(id));
    return found.map((one) => post(one.id, new Date(one.publishedAt)));
  });
  // Never expires: the issuer of the tokens has another clock.
  const tokens = () => newTokens({ accessExpiresAt: null, refreshExpiresAt: null });
  provider.exchangeCode.mockImplementation(async () => ({ tokens: tokens(), principal: 'account-1' }));
  const stage = await openStageWith(sql, providers);
  const service = await createDeps(sql);
  const call = callerOf(service, stage.seeded);
  const scope = stage.seeded.newScope();

  /** Connects or reconnects the account, as a finished Connect attempt does. */
  async function connect(
    capabilities: readonly Capability[] = ['CONTENT_LIST'],
    reconnectConnectionId?: ConnectionId,
  ): Promise<ConnectionId> {
    const scopeId = await seedScope(sql, stage.seeded, scope);
    const attempt = await stage.newExchangedAttempt({
      scopeId,
      capabilities,
      ...(reconnectConnectionId && { reconnectConnectionId }),
    });
    await runActivity(stage.activities.completeAttempt, { attemptId: attempt.attemptId });
    const [row] = await sql`select connection_id from connect_attempt where attempt_id = ${attempt.attemptId}`;
    return row?.connectionId as ConnectionId;
  }

  /** The scan in flight, requested by us or by a caller. */
  async function scanInFlight(connectionId: ConnectionId): Promise<JobId | undefined> {
    const [row] = await sql`
      select job_id from read_job where connection_id = ${connectionId} and kind = 'SCAN' and status in ('QUEUED', 'RUNNING')
    `;
    return row?.jobId as JobId | undefined;
  }

  /** Takes one step of a scan as its workflow does. @returns the workflow's next action. */
  async function step(jobId: JobId): Promise<'goes on' | 'waits' | 'has ended'> {
    try {
      const { done } = await runActivity(stage.activities.runScanStep, { jobId });
      return done ? 'has ended' : 'goes on';
    } catch (error) {
      const { type, details } = error as { type: string; details?: [{ retryAfterSeconds?: number }] };
      const retryAfterSeconds = details?.[0]?.retryAfterSeconds ?? null;
      const verdict = await runActivity(stage.activities.recordReadFailure, {
        jobId,
        failedTry: { type, retryAfterSeconds },
      });
      return verdict.ended ? 'has ended' : 'waits';
    }
  }

  return {
    sql,
    stage,
    account,
    provider,
    scope,
    now: () => now,
    async move(ms: number) {
      now += ms;
      await freezeClock(sql, new Date(now));
    },
    connect,
    scanInFlight,
    step,
    /** Steps until a scan has ended. Fails if it would wait. */
    async finish(jobId: JobId): Promise<void> {
      for (;;) {
        const next = await step(jobId);
        if (next === 'has ended') return;
        if (next === 'waits') throw new Error('The scan waits.');
      }
    },
    /** Sends a request as the app's backend, for its subject. @throws Refusal */
    ask: (field: RootField, variables: object = {}): Promise<Answer> => call(field, { scope, ...variables }),
  };
}

export type Reader = Awaited<ReturnType<typeof openReader>>;

export const iso = (ms: number): string => new Date(ms).toISOString();
