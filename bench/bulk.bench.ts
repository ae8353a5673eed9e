import { expect, test } from 'vitest';
import { startService, type User, until } from '../test/kit/at-work.ts';
import { outcomeOf } from '../test/kit/conformance.ts';
import { describeMachine, quantile } from './measure.mjs';

/** The bulk of one app, and how often another app's single request is measured. */
const SIZES = {
  quick: { jobs: 1_000, connections: 2_000, singles: 3 },
  usual: { jobs: 10_000, connections: 20_000, singles: 8 },
  full: { jobs: 50_000, connections: 100_000, singles: 20 },
} as const;
const { jobs, connections, singles } = SIZES[(process.env.BENCH_SIZE ?? 'usual') as keyof typeof SIZES];
/** Of one statement. */
const TOGETHER = 5_000;

type Service = Awaited<ReturnType<typeof startService>>;

/** Calls for each part of `many`. */
async function inParts(many: number, insert: (from: number, to: number) => Promise<unknown>) {
  for (let from = 1; from <= many; from += TOGETHER) await insert(from, Math.min(many, from + TOGETHER - 1));
}

/** The bulk that one app can send at once. */
const BACKLOGS: Readonly<Record<string, (service: Service, busy: User) => Promise<unknown>>> = {
  [`${jobs} queued jobs`]: ({ sql }, { appId }) =>
    inParts(
      jobs,
      (from, to) => sql`
        insert into outbox (workflow_id, workflow_type, input, lane, search_attributes)
        select 'scan/' || id, 'scan', jsonb_build_object('jobId', id, 'provider', 'PROVIDER_B'), 2,
          jsonb_build_object('AppId', ${appId}::text)
        from (select gen_random_uuid() as id from generate_series(${from}::int, ${to}::int)) job
      `,
    ),
  [`the removal of a tenant with ${connections} connections`]: async ({ sql, operate }, { appId, seeded }) => {
    const [scope] = await sql`
      insert into scope (scope_id, app_id, tenant_key, external_subject_id)
      values (gen_random_uuid(), ${appId}, ${seeded.tenantKey}, 'many') returning scope_id
    `;
    await inParts(
      connections,
      (from, to) => sql`
        insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status,
          capabilities)
        select gen_random_uuid(), ${scope?.scopeId}, ${appId}, 'PROVIDER_B', ${seeded.registrations.PROVIDER_B}, n::text,
          'CONNECTED', '[]'
        from generate_series(${from}::int, ${to}::int) n
      `,
    );
    const tenant = `appId: "${appId}", tenantKey: "${seeded.tenantKey}"`;
    await operate(`disconnectAll(input: { ${tenant} })`);
  },
};

/** Milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

/** Connects an account, reads its posts once they are stored, and disconnects it until it is erased. */
async function measureSingle(user: User, account: string) {
  let connectionId = '';
  const connect = await timed(async () => {
    connectionId = (await user.attempt('PROVIDER_B', account)).connectionId;
  });
  await user.synced(connectionId);
  const request = await timed(() => user.connection(connectionId));
  const scan = await timed(() => user.refresh(connectionId));
  const disconnect = await timed(async () => {
    await user.ask('disconnectConnection', { connectionId });
    await until(async () => (await outcomeOf(user.connection(connectionId))) === 'NOT_FOUND');
  });
  return { connect, request, scan, disconnect };
}

const KINDS = ['connect', 'request', 'scan', 'disconnect'] as const;

/** The medians. */
async function measureSingles(user: User, account: string) {
  const all: Awaited<ReturnType<typeof measureSingle>>[] = [];
  for (let single = 0; single < singles; single += 1) all.push(await measureSingle(user, account));
  return new Map(
    KINDS.map((kind) => [
      kind,
      quantile(
        all.map((one) => one[kind]),
        0.5,
      ),
    ]),
  );
}

test.each(Object.keys(BACKLOGS))("another app's single work beside %s", { timeout: 3_600_000 }, async (name) => {
  const service = await startService({ PROVIDER_B_CALLS_PER_SECOND: '200', CONNECT_ATTEMPTS_PER_SUBJECT: '10000' });
  try {
    const [busy, quiet] = [await service.newUser(), await service.newUser()];
    const [account] = service.control.accounts('PROVIDER_B');
    const measure = () => measureSingles(quiet, account?.id ?? '');
    await measureSingle(quiet, account?.id ?? '');
    const before = await measure();
    await BACKLOGS[name]?.(service, busy);
    const outbox = async () => Number((await service.sql`select count(*) from outbox`)[0]?.count);
    const open = async () =>
      Number((await service.sql`select count(*) from disconnect_job where status in ('QUEUED', 'RUNNING')`)[0]?.count);
    void service.sweep('outbox').catch(() => undefined);
    const during = await measure();
    const left = await outbox();
    for (const kind of KINDS) {
      const [quietMs = 0, busyMs = 0] = [before.get(kind), during.get(kind)];
      console.log(
        `  ${name}: median of ${kind} ${quietMs.toFixed(0)} -> ${busyMs.toFixed(0)} ms (× ${(busyMs / quietMs).toFixed(1)})`,
      );
    }
    console.log(`  ${left} left in the outbox, ${await open()} disconnects of the tenant not settled`);
    // Otherwise the bulk was over too early.
    if (process.env.BENCH_SIZE !== 'quick') expect(left + (await open())).toBeGreaterThan(0);
    console.log(JSON.stringify(describeMachine()));
  } finally {
    await service.close();
  }
});
