import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { formatJson, formatText, type Row } from '../../src/cli/format.ts';
import { readOptions } from '../../src/cli/read-options.ts';

const ROW = { jobId: 'j', tries: 3, delivered: false, capabilities: ['PROFILE', 'CONTENT_LIST'], revokedAt: null };

/** The longest value of each field. */
const WIDEST = {
  ...{ id: '00000000-0000-4000-8000-000000000000', kind: 'COMPENSATION', status: 'SUCCEEDED', provider: 'PROVIDER_C' },
  ...{
    appName: 'W'.repeat(100),
    ...{ tries: 12_345, count: 12_345, failedCount: 12_345, since: new Date(Date.now() - 59.9 * 60_000).toISOString() },
    lastAnswer: null,
    failure: null,
    createdAt: '2026-11-29T06:42:56.123Z',
    finishedAt: '2026-11-29T06:42:56.123Z',
    stuck: false,
    ...{ resultCode: 'ACCOUNT_CONNECTED_ELSEWHERE', lastRefusal: 'callbackExpired', waitsForEndpoint: true },
  },
  lastFailure: { code: 'CONNECTION_DISCONNECTED', message: 'W' },
  ...{ url: `https://${'W'.repeat(100)}/x`, enabled: false, disabledReason: 'OPERATOR', failures: 12_345 },
  ...{ failingSince: new Date(Date.now() - 59.9 * 60_000).toISOString(), lastHttpStatus: 500 },
  ...{ eventType: 'W'.repeat(100), occurredAt: '2026-11-29T06:42:56.123Z' },
  ...{ stuckSince: new Date(Date.now() - 59.9 * 60_000).toISOString(), nextRetryAt: '2026-11-29T06:42:56.123Z' },
  ...{ label: 'W'.repeat(100), connectionCount: 1_234_567, accepted: false, pausedAt: null },
  rejectedAt: '2026-11-29T06:42:56.123Z',
  ...{ happenedAt: '2026-11-29T06:42:56.123Z', actor: 'token', actorLabel: 'W'.repeat(100), target: null },
  ...{
    action: 'rotateIdentityIssuerSecret',
    things: [{ id: 'W', name: 'W'.repeat(100) }],
    outcome: 'FRESH_SIGN_IN_REQUIRED',
  },
};

const FITTED = [
  'jobs stuck',
  'jobs list',
  'attempts list',
  'registration list',
  'jobs groups',
  'audit list',
  'webhook list',
  'webhook troubled',
  'webhook deliveries',
];

test.each(FITTED)('%s fits into a terminal of 120 columns', (name) => {
  const brief = COMMANDS[name]?.brief as ((row: unknown) => Row) | undefined;
  if (brief === undefined) throw new Error(`${name} has no columns for people.`);
  const lines = formatText([brief(WIDEST), brief(WIDEST)]).split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);
  expect(lines[1]).toMatch(/W…/);
});

test('webhook troubled shows the last answer of each endpoint, and why it receives nothing', () => {
  const brief = COMMANDS['webhook troubled']?.brief as (row: unknown) => Row;
  const failing = { ...WIDEST, enabled: true, disabledReason: null, lastAnswer: 'HTTP_500', failures: 9 };
  expect(brief({ ...failing, appName: 'Demo', url: 'https://caller.example/hooks?x=1' })).toEqual({
    id: WIDEST.id,
    app: 'Demo',
    host: 'caller.example',
    state: 'failing',
    for: '59 min',
    tries: 9,
    answer: 'HTTP_500',
  });
  const gone = { ...failing, enabled: false, disabledReason: 'GONE', failingSince: null, lastAnswer: null };
  expect(brief(gone)).toMatchObject({ state: 'off: GONE', for: '-', answer: '-' });
});

test('jobs list shows a job after failed tries apart from a fresh one', () => {
  const brief = COMMANDS['jobs list']?.brief as (row: unknown) => Row;
  const open = { ...WIDEST, status: 'RUNNING', finishedAt: null, nextRetryAt: null, tries: 0 };
  const nextRetryAt = new Date(Date.now() + 4.5 * 60_000).toISOString();
  const stateOf = (row: object) => {
    const { state, tries, next, answer } = brief({ ...open, ...row });
    return [state, tries, next, answer];
  };
  expect(stateOf({ lastFailure: null })).toEqual(['RUNNING', 0, '-', '-']);
  expect(stateOf({ tries: 5, nextRetryAt, lastAnswer: 'HTTP_503' })).toEqual(['RETRYING', 5, '4 min', 'HTTP_503']);
  expect(stateOf({ tries: 5, nextRetryAt, lastAnswer: 'HTTP_503', stuck: true })[0]).toBe('STUCK');
  const ended = { status: 'SUCCEEDED', tries: 5, lastFailure: null, finishedAt: open.createdAt };
  expect(stateOf(ended)).toEqual(['SUCCEEDED', 5, '-', '-']);
});

test('attempts list shows which page refused a browser', () => {
  const brief = COMMANDS['attempts list']?.brief as (row: unknown) => Row;
  expect(brief({ ...WIDEST, lastRefusal: 'wrongBrowser' })).toMatchObject({ refused: 'wrong browser' });
  expect(brief({ ...WIDEST, lastRefusal: null })).toMatchObject({ refused: '-' });
});

test('overview show has a line of at most 120 columns for each provider, status and kind', () => {
  const brief = COMMANDS['overview show']?.brief as (answer: object) => Row;
  const count = 1_234_567;
  const providers = ['PROVIDER_A', 'PROVIDER_B'];
  const numbers = { openJobs: count, succeededLastHour: count, failedLastHour: count, spentRegistrations: 0 };
  const text = formatText(
    brief({
      at: '2026-11-29T06:42:56.123Z',
      connections: providers.flatMap((provider) => [
        { provider, status: 'CONNECTED', count },
        { provider, status: 'RECONNECT_REQUIRED', count },
      ]),
      jobs: ['REVOKE', 'COMPENSATION'].map((kind) => ({ kind, status: 'RUNNING', count })),
      providers: providers.map((provider) => ({ provider, ...numbers })),
      workerProcesses: ['a:8081', 'b:8081'].map((name) => ({
        name,
        seenAt: '2026-11-29T06:42:56.123Z',
        silent: name > 'b',
      })),
    }),
  );
  const lines = text.split('\n').map((line) => line.trimEnd());
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);
  expect(lines).toContain('workerProcesses  a:8081 reports b:8081 SILENT since 2026-11-29 06:42:56');
  expect(lines).toContain(`connections      PROVIDER_A CONNECTED ${count}`);
  expect(lines).toContain(`                 PROVIDER_B RECONNECT_REQUIRED ${count}`);
  expect(lines).toContain(
    `providers        PROVIDER_A openJobs ${count}, succeededLastHour ${count}, failedLastHour ${count}`,
  );
});

describe('the output of a command', () => {
  test('has a line for each element of a list that is too long for one', () => {
    const url = `https://platform.example/${'x'.repeat(60)}`;
    expect(formatText({ id: 'a', urls: [url, `${url}2`], apps: ['One', 'Two'] })).toBe(
      [`id              a`, `urls            ${url}`, `                ${url}2`, `apps            One Two`, ''].join(
        '\n',
      ),
    );
  });

  test('is typed JSON for programs: one object, or a list', () => {
    expect(JSON.parse(formatJson(ROW))).toEqual(ROW);
    expect(JSON.parse(formatJson([ROW]))).toEqual([ROW]);
    expect(JSON.parse(formatJson([]))).toEqual([]);
    expect(formatJson(ROW).endsWith('}\n')).toBe(true);
  });

  test('has a line for each value for people, with words for null', () => {
    expect(formatText({ ...ROW, none: [], yes: true })).toBe(
      [
        'jobId           j',
        'tries           3',
        'delivered       no',
        'capabilities    PROFILE CONTENT_LIST',
        'revokedAt       -',
        'none            none',
        'yes             yes',
        '',
      ].join('\n'),
    );
  });

  test('strips terminal control sequences from names', () => {
    const esc = String.fromCodePoint(27);
    const told = formatText({ name: `a${esc}[2Jb\n\u{202E}c`, list: [`${esc}]0;x`] });
    expect(told).toBe(`name            a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}c\nlist            \u{FFFD}]0;x\n`);
    for (const character of [esc, '\u{9B}', '\u{202E}', '\u{2028}', '\u{E0001}', '\u{7F}']) {
      const json = formatJson([{ name: character }]);
      expect(json).toMatch(/^[\x20-\x7e]+\n$/);
      expect(JSON.parse(json)).toEqual([{ name: character }]);
    }
  });

  test('is a table for several rows, and reports an empty list', () => {
    expect(
      formatText([
        { id: 'a', tries: 10, at: null },
        { id: 'bbb', tries: 2, at: 'x' },
      ]),
    ).toBe('id   tries  at\na    10     -\nbbb  2      x\n');
    expect(formatText([])).toBe('None.\n');
  });
});

test('a secret on the command line is refused and not repeated', () => {
  const head = { usage: 'registration create', summary: '', options: { label: { type: 'string' } } } as const;
  for (const args of [
    ['sekret-1f'],
    ['--label', 'x', 'sekret-1f'],
    ['--secret=sekret-1f'],
    ['--secret', 'sekret-1f'],
  ]) {
    let message = '';
    try {
      readOptions(head, args);
    } catch (error) {
      message = String(error);
    }
    expect(message, args.join(' ')).toContain('Usage: registration create');
    expect(message).not.toContain('sekret-1f');
  }
});
