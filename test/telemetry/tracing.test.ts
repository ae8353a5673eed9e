import { trace } from '@opentelemetry/api';
import { afterAll, expect, test, vi } from 'vitest';
import { findFreePort } from '../../local/src/ports.ts';
import { ServiceError } from '../../src/basics/errors.ts';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { startTracing } from '../../src/telemetry/start-tracing.ts';
import { runInNewTrace, runInSpan } from '../../src/telemetry/tracing.ts';
import { keepLog } from '../kit/keep-log.ts';
import { startCollector } from './collector.ts';

const { log, lines } = keepLog('info');
const collector = await startCollector(await findFreePort());
const on = {
  OTEL_SDK_DISABLED: false,
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: undefined,
} as const;

let end = async () => {};
afterAll(() => end());

/** The spans sent since `work` began. */
async function sent(work: () => Promise<unknown>) {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '10');
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '300');
  if (!trace.getTracer('any').startSpan('any').isRecording()) {
    end = await startTracing(on, 'test', log);
  }
  const before = collector.spans.length;
  await runInSpan('before', {}, async () => undefined);
  await work();
  await runInSpan('after', {}, async () => undefined);
  await vi.waitUntil(() => collector.spans.slice(before).some(({ name }) => name === 'after'));
  return collector.spans.slice(before).filter(({ name }) => name !== 'before' && name !== 'after');
}

test('a span records the type of a failure, never its message or stack', async () => {
  const failing = (error: unknown) => runInSpan('failing', {}, () => Promise.reject(error)).catch(() => undefined);
  const spans = await sent(async () => {
    await failing(new ProviderError('GrantDead', 'private words'));
    await failing(new ServiceError('NOT_FOUND', 'private words'));
    await failing(Object.assign(new TypeError('private words'), { code: 'private/words' }));
    await failing('private words');
  });
  expect(spans.map(({ failed, attributes }) => [failed, attributes['error.type']])).toEqual([
    [true, 'GrantDead'],
    [true, 'NOT_FOUND'],
    [true, 'TypeError'],
    [true, 'string'],
  ]);
  expect(Buffer.concat(collector.bodies).includes('private')).toBe(false);
});

test("a caller's own trace is linked to, never continued", async () => {
  const theirs = '0af7651916cd43dd8448eb211c80319c';
  const options = { correlationId: newId<CorrelationId>() };
  const spans = await sent(async () => {
    await runInNewTrace(
      'linked',
      { ...options, callersTraceparent: `00-${theirs}-b7ad6b7169203331-00` },
      async () => 0,
    );
    await runInNewTrace('alone', { ...options, callersTraceparent: 'nonsense' }, async () => 0);
  });
  expect(spans.map(({ name, links }) => [name, links])).toEqual([
    ['linked', [theirs]],
    ['alone', []],
  ]);
  expect(spans.map(({ traceId }) => traceId)).not.toContain(theirs);
});

test('an unreachable collector costs one log line only', async () => {
  await sent(async () => undefined);
  await collector.close();
  await runInSpan('lost', {}, async () => undefined);
  await vi.waitUntil(() => lines.some((line) => line.includes('Spans were not delivered')));
  expect(await runInSpan('step', {}, async () => 'done')).toBe('done');
});
