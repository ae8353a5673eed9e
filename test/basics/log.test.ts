import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ServiceError } from '../../src/basics/errors.ts';
import { batchLines, createLog, type LogFields } from '../../src/basics/log.ts';
import { Secret } from '../../src/basics/secret.ts';
import { keepLog } from '../kit/keep-log.ts';

test('a line is JSON with time, level, message and the bound fields', () => {
  const { log, lines } = keepLog('info');
  log.with({ component: 'api' }).info('Listening', { port: 80 });
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    level: 'info',
    message: 'Listening',
    component: 'api',
    port: 80,
  });
});

test('a field that is not on the list is dropped in every form', () => {
  const { log, lines } = keepLog('info');
  const stray = {
    authorization: 'Bearer x',
    token: 'x',
    code: '4/0AX4XfWh',
    state: 'x',
    url: 'https://x',
    body: { query: 'x' },
    ['__proto__']: 'x',
  } as LogFields;
  log.with(stray).info('Request', { ...stray, status: 200 });
  expect(Object.keys(JSON.parse(lines[0] ?? '')).sort()).toEqual(['level', 'message', 'status', 'time']);
});

test('a secret prints as one', () => {
  const { log, lines } = keepLog('info');
  log.info('Oops', { appId: new Secret('hush') as unknown as string });
  expect(lines[0]).toContain('[secret]');
  expect(lines[0]).not.toContain('hush');
});

test('of an error come name, code, frames and cause, and the message only of our own', () => {
  const { log, lines } = keepLog('info');
  const database = Object.assign(new Error('duplicate key (tenant)=(acme)\n    at a line of acme'), {
    name: 'PostgresError',
    code: '23505',
    detail: 'Key (tenant)=(acme)',
    parameters: ['acme'],
  });
  log.error('Failed', { error: new ServiceError('NOT_FOUND', 'No such connection.') });
  log.error('Failed', { error: new Error('acme', { cause: database }) });
  log.error('Failed', { error: 'acme' });
  log.error('Failed', { error: Object.assign(new Error('4 DEADLINE_EXCEEDED: of acme'), { code: 4 }) });
  const [own, foreign, thrown, grpc] = lines.map((line) => JSON.parse(line).error);
  expect(own).toMatchObject({ name: 'ServiceError', message: 'No such connection.', code: 'NOT_FOUND' });
  expect(own.stack[0]).toMatch(/^at .*log\.test\.ts:\d+:\d+/);
  expect(foreign).toMatchObject({ name: 'Error', cause: { name: 'PostgresError', code: '23505' } });
  expect(thrown).toEqual({ name: 'string' });
  expect(grpc.code).toBe('DEADLINE_EXCEEDED');
  expect(lines.join('')).not.toContain('acme');
});

test('of a failed activity comes the type, and never the words', () => {
  const { log, lines } = keepLog('info');
  log.warn('Activity failed', { error: ApplicationFailure.create({ type: 'RetryLater', message: 'acme' }) });
  log.warn('Activity failed', { error: ApplicationFailure.create({ type: 'acme of tenant 7' }) });
  const [ours, foreign] = lines.map((line) => JSON.parse(line).error);
  expect(ours).toMatchObject({ name: 'ApplicationFailure', type: 'RetryLater' });
  expect(foreign).not.toHaveProperty('type');
  expect(lines.join('')).not.toContain('acme');
});

describe('lines for standard output', () => {
  const open = () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const writes: string[][] = [];
    const write = (lines: string) => void writes.push(lines.trim().split('\n'));
    return { log: createLog('info', batchLines(write)), writes };
  };

  test('are written together after 50 ms', () => {
    const { log, writes } = open();
    log.info('One');
    vi.advanceTimersByTime(49);
    log.info('Two');
    expect(writes).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(writes).toEqual([[expect.stringContaining('One'), expect.stringContaining('Two')]]);
    log.info('Three');
    vi.advanceTimersByTime(50);
    expect(writes).toHaveLength(2);
  });

  test.each(['warn', 'error'] as const)('are written at once with one of the level %s, in order', (level) => {
    const { log, writes } = open();
    log.info('Before');
    log[level]('Now');
    expect(writes).toEqual([[expect.stringContaining('Before'), expect.stringContaining('Now')]]);
    log.info('After');
    expect(writes).toHaveLength(1);
  });
});
