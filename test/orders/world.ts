import { randomUUID } from 'node:crypto';
import { type DevelopmentKeys, makeKeys } from '../../local/src/development-keys.ts';
import type { SandboxState } from '../../sandbox/src/control.ts';
import { listPlatformUrls } from '../../sandbox/src/emulations.ts';
import { startSandbox } from '../../sandbox/src/server.ts';
import type { Deps } from '../../src/activities/deps.ts';
import { importConnection } from '../../src/activities/import-connection.ts';
import {
  createIssuerActivities,
  createProviderActivities,
  createStoreActivities,
  createWebhookActivities,
} from '../../src/activities/index.ts';
import { createConnectFlow } from '../../src/api/connect/connect-flow.ts';
import type { ConnectDeps } from '../../src/api/connect/flow.ts';
import { createIdentityFlow } from '../../src/api/connect/identity-flow.ts';
import { Refused } from '../../src/api/connect/refused.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import { forEachProvider } from '../../src/basics/codes.ts';
import type { AppId, ConnectionId, GrantId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import { Secret } from '../../src/basics/secret.ts';
import type { SweepKind, SweepStep } from '../../src/basics/sweeps.ts';
import { readConfig } from '../../src/config/config.ts';
import { buildReceiptParts } from '../../src/domain/disconnecting/receipts.ts';
import { createOidc } from '../../src/identity/oidc.ts';
import { createSignIn } from '../../src/identity/sign-in.ts';
import { createAdapters } from '../../src/providers/adapters.ts';
import { createHttp, type Http } from '../../src/providers/http.ts';
import { startWorkflow } from '../../src/temporal/start-workflow.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { CONNECT_URL, callerOf, createDeps } from '../kit/caller.ts';
import { createWorkerDeps, runActivity } from '../kit/deps.ts';
import { usualInlineSteps } from '../kit/fake-activities.ts';
import { configFor } from '../kit/fake-platform.ts';
import { type Answer, Refusal } from '../kit/graphql.ts';
import { createTestAdmin } from '../kit/operator.ts';
import { asApi, asImporter, asMaintenance, asWorker, createTestDatabase, type Database } from '../kit/postgres.ts';
import type { SubjectScope } from '../kit/seed.ts';
import { sweepAttempts, sweepDeletions } from '../kit/sweeping.ts';
import { getProcessTime, getShift, replaceDate, setShift, setWorkflowClock } from './clock.ts';
import type { Facts } from './facts.ts';
import { findFiber } from './fibers.ts';
import { readSchema, type Schema } from './footprints.ts';
import { hookDatabase, hookHttp, type Watch } from './hooks.ts';
import { Recorder } from './recorder.ts';
import { Engine, findWorkflowTime, type Run } from './temporal.ts';

const LINE = { waitForSlot: async () => ({ taken: true as const, waitSeconds: 0 }) };
/** No order waits for the rate limit. */
const NO_WAIT = { CONNECTS: LINE, GRANTS: LINE, READS: LINE };

/** The activity that runs a round of each kind that Temporal's Schedules run. */
const ROUNDS = {
  reconcile: 'reconcileRows',
  upkeep: 'startUpkeep',
  retention: 'applyRetention',
} as const;

/** The service's parts over one database, all platforms, and a clock: in this process, and brought back to a state at will. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** A starting state, which `restore` brings back. */
export interface Saved {
  readonly schema: string;
  readonly sandbox: SandboxState;
  readonly runs: readonly Run[];
  readonly at: number;
  readonly record: ReturnType<Recorder['save']>;
}

/** A webhook, as its receiver reads it. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
}

export async function openWorld(given: Omit<Watch, 'schema'>) {
  const [database, sandbox, oldKeys, newKeys] = await Promise.all([
    createTestDatabase(),
    startSandbox({ port: 0, clock: getProcessTime }),
    makeKeys(),
    makeKeys(),
  ]);
  const { sql } = database;
  const schema: Schema = await readSchema(sql);
  const watch: Watch = { ...given, schema: () => schema };
  const bringBackDate = replaceDate();
  let skewMs = 0;
  const now = () => new Date();
  setWorkflowClock(findWorkflowTime);
  // During a rotation each process opens with both keys.
  const environment = { ...joinKeys(oldKeys, newKeys), ...listPlatformUrls(sandbox.url) };
  const newerKeys = readConfig('reseal', {
    ...joinKeys(newKeys, oldKeys),
    DEPLOYMENT: 'development',
    DATABASE_URL: 'postgres://nobody@localhost/x',
  });
  const plainHttp = createHttp({ production: false, userAgent: 'orders/1' });
  /** The webhooks that an app has received. */
  const received: ReceivedEvent[] = [];
  const post: Http['post'] = async ({ body }) => {
    received.push(JSON.parse(body));
    return { status: 200, headers: new Headers() } as never;
  };
  const http = hookHttp({ ...plainHttp, post }, watch);
  const outbox = { deliverSoon: () => undefined };
  const commandSql = hookDatabase(asMaintenance(sql), watch);
  const importerSql = hookDatabase(asImporter(sql), watch);
  const oidcOptions = { fetch: plainHttp.fetch, allowHttp: true, now };
  const suspendSiblings = true;
  const providers = createAdapters(configFor(sandbox.url), http, now);
  const workerDeps: Deps = {
    ...(await createWorkerDeps(sql, { providers, suspendSiblings, environment })),
    sql: hookDatabase(asWorker(sql), watch),
    clock: { read: async () => undefined, now }, // This process' clock moves with business time.
    providerQueues: forEachProvider(() => NO_WAIT) as unknown as Deps['providerQueues'],
    outbox,
    log: createLog('silent'),
  };
  const { facts, mac } = workerDeps;
  // The library counts its own time-outs by the machine's clock, so discovery is not stopped at gates.
  const signIn = createSignIn({ fetch: http.fetch, allowHttp: true, now });
  const quietSignIn = createSignIn(oidcOptions);
  const { deps } = await createDeps(sql, { suspendSiblings, environment });
  const apiDeps: ApiDeps = { ...deps, sql: hookDatabase(asApi(sql), watch), outbox };
  const connectDeps: ConnectDeps = {
    ...apiDeps,
    connectUrl: CONNECT_URL,
    launchesPerAddress: 1_000,
    oidc: createOidc(oidcOptions),
    held: { begin: () => undefined, missed: () => undefined, close: async () => undefined },
  };
  const engine: Engine = new Engine(
    (await import('../../src/workflows/index.ts')) as never,
    () => activities,
    () => getProcessTime() + skewMs,
  );
  const sweepDeps = {
    ...workerDeps,
    signIn: { discover: quietSignIn.discover, redeem: signIn.redeem },
    temporal: engine.client,
    taskQueue: 'orders',
    webhookHttp: http,
  };
  const providerActivities = createProviderActivities(workerDeps);
  const activities = {
    ...providerActivities,
    ...usualInlineSteps(providerActivities),
    ...createIssuerActivities(sweepDeps),
    ...createWebhookActivities(sweepDeps as never),
    ...createStoreActivities(sweepDeps),
  } as unknown as Engine['activities'];
  const admin = await createTestAdmin(sql, {}, apiDeps);
  await sql`update admin_token set expires_at = created_at + interval '60 days'`; // A state may begin weeks later.
  await prepareSnapshots(sql);
  await sql.unsafe(`
    create table test_clock (moved_ms float8 not null);
    insert into test_clock values (0);
    grant select on test_clock to public;
    create or replace function business_now() returns timestamptz language sql stable parallel safe
    return date_trunc('milliseconds', statement_timestamp()) + (select moved_ms from test_clock) * interval '1 millisecond';
  `);

  /** Starts and signals the workflows of the outbox. @param only a pattern of `like` for their ids */
  async function deliver(only = '%'): Promise<number> {
    findFiber()?.note({ reads: ['outbox'], writes: ['temporal'] }, true);
    const rows = await sql`
      with taken as (delete from outbox where workflow_id like ${only} returning *)
      select outbox_id, workflow_id, workflow_type, input, signal_name, restart, search_attributes, correlation_id
      from taken order by outbox_id
    `;
    for (const row of rows) await startWorkflow(engine.client, 'orders', row as never);
    return rows.length;
  }

  async function moveTo(shift: number): Promise<void> {
    setShift(shift);
    await sql`update test_clock set moved_ms = ${shift}`;
  }

  /** Runs workflows as far as they get now. */
  async function drive(only = '%'): Promise<void> {
    for (let round = 0; round < 100; round += 1) {
      const delivered = await deliver(only);
      const due = engine.listDue().filter(({ id }) => isLike(id, only));
      if (due.length === 0 && delivered === 0) return;
      for (const run of due) await engine.step(run);
    }
    throw new Error(`The workflows do not come to rest:${tellRuns(engine.listDue())}`);
  }

  /** Fires all timers that are due within `horizonMs`, in order, and runs the code that they wake. */
  async function settle(horizonMs: number): Promise<void> {
    const until = Date.now() + horizonMs;
    for (let round = 0; round < 200; round += 1) {
      await drive();
      const dueAt = engine.nextTimer();
      if (dueAt > until + skewMs) return;
      await moveTo(getShift() + Math.max(0, dueAt - skewMs - Date.now()) + 5);
    }
    throw new Error('The workflows wait for ever.');
  }

  /** One round of housekeeping. @param only some of its steps */
  async function sweep(kind: SweepKind, only?: readonly SweepStep[]): Promise<void> {
    if (kind === 'outbox') return void (await deliver());
    if (kind === 'deletions') return void (await sweepDeletions(workerDeps));
    if (kind === 'attempts') return void (await sweepAttempts(workerDeps));
    engine.called.add(ROUNDS[kind]);
    await runActivity(activities[ROUNDS[kind]] as never, { positions: {}, ...(only && { only }) } as never);
  }

  const openTokensOf = async (row: { grantId: string; sealedTokens: string }) => {
    const sealed = await workerDeps.vault.openGrant(row.sealedTokens, associatedData.tokens(row.grantId as GrantId));
    return JSON.parse(sealed.reveal()) as { accessToken: string; refreshToken: string | null };
  };

  const callers = new Map<string, ReturnType<typeof callerOf>>();
  const recorder = new Recorder();
  return {
    sql,
    drive,
    settle,
    sweep,
    settleNow: () => settle(0),
    tellRuns: () => tellRuns(engine.runs),
    openTokensOf,
    async findGrantRow(connectionId: ConnectionId) {
      const [row] =
        await sql`select grant_id, sealed_tokens from account_grant where connection_id = ${connectionId} and status = 'LIVE'`;
      return await openTokensOf(row as never);
    },
    async importToken({ app, scope, provider, imported }: Facts) {
      const line = {
        scope,
        provider,
        registrationId: app.registrations[provider],
        capabilities: ['PROFILE'] as const,
        tokens: {
          accessToken: new Secret(imported?.accessToken ?? ''),
          refreshToken: null,
          accessExpiresAt: null,
          refreshExpiresAt: null,
          permissions: facts[provider].permissionsFor(['PROFILE']),
        },
      };
      const { signal } = new AbortController();
      const options = { appId: app.app.appId, acceptUnproven: true, dryRun: false, signal };
      return await importConnection({ ...workerDeps, sql: importerSql }, options, line);
    },
    /** The code of a refusal is an answer, and so is a page that explains one. */
    refusalIsAnswer: (answer: Promise<unknown>) =>
      answer.catch((error: unknown) => {
        if (error instanceof Refusal) return error.code;
        if (error instanceof Refused) return 'refused';
        throw error;
      }),
    /** An action of a person at a platform, in one step. */
    async atPlatform(act: () => void): Promise<void> {
      findFiber()?.note({ reads: [], writes: ['platform'] }, true);
      act();
    },
    received,
    recorder,
    scopeMacOf: (appId: AppId, scope: SubjectScope) => mac.of(...buildReceiptParts(appId, scope)),
    commandSql,
    newerKeys,
    /** Temporal has lost all its data. */
    async loseWorkflows() {
      engine.restore([]);
      await sql`delete from outbox`;
    },
    control: sandbox.control,
    issuer: `${sandbox.url}/idp`,
    connectUrl: CONNECT_URL,
    workerDeps,
    apiDeps,
    activities,
    engine,
    mac,
    sealInbox: apiDeps.sealInbox,
    facts,
    connectFlow: createConnectFlow(connectDeps),
    identityFlow: createIdentityFlow(connectDeps),
    /** One schema for each app: building it takes longer than a request. */
    callerFor(app: { appId: string }): ReturnType<typeof callerOf> {
      const caller = callers.get(app.appId) ?? recorder.around(app, callerOf({ deps: apiDeps }, { app } as never));
      callers.set(app.appId, caller);
      return caller;
    },
    /** Sends a mutation of an operator. @param flow the person whom it is about */
    async operate(name: string, args: object, flow = 'run'): Promise<Answer> {
      const act = name === 'retryJob' ? 'retryJobs' : name;
      recorder.add({ type: 'operator', act, accepted: false }, flow); // Before it happens: others may see it at once.
      const answer = await admin.as('ADMIN').run(name, args as Record<string, unknown>, '__typename');
      recorder.add({ type: 'operator', act, accepted: true }, flow);
      return answer;
    },
    /** How far Temporal's clock is ahead of the database's. */
    skew(ms: number) {
      skewMs = ms;
    },
    /** Moves business time, the platforms' and Temporal's. */
    advance: (ms: number) => moveTo(getShift() + ms),
    async save(): Promise<Saved> {
      const schema = `state_${randomUUID().replaceAll('-', '')}`;
      await sql`select orders_save(${schema})`;
      const { control } = sandbox;
      const record = recorder.save(control.calls());
      return { schema, sandbox: control.snapshot(), runs: engine.save(), at: Date.now(), record };
    },
    async restore({ schema, sandbox: state, runs, at, record }: Saved) {
      engine.restore(runs);
      recorder.restore(record);
      sandbox.control.clearCalls();
      received.length = 0;
      skewMs = 0;
      setShift(getShift() + at - Date.now());
      await sql`select orders_restore(${schema}, ${getShift()})`;
      sandbox.control.restore(state);
    },
    async close() {
      bringBackDate();
      await plainHttp.close();
      await sandbox.close();
      await database.drop();
    },
  };
}

/** To explain a failure. */
const tellRuns = (runs: readonly Run[]): string =>
  runs.map((run) => ` ${run.id} ${run.status} ${JSON.stringify([...run.history].at(-1))} ${run.failure}`).join(';');

/** Key sets of which the first seals. */
const joinKeys = (first: DevelopmentKeys, second: DevelopmentKeys): DevelopmentKeys => ({
  ...first,
  ...Object.fromEntries(
    Object.keys(first)
      .filter((name) => name.startsWith('VAULT_'))
      .map((name) => {
        const [a, b] = [first, second].map((keys) => JSON.parse(keys[name as 'VAULT_EDGE_KEYS']).keys);
        return [name, JSON.stringify({ keys: [...a, ...b] })];
      }),
  ),
});

const isLike = (id: string, pattern: string): boolean =>
  pattern.endsWith('%') ? id.startsWith(pattern.slice(0, -1)) : id === pattern;

/**
 * Copies all rows to a schema and back, in one round trip each. Triggers do not fire. Each state gets a function of its own
 * that names its tables, whose plans Postgres keeps.
 */
async function prepareSnapshots(sql: Database): Promise<void> {
  await sql.unsafe(`
    create function orders_save(state text) returns void language plpgsql as $$
    declare name text; columns text; found boolean; body text := '';
    begin
      execute format('create schema %I', state);
      for name in
        select tablename from pg_tables where schemaname = 'public' and tablename not like '%migration%' and tablename <> 'test_clock'
      loop
        body := body || format('delete from public.%I; ', name);
        execute format('select exists (select from public.%I)', name) into found;
        continue when not found or name like 'orders_%';
        execute format('create table %I.%I as table public.%I', state, name, name);
        select string_agg(quote_ident(column_name), ', ') into columns from information_schema.columns
          where table_schema = 'public' and table_name = name and is_generated = 'NEVER';
        body := body || format('insert into public.%I (%s) overriding system value select %s from %I.%I; ', name, columns, columns, state, name);
      end loop;
      execute format('create function %I.restore() returns void language plpgsql as %L', state, 'begin ' || body || ' end');
    end $$;
    create function orders_restore(state text, moved float8) returns void language plpgsql as $$
    begin
      set local session_replication_role = replica;
      update test_clock set moved_ms = moved;
      execute format('select %I.restore()', state);
    end $$;
  `);
}
