import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, vi } from 'vitest';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { ROOT } from '../../local/src/services.ts';
import { SWEEPS } from '../../src/basics/sweeps.ts';
import { getSweepScheduleId, SCHEDULES, type ScheduleKind } from '../../src/workflows/contract.ts';
import { Person } from '../kit/person.ts';
import { hasPrometheus, OPS, type Prometheus, startPrometheus } from '../kit/prometheus.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import { stackTest } from '../kit/stack.ts';
import { openReceiver } from '../kit/webhook-receiver.ts';
import { type CollectedSpan, startCollector } from '../telemetry/collector.ts';
import { Canaries } from './canaries.ts';
import { meetErrors } from './platform-errors.ts';
import { addEndpoint } from './webhook-endpoint.ts';
import { collectSecrets, readWritings } from './writings.ts';

const [apiPort, workerPort, collectorPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
const collector = await startCollector(collectorPort);
afterAll(() => collector.close());
const JOURNAL = mkdtempSync(path.join(tmpdir(), 'journal-'));
afterAll(() => rmSync(JOURNAL, { recursive: true }));

const test = stackTest({
  adjustments: {
    API_METRICS_PORT: String(apiPort),
    WORKER_METRICS_PORT: String(workerPort),
    ERASURE_JOURNAL: JOURNAL,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  },
}).extend<{ $file: { met: Canaries } }>({
  // Every error of every platform, with the words in them.
  met: [
    async ({ service, people }, use) => {
      const canaries = new Canaries();
      const newPerson = () => {
        const person = new Person(service);
        people.push(person);
        return person;
      };
      await meetErrors(service, newPerson, canaries);
      await use(canaries);
    },
    { scope: 'file' },
  ],
});

/**
 * The names of a span and its ancestors, each with the process that created it, from the root of the trace.
 * Any process may deliver an outbox entry: one that looks for late entries can be faster than the one that wrote it.
 */
function wayTo(span: CollectedSpan): string[] {
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
  const deliverer = span.name === 'outbox delivery' ? 'any' : span.service;
  return [...(parent === undefined ? [] : wayTo(parent)), `${deliverer} ${span.kind} ${span.name}`];
}

const spanOf = (name: string, service = /./) =>
  vi.waitUntil(() => collector.spans.find((span) => span.name === name && service.test(span.service)), {
    interval: 50,
  });

describe('traces', () => {
  test('link a request through outbox and workflow with the platform call', async ({ person, service, expect }) => {
    const account = person.account('PROVIDER_B', /^250 posts/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    await person.synced(connectionId);
    await person.disconnect(connectionId);

    await spanOf('disconnect'); // A run's own span is the last of its trace.
    expect(wayTo(await spanOf('PROVIDER_B revoke'))).toEqual([
      'accounts-api SERVER POST /graphql',
      'accounts-api INTERNAL mutation disconnectConnection',
      'any PRODUCER outbox delivery',
      'accounts-worker CONSUMER disconnect',
      // A busy worker runs a late step from the queue.
      expect.stringMatching(/^accounts-worker CONSUMER tryRevoke(Inline)?$/),
      'accounts-worker CLIENT PROVIDER_B revoke',
    ]);
    await spanOf('scan');
    expect(wayTo(await spanOf('PROVIDER_B video list'))).toEqual([
      'accounts-api SERVER GET /api/connect/callback/:place',
      'any PRODUCER outbox delivery',
      'accounts-worker CONSUMER connectAttempt',
      'accounts-worker CONSUMER completeAttempt',
      'any PRODUCER outbox delivery',
      'accounts-worker CONSUMER scan',
      expect.stringMatching(/^accounts-worker CONSUMER runScanStep(Inline)?$/),
      'accounts-worker CLIENT PROVIDER_B video list',
    ]);

    const revoke = await spanOf('PROVIDER_B revoke');
    const { 'correlation.id': correlationId } = revoke.attributes;
    const trace = collector.spans.filter(({ traceId }) => traceId === revoke.traceId);
    expect(trace.map(({ attributes }) => attributes['correlation.id'])).toEqual(trace.map(() => correlationId));
    const [api] = service.apis;
    const line = api?.log.split('\n').find((text) => text.includes('"disconnectConnection"')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ correlationId, trace_id: revoke.traceId });
  });

  test('contain nothing secret or personal and have constant names', async ({ service, people, person, expect }) => {
    const session = await person.createSignIn();
    const [somebody] = service.sandbox.control.people();
    await person.agree(await person.launch(session), somebody?.sub ?? '', ['email', 'profile']);
    expect(await person.redeem(session)).toMatchObject({ status: 'COMPLETED' });
    await spanOf('Identity provider', /worker/);

    const secrets = collectSecrets(service, people);
    for (const what of ['code', 'nonce', 'access token', 'refresh token', 'launch token', 'subject', 'account'])
      expect(secrets.count(what), what).toBeGreaterThan(0);
    const sent = Buffer.concat(collector.bodies).toString();
    expect(sent).toContain('PROVIDER_B code exchange');
    expect(sent).toContain('Identity provider');
    expect(secrets.findIn([{ where: 'the spans', text: sent }])).toEqual([]);
    expect(collector.spans.filter(({ name }) => !/^[A-Za-z_]+( [A-Za-z/:_-]+)*$/.test(name))).toEqual([]);
  });
});

test('words of a platform’s errors come out nowhere: not in answers, logs, histories, traces or metrics', async ({
  service,
  met: canaries,
  expect,
}) => {
  const metrics = await Promise.all(
    [apiPort, workerPort].map(async (port) => (await fetch(`http://${LOOPBACK}:${port}/metrics`)).text()),
  );
  const writings = [
    ...(await readWritings(service)),
    { where: 'the spans', text: Buffer.concat(collector.bodies).toString() + JSON.stringify(collector.spans) },
    { where: 'the metrics', text: metrics.join() },
  ];
  expect(canaries.findIn(writings)).toEqual([]);
  expect(canaries.findIn([{ where: 'here', text: canaries.plant('a word') }])).toEqual(['a word in here']);
});

/** The metrics of a query, and the labels that it selects or groups by. */
function namesIn(expression: string): { metrics: string[]; labels: string[] } {
  const bare = expression.replaceAll(/"[^"]*"/g, '""');
  const labels = [...bare.matchAll(/\{([^}]*)\}|\bby \(([^)]*)\)/g)].flatMap(([, picked, grouped]) =>
    (picked ?? grouped ?? '').split(',').map((one) => one.replace(/[=!~"]+$/, '').trim()),
  );
  const metrics = bare.match(/\b(?:accounts|temporal)[a-z0-9_:]+|\bup\b/g) ?? [];
  return { metrics: [...new Set(metrics)], labels: [...new Set(labels)] };
}

const rulesFile = readFileSync(path.join(OPS, 'alerts.yml'), 'utf8');
/** The expressions of all rules. A block continues while its lines are indented further. */
const ruleExpressions = [...rulesFile.matchAll(/^( +)expr: (?:(?:\||>-)\n((?:\1 +.*\n)+)|(.*)\n)/gm)].map(
  ([, , block, line]) => block ?? line ?? '',
);
const dashboard = readFileSync(path.join(ROOT, 'ops', 'grafana', 'dashboard.json'), 'utf8');
const panelExpressions = [...dashboard.matchAll(/"expr": (".*")/g)].map(([, text = '""']) =>
  (JSON.parse(text) as string).replaceAll('$__rate_interval', '1m'),
);

describe.runIf(hasPrometheus)('metrics', () => {
  let prometheus: Prometheus;
  beforeAll(async () => {
    const run = await openRunFolder();
    prometheus = await startPrometheus(
      { 'accounts-api': `${LOOPBACK}:${apiPort}`, 'accounts-worker': `${LOOPBACK}:${workerPort}` },
      run,
    );
    return async () => {
      await prometheus.stop();
      run.remove();
    };
  });

  test('exist for every rule and every panel, with their names and labels', async ({
    service,
    newPerson,
    met: _,
    people,
    expect,
    onTestFinished,
  }) => {
    // Some begin with the first job, sign-in, failure or webhook.
    const receiver = await openReceiver();
    onTestFinished(receiver.close);
    await addEndpoint(service, receiver.url, ['connection.connected']);
    const person = newPerson();
    await person.connect('PROVIDER_C', person.account('PROVIDER_C', /^No posts/));
    await vi.waitUntil(() => receiver.received.length > 0, { interval: 50 });
    // The test cannot wait for their schedules.
    for (const kind of Object.keys(SCHEDULES) as ScheduleKind[]) {
      await service.temporalClient.schedule.getHandle(getSweepScheduleId('accounts', kind)).trigger();
    }
    // The library counts a kind of failure from its first one: a workflow that no build knows fails its tasks.
    const unknown = { taskQueue: 'accounts', workflowId: 'unknown' };
    const failing = await service.temporalClient.workflow.start('unknown', unknown);
    const failed = 'temporal_workflow_task_execution_failed_total{workflow_type="unknown"}';
    const sweeps = `count(accounts_sweep_last_success_timestamp_seconds) == ${Object.keys(SWEEPS).length}`;
    const rates = 'accounts:graphql_failures:share5m and on () rate(temporal_workflow_completed_total[1m])';
    const delivered = 'accounts_webhook_delay_seconds_bucket';
    for (const last of [sweeps, rates, failed, delivered]) {
      await vi.waitUntil(async () => (await prometheus.query(last)).length > 0, { interval: 200 });
    }
    await failing.terminate();

    for (const port of [apiPort, workerPort]) {
      const text = await (await fetch(`http://${LOOPBACK}:${port}/metrics`)).text();
      // Label values are few and our own; they contain no ids.
      expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
      expect(collectSecrets(service, people).findIn([{ where: 'the metrics', text }])).toEqual([]);
    }

    const rules = await prometheus.rules();
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(ruleExpressions).toHaveLength(rules.length);
    expect(panelExpressions.length).toBeGreaterThan(30);
    for (const expression of [...ruleExpressions, ...panelExpressions]) {
      await prometheus.query(expression);
      const { metrics, labels } = namesIn(expression);
      expect(metrics, expression).not.toEqual([]);
      const series = await Promise.all(metrics.map((name) => prometheus.series(name)));
      expect(
        metrics.filter((_, index) => series[index]?.length === 0),
        expression,
      ).toEqual([]);
      const known = new Set(series.flat().flatMap((one) => Object.keys(one)));
      expect(
        labels.filter((label) => !known.has(label)),
        expression,
      ).toEqual([]);
    }
  });
});
