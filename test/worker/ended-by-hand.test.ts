import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { expect, test as plainTest } from 'vitest';
import {
  PROGRESS,
  type Progress,
  type ProgressStep,
  type ProgressWait,
  WORKFLOWS,
  type WorkflowName,
} from '../../src/workflows/contract.ts';
import { type Running, startService, type User, until } from '../kit/at-work.ts';
import type { Page } from '../kit/browser.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import type { Answer } from '../kit/graphql.ts';
import { lastDays, PERMISSIONS } from '../kit/person.ts';
import { answerWith, openReceiver, type Receiver } from '../kit/webhook-receiver.ts';
import { Holds, type Moment } from './holds.ts';

/** An operator's two ways to end a workflow. Of a deleted one Temporal knows nothing any more. */
const WAYS = ['terminated', 'deleted'] as const;
type Way = (typeof WAYS)[number];

/** Where a workflow is ended: while it waits, or right before or after the effect of an activity. */
type Point = { readonly step: ProgressStep } & (
  | { readonly waits: ProgressWait }
  | { readonly activity: string; readonly moment: Moment }
);
const at = (step: ProgressStep, ...activities: readonly string[]): Point[] =>
  activities.flatMap((activity) => (['before', 'after'] as const).map((moment) => ({ step, activity, moment })));

/** Every workflow that something waits for, with every point at which it can be ended. A sweep begins the others again when they are due. */
const POINTS = {
  connectAttempt: [
    { step: 'EXCHANGE_CODE', waits: 'NEXT_TRY' },
    ...at('EXCHANGE_CODE', 'obtainGrant'),
    ...at('COMPLETE_ATTEMPT', 'completeAttempt'),
    ...at('RECORD_END', 'endAttempt'),
  ],
  identityAttempt: [...at('EXCHANGE_CODE', 'exchangeIdentityCode'), ...at('RECORD_END', 'endIdentityAttempt')],
  disconnect: [
    ...at('PURGE', 'purgeContent'),
    ...at('REVOKE', 'tryRevoke', 'recordDisconnectFailure'),
    { step: 'REVOKE', waits: 'NEXT_TRY' },
    ...at('ERASE', 'eraseConnection'),
  ],
  revokeGrant: [...at('REVOKE', 'tryRevoke', 'recordDisconnectFailure'), { step: 'REVOKE', waits: 'NEXT_TRY' }],
  disconnectAll: at('DISCONNECT_ALL', 'disconnectBatch'),
  scan: [...at('SCAN', 'runScanStep', 'recordReadFailure'), { step: 'SCAN', waits: 'NEXT_TRY' }],
  metricsRefresh: [
    ...at('METRICS_REFRESH', 'runMetricsStep', 'recordReadFailure'),
    { step: 'METRICS_REFRESH', waits: 'NEXT_TRY' },
  ],
  contentLookup: [...at('LOOKUP', 'runLookupStep', 'recordReadFailure'), { step: 'LOOKUP', waits: 'NEXT_TRY' }],
  verifySiblings: [
    ...at('VERIFY', 'listSiblings', 'checkGrant', 'resumeSibling'),
    { step: 'VERIFY', waits: 'NEXT_TRY' },
  ],
  sendWebhooks: [
    ...at('SEND_WEBHOOKS', 'sendDueWebhooks'),
    { step: 'SEND_WEBHOOKS', waits: 'NEXT_TRY' },
    { step: 'SEND_WEBHOOKS', waits: 'EVENTS' },
  ],
} as const satisfies Partial<Record<WorkflowName, readonly Point[]>>;
type Type = keyof typeof POINTS;

/** Longer than reconciliation leaves work in progress alone, and past each attempt's deadline. */
const OVERDUE_MS = 15 * MINUTE_MS;
const AWAY = { kind: 'status', status: 503 } as const;
const CROWD = 150;
/** Then a workflow has ended before it came to its point, and another one is made. */
const MISSED_AFTER_MS = 60_000;
const TRIES = 3;
/** A worker runs 40 workflow tasks at a time, and a held activity may hold one. */
const AT_ONCE = 45;

/** Asserts the end. It is called twice: after the sweep, and after the held activity has run late. */
type Check = () => Promise<void>;

interface Stage {
  readonly service: Running;
  readonly holds: Holds;
  readonly receiver: Receiver;
  readonly app: User;
  takeAccount(): string;
}

const test = plainTest.extend<{ $file: { stage: Stage } }>({
  stage: [
    async ({}, use) => {
      const holds: Holds = new Holds(async (jobId) => {
        const [row] = await service.sql`
          select connection_id as id from read_job where job_id = ${jobId}
          union all select coalesce(connection_id, attempt_id) from disconnect_job where job_id = ${jobId}
        `;
        return String(row?.id);
      });
      const service: Running = await startService({ SUSPEND_SIBLINGS: 'true' }, { crowd: CROWD, around: holds.around });
      const receiver = await openReceiver();
      const accounts = service.control.accounts('PROVIDER_B').filter(({ note }) => note === 'One of a crowd');
      const takeAccount = () => {
        const account = accounts.shift();
        if (account === undefined) throw new Error('The crowd is too small.');
        return account.id;
      };
      await use({ service, holds, receiver, app: await service.newUser(), takeAccount });
      await holds.releaseAll();
      await service.close();
      await receiver.close();
    },
    { scope: 'file' },
  ],
});

class PointMissed extends Error {}

/** Ends a workflow at a point, as an operator does. */
class Ending {
  readonly stage: Stage;
  readonly point: Point;
  readonly way: Way;
  readonly #type: Type;
  #person = 'not asked';

  constructor(stage: Stage, { type, point, way }: Case) {
    this.stage = stage;
    this.#type = type;
    this.point = point;
    this.way = way;
  }

  get isAtFailure(): boolean {
    const { point } = this;
    return 'waits' in point ? point.waits === 'NEXT_TRY' : /^record\w+Failure$/.test(point.activity);
  }

  /** Whether the activity `name` has had its effect before the end. */
  isAfter(name: string): boolean {
    return 'activity' in this.point && this.point.activity === name && this.point.moment === 'after';
  }

  /** Runs `begin`, which returns the workflow's id, and ends the workflow as soon as it reaches the point. */
  async end(begin: () => Promise<string>, subject?: string): Promise<string> {
    const { point } = this;
    const { holds, service } = this.stage;
    const held = 'activity' in point ? holds.hold(this.#type, point.activity, point.moment, subject) : undefined;
    const begun = await begin();
    const met = held && (await Promise.race([held, delay(MISSED_AFTER_MS)]));
    if (held && !met) {
      if ('activity' in point) holds.forget(this.#type, point.activity, subject);
      throw new PointMissed(`It never came to this point. The person: ${this.#person}`);
    }
    const { workflowId, isLocal } = met ?? { workflowId: begun, isLocal: false };
    const handle = service.temporal.workflow.getHandle(workflowId);
    if (!isLocal) {
      const progress = await until(async () => {
        const now = await handle.query<Progress>(PROGRESS).catch(() => undefined);
        return now !== undefined && (!('waits' in point) || now.waitingFor === point.waits) && now;
      });
      expect(progress.step).toBe(point.step);
    }
    await this.#end(handle);
    return workflowId;
  }

  async #end(handle: WorkflowHandle): Promise<void> {
    if (this.way === 'terminated') return void (await handle.terminate('Ended by hand.'));
    const { temporal } = this.stage.service;
    const { workflowId } = handle;
    const { namespace } = temporal.options;
    await temporal.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
    const isGone = (error: unknown) => error instanceof WorkflowNotFoundError;
    await until(() => handle.describe().then(() => false, isGone));
  }

  /** The person consents meanwhile. Where it is ended first, the browser may see an error. */
  consent(user: User, page: Page, account: string, permissions: readonly string[]): void {
    const saw = (seen: string) => {
      this.#person = seen;
    };
    user.agree(page, account, permissions).then(
      ({ url, status }) => saw(`${status} ${url}`),
      (error) => saw(String(error)),
    );
  }

  /** Calls of one account at a route fail until the platforms are repaired. */
  breakRoute(route: string, account: string, what: FaultKind = AWAY): void {
    this.stage.service.control.addFault({ provider: 'PROVIDER_B', route, account, what, times: null });
  }
}
type FaultKind = Parameters<Running['control']['addFault']>[0]['what'];

const newConnection = async ({ stage }: Ending, user?: User) => {
  const owner = user ?? (await stage.service.newUser(stage.app));
  const account = stage.takeAccount();
  return { user: owner, account, connectionId: await owner.connect('PROVIDER_B', account) };
};

/** No grant exists without a connection, unless a person is asked to end it. */
function expectNoGrant(user: User, account: string, creatorAction: string | null): void {
  if (creatorAction === null) expect(user.liveGrants(account)).toEqual([]);
}

/** A SUCCEEDED receipt is true, and nothing of the connection is left. */
async function expectErased(
  user: User,
  { account, connectionId }: { account: string; connectionId: string },
  jobs: readonly string[],
) {
  for (const id of jobs) {
    expect(await user.ended(connectionId, id)).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
  }
  expect(user.liveGrants(account)).toEqual([]);
  expect(await user.outcome('connection', { id: connectionId })).toBe('NOT_FOUND');
}

/** A read that fails may be requested again; one that Temporal has forgotten, or that had succeeded, succeeds. */
async function readJob(ending: Ending, route: string, request: (of: Answer) => Promise<Answer>): Promise<Check> {
  // An app of its own: an app may have 20 reads at a time.
  const { user, account, connectionId } = await newConnection(ending, await ending.stage.service.newUser());
  const { items } = await user.ask('content', { connectionId, window: { ...lastDays(80), first: 1 } });
  if (ending.isAtFailure) ending.breakRoute(route, account);
  const ask = () => request({ user, connectionId, post: items[0] });
  let id = '';
  await ending.end(async () => {
    ({ id } = await ask());
    const [row] = await ending.stage.service.sql`select kind from read_job where job_id = ${id}`;
    return { SCAN: WORKFLOWS.scan, METRICS: WORKFLOWS.metricsRefresh, LOOKUP: WORKFLOWS.contentLookup }[
      row?.kind as 'SCAN'
    ].id({ jobId: id as never });
  }, connectionId);
  const [ended] = await ending.stage.service.sql`select finished_at from read_job where job_id = ${id}`;
  const isLost = ending.way === 'terminated' && ended?.finishedAt === null;
  return async () => {
    expect(await user.ended(connectionId, id)).toMatchObject(
      isLost ? { status: 'FAILED', errorCode: 'INTERNAL' } : { status: 'SUCCEEDED', errorCode: null },
    );
    const again = await ask();
    expect((await user.ended(connectionId, again.id)).status).toBe('SUCCEEDED');
    expect((await user.synced(connectionId)).syncStatus).toMatch(/READY|PARTIAL/);
  };
}

/** A connection on hold, because another one of its scope is being disconnected. */
async function suspended(ending: Ending) {
  const kept = await newConnection(ending);
  const left = await newConnection(ending, kept.user);
  const begin = () => kept.user.ask('disconnectConnection', { connectionId: left.connectionId });
  const resumes = async () => {
    await until(async () => (await kept.user.connection(kept.connectionId)).status === 'CONNECTED');
    expect(kept.user.liveGrants(kept.account)).toHaveLength(1);
    expect(kept.user.liveGrants(left.account)).toEqual([]);
    expect(await kept.user.outcome('connection', { id: left.connectionId })).toBe('NOT_FOUND');
  };
  return { kept, left, begin, resumes };
}

const STORIES: Readonly<Record<Type, (ending: Ending) => Promise<Check>>> = {
  async connectAttempt(ending) {
    const { stage, point } = ending;
    const user = await stage.service.newUser(stage.app);
    const account = stage.takeAccount();
    const session = await user.newAttempt('PROVIDER_B');
    const consent = await user.open(session);
    if (ending.isAtFailure) ending.breakRoute('token', account);
    const isRecordingEnd = point.step === 'RECORD_END';
    if (isRecordingEnd) ending.breakRoute('token', account, { kind: 'malformedJson' });
    await ending.end(async () => {
      ending.consent(user, consent, account, PERMISSIONS.PROVIDER_B);
      return WORKFLOWS.connectAttempt.id({ attemptId: session.id as never });
    }, session.id);
    return async () => {
      const { status, resultCode, creatorAction, connectionId } = await user.finished(session.id);
      if (ending.isAfter('completeAttempt')) {
        expect(status).toBe('COMPLETED');
        expect((await user.synced(connectionId)).status).toBe('CONNECTED');
        expect(user.liveGrants(account)).toHaveLength(1);
      } else if (isRecordingEnd) {
        const [end, code] = ending.isAfter('endAttempt') ? ['FAILED', 'EXCHANGE_FAILED'] : ['EXPIRED', 'EXPIRED'];
        const action = 'REMOVE_APP_AT_PROVIDER';
        expect({ status, resultCode, creatorAction }).toEqual({ status: end, resultCode: code, creatorAction: action });
      } else {
        expect({ status, resultCode }).toEqual({ status: 'EXPIRED', resultCode: 'EXPIRED' });
        await until(async () => creatorAction !== null || user.liveGrants(account).length === 0);
        expectNoGrant(user, account, creatorAction);
      }
    };
  },

  async identityAttempt(ending) {
    const { stage, point } = ending;
    const user = await stage.service.newUser(stage.app);
    const [person] = stage.service.control.people();
    const session = await user.createSignIn();
    const { id, resultProof } = session;
    const consent = await user.open(session);
    await ending.end(async () => {
      ending.consent(user, consent, person?.sub ?? '', ['email', 'profile']);
      return WORKFLOWS.identityAttempt.id({ attemptId: id as never });
    }, id);
    const isLost = point.step === 'EXCHANGE_CODE' && !ending.isAfter('exchangeIdentityCode');
    let result: Answer;
    return async () => {
      result ??= await until(async () => {
        const seen = await user.ask('redeemIdpIdentityResult', { id, resultProof, tenantKey: user.scope.tenantKey });
        return seen.status !== 'PENDING' && seen;
      });
      expect(result).toMatchObject(isLost ? { status: 'EXPIRED' } : { status: 'COMPLETED', idpSub: person?.sub });
    };
  },

  async disconnect(ending) {
    const { user, ...connection } = await newConnection(ending);
    const { account, connectionId } = connection;
    if (ending.isAtFailure) ending.breakRoute('revoke', account);
    let jobs: string[] = [];
    await ending.end(async () => {
      const receipts = await user.ask('disconnectConnection', { connectionId });
      jobs = [receipts.revokeJobId, receipts.eraseJobId];
      return WORKFLOWS.disconnect.id({ connectionId: connectionId as never });
    }, connectionId);
    return async () => await expectErased(user, connection, jobs);
  },

  /** The grant of an attempt whose person granted too little. */
  async revokeGrant(ending) {
    const { stage } = ending;
    const user = await stage.service.newUser(stage.app);
    const account = stage.takeAccount();
    if (ending.isAtFailure) ending.breakRoute('revoke', account);
    const session = await user.newAttempt('PROVIDER_B', { capabilities: ['CONTENT_LIST'] });
    const job = async () => {
      const [row] = await stage.service.sql`select * from disconnect_job where attempt_id = ${session.id}`;
      return row;
    };
    await ending.end(async () => {
      await user.agree(await user.open(session), account, ['user.info.basic']);
      expect(await user.finished(session.id)).toMatchObject({ status: 'FAILED', resultCode: 'MISSING_PERMISSION' });
      const { grantId, run } = await until(job);
      return WORKFLOWS.revokeGrant.id({ grantId, run });
    }, session.id);
    return async () => {
      await until(async () => (await job())?.status === 'SUCCEEDED');
      expect(user.liveGrants(account)).toEqual([]);
    };
  },

  async disconnectAll(ending) {
    const { stage } = ending;
    const { service } = stage;
    const app = await service.newUser();
    const [one, two] = [await newConnection(ending, app), await newConnection(ending, await service.newUser(app))];
    await ending.end(async () => {
      const { appId, tenantKey } = { appId: app.appId, tenantKey: app.seeded.tenantKey };
      await service.operate(`disconnectAll(input: { appId: "${appId}", tenantKey: "${tenantKey}" })`);
      return '';
    });
    return async () => {
      for (const { user, account, connectionId } of [one, two]) {
        await until(async () => (await user.outcome('connection', { id: connectionId })) === 'NOT_FOUND');
        expect(user.liveGrants(account)).toEqual([]);
      }
    };
  },

  scan: (ending) =>
    readJob(ending, 'videoList', ({ user, connectionId }) =>
      user.ask('requestRefresh', { connectionId, window: lastDays(60) }),
    ),
  metricsRefresh: (ending) =>
    readJob(ending, 'videoQuery', ({ user, connectionId, post }) =>
      user.ask('requestRefresh', { connectionId, providerContentId: post.providerContentId }),
    ),
  contentLookup: (ending) =>
    readJob(ending, 'videoQuery', ({ user, connectionId, post }) =>
      user.ask('requestContentLookup', { connectionId, url: post.canonicalUrl }),
    ),

  async verifySiblings(ending) {
    const { kept, left, begin, resumes } = await suspended(ending);
    if (ending.isAtFailure) ending.breakRoute('userInfo', kept.account);
    const isListing = 'activity' in ending.point && ending.point.activity === 'listSiblings';
    await ending.end(
      async () => WORKFLOWS.verifySiblings.id({ jobId: (await begin()).revokeJobId, run: 0 }),
      isListing ? left.connectionId : kept.connectionId,
    );
    return resumes;
  },

  async sendWebhooks(ending) {
    const { service, receiver } = ending.stage;
    const path = `/hooks-${crypto.randomUUID()}`;
    const app = await service.newUser();
    const url = new URL(path, receiver.url).href;
    await service.operate(`createWebhookEndpoint(input: { appId: "${app.appId}", url: "${url}" })`);
    const [row] = await service.sql`select endpoint_id from webhook_endpoint where app_id = ${app.appId}`;
    const { endpointId } = row as Answer;
    const send = () => service.operate(`sendTestWebhook(id: "${endpointId}")`);
    const arrived = () =>
      new Set(receiver.received.flatMap((one) => (one.path === path ? [one.headers['webhook-id']] : [])));
    if (ending.isAtFailure) broken.add(path);
    await ending.end(async () => {
      await send();
      return WORKFLOWS.sendWebhooks.id({ endpointId });
    }, endpointId);
    broken.delete(path);
    let count = 1;
    return async () => {
      const isDelivered = async () => {
        const [open] = await service.sql`
          select count(*)::int as count from webhook_delivery where endpoint_id = ${endpointId} and status <> 'DELIVERED'
        `;
        return open?.count === 0 && arrived().size === count;
      };
      await until(isDelivered);
      await send();
      count += 1;
      await until(isDelivered);
    };
  },
};
/** The paths of the receiver that fail. */
const broken = new Set<string>();

interface Case {
  readonly type: Type;
  readonly point: Point;
  readonly way: Way;
}

const describePoint = (point: Point) =>
  `${point.step} ${'waits' in point ? `waiting for ${point.waits}` : `${point.moment} ${point.activity}`}`;
const casesOf = (types: readonly Type[]): Case[] =>
  types.flatMap((type) => POINTS[type].flatMap((point) => WAYS.map((way) => ({ type, point, way }))));

/**
 * `npm test` takes each activity of each workflow once, in turn before and after its effect, terminated and deleted.
 * `npm run test:faults -- --by-hand` takes all cases.
 */
const choose = (cases: readonly Case[]): Case[] => {
  if (process.env.FAULTS_BY_HAND !== undefined) {
    console.log(`Ends workflows in ${cases.length} cases: ${[...new Set(cases.map(({ type }) => type))].join(', ')}.`);
    return [...cases];
  }
  const groups = new Map<string, Case[]>();
  for (const one of cases) {
    const key = `${one.type} ${'activity' in one.point ? one.point.activity : one.point.waits}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group, index) => group[(index * 3) % group.length] ?? []);
};

/** Lets the sweeps find work that has lost its workflow, once it is overdue. */
async function sweepAll({ service }: Stage): Promise<void> {
  await moveClock(service.sql, OVERDUE_MS);
  for (const kind of ['outbox', 'reconcile'] as const) await service.sweep(kind);
}

/** Everything that has not ended. */
async function listOpen({ service: { sql } }: Stage) {
  return await sql`
    select 'read job' as what, job_id::text as id from read_job where finished_at is null
    union all select 'receipt', job_id::text from disconnect_job where finished_at is null
    union all select 'attempt', attempt_id::text from connect_attempt where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING')
    union all select 'sign-in', attempt_id::text from identity_attempt where status = 'PENDING'
    union all select 'connection ' || status, connection_id::text from connection where status <> 'CONNECTED'
    union all select 'grant ' || status, grant_id::text from account_grant where status = 'PENDING'
    union all select 'bulk disconnect', bulk_disconnect_id::text from bulk_disconnect where finished_at is null
    union all select 'delivery', delivery_id::text from webhook_delivery where status = 'PENDING'
    union all select 'outbox entry', workflow_id from outbox
  `;
}

test('a workflow that an operator has terminated or deleted ends rightly: nothing stays open, no accepted request is lost, no receipt is false', {
  timeout: 900_000,
}, async ({ stage }) => {
  stage.receiver.answer((response, received) => answerWith(broken.has(received.path) ? 503 : 204)(response, received));
  const cases = choose(casesOf(Object.keys(STORIES) as Type[]));
  const problems: string[] = [];
  const note = async (of: string, act: () => Promise<void>) => {
    await act().catch((error: unknown) => problems.push(`${of}: ${error instanceof Error ? error.message : error}`));
  };
  while (cases.length > 0) {
    const waiting = cases.splice(0, AT_ONCE);
    const checks: { of: string; check: Check }[] = [];
    const work = async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const { type, point, way } = one;
        const of = `${type} ${describePoint(point)}, ${way}`;
        const story = STORIES[type];
        // On a busy machine, a step can fail before it comes to its point. Three times in a row is a fault.
        const tell = async (left = TRIES): Promise<Check> =>
          await story(new Ending(stage, one)).catch(async (error: unknown) => {
            if (!(error instanceof PointMissed) || left === 1) throw error;
            return await tell(left - 1);
          });
        await note(of, async () => void checks.push({ of, check: await tell() }));
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    stage.service.control.clearFaults();
    await sweepAll(stage);
    await Promise.all(checks.map(({ of, check }) => note(of, check)));
    await stage.holds.releaseAll();
    await Promise.all(checks.map(({ of, check }) => note(`${of}, after the late activity`, check)));
  }
  expect(problems).toEqual([]);
  await expect.poll(() => listOpen(stage)).toEqual([]);
});
