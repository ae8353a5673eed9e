import type { ObservableGauge } from '@opentelemetry/api';
import type { Client } from '@temporalio/client';
import { CONNECTION_STATUSES, isRevokeKind, JOB_KINDS, OPEN_JOB, PROVIDER_NAMES } from '../basics/codes.ts';
import type { Database } from '../store/driver/sql.ts';
import { getGauges } from '../store/gauges.ts';
import { listReports } from '../store/installation.ts';
import type { GaugeRegistry, Observations } from '../telemetry/gauge-registry.ts';
import { countFailingWorkflows } from '../temporal/failing-workflows.ts';
import { CONNECT_QUEUES, GRANT_QUEUES, ISSUER_QUEUE, WEBHOOK_QUEUE } from '../workflows/contract.ts';

/** Reads the state at most this often, for any number of scrapers. */
const FRESH_MS = 10_000;
const TEMPORAL_DEADLINE_MS = 3_000;

/** Caches the result of `read`; concurrent callers share one read. A failure is not cached. */
function cacheFor<T>(freshMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly atMs: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last !== undefined && performance.now() - last.atMs < freshMs) return last.value;
    const value = read();
    const begun = { atMs: performance.now(), value };
    last = begun;
    value.catch(() => {
      if (last === begun) last = undefined;
    });
    return value;
  };
}

/**
 * Observes the state of the whole service in Postgres. Every worker reports the same values: take the maximum, never the sum.
 * @param options.keepsJournal whether this service keeps an erasure journal.
 */
export function observeState(
  { gauge, observe }: GaugeRegistry,
  sql: Database,
  options: { keepsJournal: boolean },
): void {
  const connections = gauge('accounts_connections', 'Connections by provider and status');
  const jobs = gauge('accounts_jobs_open', 'Open jobs by kind and status');
  const stuck = gauge('accounts_jobs_stuck', 'Stuck jobs by kind: an operator should look at them');
  const stuckRevokes = gauge('accounts_stuck_revokes', 'Stuck revokes that still retry, by provider');
  const oldestRevoke = gauge(
    'accounts_oldest_stuck_revoke_age_seconds',
    'Age of the oldest stuck revoke that still retries, by provider; 0 when there is none',
  );
  const outbox = gauge('accounts_outbox_entries', 'Accepted workflows that are not started or signaled yet');
  const outboxRefused = gauge('accounts_outbox_refused_entries', 'Workflows that Temporal refuses to start or signal');
  const outboxAge = gauge(
    'accounts_outbox_oldest_age_seconds',
    'Age of the oldest accepted workflow that is neither started nor refused, by lane; 0 when there is none',
  );
  const journalAge = gauge(
    'accounts_journal_oldest_age_seconds',
    'Age of the oldest fact that is not in the erasure journal yet; 0 when there is none',
  );
  const webhookEndpoints = gauge('accounts_webhook_endpoints', "Apps' webhook endpoints by state");
  const webhookFailingApps = gauge('accounts_webhook_failing_apps', 'Apps with a webhook endpoint that fails');
  const webhookFailing = gauge(
    'accounts_webhook_oldest_failing_age_seconds',
    'For how long the webhook endpoint has failed that has failed longest; 0 when none fails',
  );
  const webhookAge = gauge(
    'accounts_webhook_oldest_due_age_seconds',
    'How long the oldest due webhook of a working endpoint has waited; 0 when there is none',
  );
  const refreshAge = gauge(
    'accounts_refresh_oldest_due_age_seconds',
    'How late the automatic refresh is that has been due longest, by provider; 0 when none is due',
  );
  const upkeepAge = gauge(
    'accounts_upkeep_oldest_due_age_seconds',
    'How late the upkeep of a connection is that has been due longest, by provider; 0 when none is due',
  );
  const upkeepFailing = gauge(
    'accounts_upkeep_oldest_failing_age_seconds',
    'For how long the upkeep of a connection has failed that has failed longest, by provider; 0 when none fails',
  );
  const registrations = gauge('accounts_registrations', 'OAuth clients by state; a client in two states counts twice');
  const oldestTransaction = gauge(
    'accounts_database_oldest_transaction_age_seconds',
    'Age of the oldest transaction that a client has open in the database; 0 when there is none',
  );
  const sessions = gauge('accounts_database_sessions', 'Database connections by process and state');
  const workerReport = gauge(
    'accounts_worker_report_age_seconds',
    'How long ago a worker last reported that it runs, by worker; a worker that has stopped on request reports no more',
  );
  const gauges = [
    connections,
    jobs,
    stuck,
    stuckRevokes,
    oldestRevoke,
    outbox,
    outboxRefused,
    outboxAge,
    webhookEndpoints,
    webhookFailingApps,
    webhookFailing,
    webhookAge,
    refreshAge,
    upkeepAge,
    upkeepFailing,
    journalAge,
    registrations,
    sessions,
    oldestTransaction,
    workerReport,
  ];

  const read = cacheFor(FRESH_MS, () => Promise.all([getGauges(sql), listReports(sql)]));
  observe('postgres', gauges, async () => {
    const [state, reports] = await read();
    const revokes = PROVIDER_NAMES.map((provider) => ({
      provider,
      stuck: state.stuck.filter((one) => isRevokeKind(one.kind) && one.provider === provider),
    }));
    return [
      ...observeZeros(connections, CONNECTION_LABELS),
      ...state.connections.map(({ count, ...labels }) => [connections, count, labels] as const),
      ...observeZeros(jobs, JOB_LABELS),
      ...state.jobs.map(({ count, ...labels }) => [jobs, count, labels] as const),
      ...JOB_KINDS.map((kind) => {
        const ofKind = state.stuck.filter((one) => one.kind === kind);
        return [stuck, ofKind.reduce((sum, { count }) => sum + count, 0), { kind }] as const;
      }),
      ...revokes.flatMap(({ provider, stuck: ofProvider }) => [
        [stuckRevokes, ofProvider.reduce((sum, { open }) => sum + open, 0), { provider }] as const,
        [oldestRevoke, Math.max(0, ...ofProvider.map(({ oldestSeconds }) => oldestSeconds)), { provider }] as const,
      ]),
      [outbox, state.outbox.count],
      [outboxRefused, state.outbox.refused],
      ...Object.entries(state.outbox.oldestSeconds).map(([lane, age]) => [outboxAge, age, { lane }] as const),
      [webhookEndpoints, state.webhooks.working, { state: 'working' }],
      [webhookEndpoints, state.webhooks.failing, { state: 'failing' }],
      [webhookEndpoints, state.webhooks.operator, { state: 'disabled_OPERATOR' }],
      [webhookEndpoints, state.webhooks.gone, { state: 'disabled_GONE' }],
      [webhookEndpoints, state.webhooks.disabled, { state: 'disabled_FAILING' }],
      [webhookFailingApps, state.webhooks.failingApps],
      [webhookFailing, state.webhooks.failingSeconds],
      [webhookAge, state.webhooks.oldestSeconds],
      ...observeZeros(
        refreshAge,
        PROVIDER_NAMES.map((provider) => ({ provider })),
      ),
      ...state.refreshes.map(({ provider, oldestSeconds }) => [refreshAge, oldestSeconds, { provider }] as const),
      ...state.upkeep.map(({ provider, lateSeconds }) => [upkeepAge, lateSeconds, { provider }] as const),
      ...state.upkeep.map(({ provider, failingSeconds }) => [upkeepFailing, failingSeconds, { provider }] as const),
      ...(options.keepsJournal ? [[journalAge, state.unwrittenSeconds] as const] : []),
      ...observeZeros(registrations, REGISTRATION_LABELS),
      ...state.registrations.flatMap(({ provider, ...states }) =>
        Object.entries(states).map(([state, count]) => [registrations, count, { provider, state }] as const),
      ),
      [oldestTransaction, state.oldestTransactionSeconds],
      ...state.sessions.map(({ count, ...labels }) => [sessions, count, labels] as const),
      ...reports.map(({ name, ageSeconds }) => [workerReport, ageSeconds, { worker: name }] as const),
    ];
  });
}

const REGISTRATION_STATES = ['usable', 'paused', 'rejected', 'spent', 'doubted', 'idle'];
const CONNECTION_LABELS = PROVIDER_NAMES.flatMap((provider) =>
  CONNECTION_STATUSES.map((status) => ({ provider, status })),
);
const JOB_LABELS = JOB_KINDS.flatMap((kind) => OPEN_JOB.map((status) => ({ kind, status })));
const REGISTRATION_LABELS = PROVIDER_NAMES.flatMap((provider) =>
  REGISTRATION_STATES.map((state) => ({ provider, state })),
);

/** Reports 0 for labels without rows. A count observed later replaces it. */
const observeZeros = (gauge: ObservableGauge, labels: readonly Record<string, string>[]): Observations =>
  labels.map((each) => [gauge, 0, each] as const);

/**
 * Observes how many tasks wait for a worker, and for how long, by task queue, and how many workflows fail their own tasks. Temporal
 * reports approximate values.
 */
export function observeTemporal({ gauge, observe }: GaugeRegistry, client: Client, taskQueue: string): void {
  const count = gauge('accounts_task_queue_backlog', 'Approximate number of tasks that wait for a worker');
  const age = gauge(
    'accounts_task_queue_backlog_age_seconds',
    'Approximate age of the oldest waiting task; 0 when there is none',
  );
  const failing = gauge(
    'accounts_workflows_failing',
    'Workflows whose own code fails, or does not replay: they wait for another build',
  );
  const queues = [
    { queue: taskQueue, type: 'workflow' },
    { queue: taskQueue, type: 'activity' },
    ...[
      ...PROVIDER_NAMES,
      ...Object.values(CONNECT_QUEUES),
      ...Object.values(GRANT_QUEUES),
      ISSUER_QUEUE,
      WEBHOOK_QUEUE,
    ].map((side) => ({ queue: `${taskQueue}-${side}`, type: 'activity' })),
  ];
  const describe = async (queue: string, type: string) => {
    const { stats } = await client.withDeadline(Date.now() + TEMPORAL_DEADLINE_MS, () =>
      client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: queue },
        taskQueueType: type === 'workflow' ? 1 : 2,
        reportStats: true,
      }),
    );
    const { seconds = 0, nanos = 0 } = stats?.approximateBacklogAge ?? {};
    const seen = { count: Number(stats?.approximateBacklogCount ?? 0), age: Number(seconds) + Number(nanos) / 1e9 };
    return { ...seen, labels: { queue, type } };
  };
  const countFailing = () =>
    client.withDeadline(Date.now() + TEMPORAL_DEADLINE_MS, () => countFailingWorkflows(client, taskQueue));
  const read = cacheFor(FRESH_MS, async () => {
    const described = queues.map(({ queue, type }) => describe(queue, type));
    const counted = countFailing();
    await Promise.allSettled([...described, counted]); // All of them: no call may still run when the connection closes.
    return [await Promise.all(described), await counted] as const;
  });
  observe('temporal', [count, age, failing], async () => {
    const [backlogs, failed] = await read();
    return [
      ...backlogs.flatMap(({ labels, ...seen }) => [
        [count, seen.count, labels] as const,
        [age, seen.age, labels] as const,
      ]),
      ...(failed === undefined ? [] : [[failing, failed] as const]),
    ];
  });
}
