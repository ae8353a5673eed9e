import { afterAll, describe, vi } from 'vitest';
import { freePort } from '../../src/local/ports.ts';
import { type CollectedSpan, startCollector } from '../kit/collector.ts';
import { stackTest } from './stack.ts';
import { collectSecrets } from './writings.ts';

const collector = await startCollector(await freePort());
afterAll(() => collector.close());

const test = stackTest({
  adjustments: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' },
});

/** From the root of its trace down to a span: their names, with who made them. */
function wayTo(span: CollectedSpan): string[] {
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent === undefined ? [] : wayTo(parent)), `${span.service} ${span.kind} ${span.name}`];
}

const spanOf = (name: string) =>
  vi.waitUntil(() => collector.spans.find((span) => span.name === name), { timeout: 10_000, interval: 50 });

describe('traces', () => {
  test('lead from what was asked over outbox and workflow to the call of the platform', async ({
    newPerson,
    service,
    expect,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_B', /^250 posts/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    await person.synced(connectionId);
    await person.disconnect(connectionId);

    await spanOf('disconnect'); // A run's own span is the last of its trace.
    expect(wayTo(await spanOf('PROVIDER_B revoke'))).toEqual([
      'accounts-api SERVER POST /graphql',
      'accounts-api INTERNAL mutation disconnectConnection',
      'accounts-api PRODUCER outbox delivery',
      'accounts-worker CONSUMER disconnect',
      'accounts-worker CONSUMER revoke',
      'accounts-worker CLIENT PROVIDER_B revoke',
    ]);
    await spanOf('scan');
    // A callback that finds its workflow running goes on in a trace of its own; what follows from it, too.
    expect(wayTo(await spanOf('PROVIDER_B video list'))).toEqual([
      'accounts-api SERVER GET /api/connect/callback/:place',
      'accounts-api PRODUCER outbox delivery',
      'accounts-worker CONSUMER completeAttempt',
      'accounts-worker PRODUCER outbox delivery',
      'accounts-worker CONSUMER scan',
      'accounts-worker CONSUMER scanStep',
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

  test('say nothing that is secret or personal, and are named by constants', async ({ service, people, expect }) => {
    const secrets = collectSecrets(service, people);
    for (const what of ['code', 'state', 'access token', 'refresh token', 'launch token', 'subject', 'account']) {
      expect(secrets.count(what), what).toBeGreaterThan(0);
    }
    const sent = Buffer.concat(collector.bodies).toString();
    expect(sent).toContain('PROVIDER_B code exchange');
    expect(secrets.findIn([{ where: 'the spans', text: sent }])).toEqual([]);
    expect(collector.spans.filter(({ name }) => !/^[A-Za-z_]+( [A-Za-z/:_-]+)*$/.test(name))).toEqual([]);
  });
});
