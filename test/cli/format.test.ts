import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { formatJson, formatText, type Row } from '../../src/cli/format.ts';
import { readOptions } from '../../src/cli/read-options.ts';

const ROW = { jobId: 'j', tries: 3, delivered: false, capabilities: ['PROFILE', 'CONTENT_LIST'], revokedAt: null };

test('overview show says what fails at a platform, what failed before, and whether workers or Temporal did not answer', () => {
  const brief = COMMANDS['overview show']?.brief as (row: unknown) => Row;
  const failure = { code: 'PROVIDER_UNAVAILABLE' };
  const failing = [
    { kind: 'REVOKE', count: 3, lastAnswer: 'HTTP_503', lastAnswerCode: null, failure },
    { kind: 'REVOKE', count: 2, lastAnswer: 'HTTP_200', lastAnswerCode: 'invalid_client', failure },
    { kind: 'SCAN', count: 1, lastAnswer: null, lastAnswerCode: null, failure },
  ];
  const past = (tries: number, lastAnswer: string | null) => ({
    ...{ tries, lastAnswer, since: '2026-11-29T06:42:56.123Z', until: '2026-11-29T06:49:01.123Z' },
  });
  const pastFailures = [past(25, 'HTTP_503'), past(4, null)];
  const since = '2026-11-29T06:00:00.000Z';
  const over = { refusedFrom: null, refusedUntil: null, pastFailures: [] };
  const ended = (kind: string, succeeded: number, failed: number) => ({ kind, succeeded, failed });
  const work = [ended('CONNECT', 0, 0), ended('READ', 12, 1), ended('REVOKE', 5, 0)];
  const away = { level: 'NOT_KNOWN', reasons: ['Temporal does not answer: connects may wait.'], since };
  const quiet = { level: 'QUIET', reasons: [], since, work: [] };
  const providers = [
    { provider: 'PROVIDER_A', openJobs: 0, failing: [], ...over, pastFailures, health: quiet },
    { provider: 'PROVIDER_B', openJobs: 6, blockedErases: 0, failing, ...over, health: { ...away, work } },
    { provider: 'PROVIDER_C', openJobs: 0, failing: [], ...over, health: { ...away, work: [] } },
  ];
  const recoveredWebhookEndpoints = [
    { url: 'https://one.example/hooks?a=b', pastFailures: past(9, 'HTTP_500') },
    { url: 'https://two.example/…', pastFailures: past(3, 'TIMEOUT') },
  ];
  const webhookHealth = { level: 'FAILING', reasons: ['An endpoint fails.', 'Events wait.'] };
  const rows = { connections: [], jobs: [], providers, webhookHealth, recoveredWebhookEndpoints };
  const overview = { workers: 'NOT_KNOWN', workerProcesses: [], ...rows };
  const span = 'between 2026-11-29 06:42:56 and 2026-11-29 06:49:01';
  expect(brief(overview)).toMatchObject({
    workers: 'NOT_KNOWN: Temporal did not answer within a second',
    providers: [
      `PROVIDER_A 25 tries failed ${span} (HTTP_503), 4 tries failed ${span}`,
      'PROVIDER_B NOT_KNOWN: Temporal does not answer: connects may wait. openJobs 6, ended since 2026-11-29 06:00:00: READ 12 OK 1 failed; REVOKE 5 OK, ' +
        'REVOKE failing 3 (HTTP_503), REVOKE failing 2 (HTTP_200 invalid_client), SCAN failing 1 (PROVIDER_UNAVAILABLE)',
      'PROVIDER_C NOT_KNOWN: Temporal does not answer: connects may wait.',
    ],
    webhooks: [
      'FAILING: An endpoint fails. Events wait.',
      `one.example 9 tries failed ${span} (HTTP_500)`,
      `two.example 3 tries failed ${span} (TIMEOUT)`,
    ],
  });
});

test('overview show has no line for webhooks that nothing happened to', () => {
  const brief = COMMANDS['overview show']?.brief as (row: unknown) => Row;
  const nothing = { connections: [], jobs: [], providers: [], workerProcesses: [], recoveredWebhookEndpoints: [] };
  const show = (level: string) =>
    brief({ ...nothing, workers: 'ANSWERING', webhookHealth: { level, reasons: [] } }).webhooks;
  expect([show('HEALTHY'), show('QUIET')]).toEqual([[], []]);
});

test('webhook troubled says since when an endpoint is disabled, and after which answer', () => {
  const brief = COMMANDS['webhook troubled']?.brief as (row: unknown) => Row;
  const row = { id: 'i', appName: 'Bakery', url: 'https://one.example/hooks', enabled: false, failures: 1 };
  const since = { disabledAt: new Date(Date.now() - 600_000).toISOString(), failingSince: null };
  expect(brief({ ...row, ...since, disabledReason: 'GONE', lastAnswer: 'HTTP_410' })).toMatchObject({
    ...{ state: 'off: GONE', for: '10 min', answer: 'HTTP_410' },
  });
  expect(brief({ ...row, ...since, disabledReason: 'OPERATOR', lastAnswer: null })).toMatchObject({
    ...{ state: 'off: OPERATOR', for: '10 min', answer: '-' },
  });
});

test('a list of jobs tells a try that is due or overdue from one that is ahead', () => {
  const job = {
    ...{ id: 'i', kind: 'SCAN', provider: 'PROVIDER_A', appName: 'Bakery', status: 'RUNNING', tries: 3, stuck: false },
    ...{ createdAt: '2026-11-29T06:42:56Z', finishedAt: null, stuckSince: null, creatorAction: null },
    ...{ lastAnswer: null, lastFailure: null, failure: null },
  };
  const at = (seconds: number | null) => seconds && new Date(Date.now() + seconds * 1_000).toISOString();
  for (const list of ['jobs list', 'jobs stuck']) {
    const brief = COMMANDS[list]?.brief as (row: unknown) => Row;
    const next = [125, -5, -90, null].map((seconds) => brief({ ...job, nextRetryAt: at(seconds) }).next);
    expect(next).toEqual(['2 min', 'now', 'overdue', '-']);
  }
});

test('a table cuts a name only if its line would be longer than 120 columns', () => {
  const brief = COMMANDS['registration list']?.brief as (row: unknown) => Row;
  const label = 'Sandbox YouTube (bakery)';
  const row = { id: 'i'.repeat(36), provider: 'PROVIDER_A', label, connectionCount: 1, pausedAt: null, accepted: true };
  const print = (rejectedAt: string | null) => formatText([brief({ ...row, rejectedAt })], { isList: true });
  expect(print(null)).toContain(`  ${label}  `);
  const [, line] = print('2026-11-29T06:42:56.123Z').split('\n');
  expect(line).toHaveLength(120);
  expect(line).toContain('  Sandbox YouTube (b…  ');
});

test('the audit log shows what changed, and the request that `find` takes', () => {
  const brief = COMMANDS['audit list']?.brief as (row: unknown) => Row;
  const entry = {
    ...{ happenedAt: '2026-11-29T06:42:56Z', actor: 'token:1', actorLabel: 'Local stack', action: 'setQuotaPercent' },
    ...{ target: 'r', things: [{ id: 'r', name: 'Live TikTok' }], outcome: 'DONE' },
    ...{
      correlationId: '1f0c5a2e-0000-4000-8000-000000000000',
      changes: [{ setting: 'percent', from: null, to: '5' }],
    },
  };
  const [, line] = formatText([brief(entry)], { isList: true }).split('\n');
  expect(line).toMatch(
    /^2026-11-29 06:42:56 +Local stack +setQuotaPercent +Live TikTok +percent: - → 5 +DONE +1f0c5a2e$/,
  );
  const none = { changes: [], correlationId: null };
  expect(brief({ ...entry, ...none })).toMatchObject({ changes: '-', request: '-' });
});

test('find shows of a connection whose account it is, and of other things how to name them to a command', () => {
  const brief = COMMANDS.find?.brief as (row: unknown) => Row;
  const id = '1f0c5a2e-0000-4000-8000-000000000000';
  const account = { accountName: 'Night Desk', accountHandle: 'nightdesk', providerAccountId: '000QHeDW' };
  const scope = { tenantKey: 'north', externalSubjectId: '000QHeDWklzHs9DEMO0' };
  const connection = { ...account, ...scope, appName: 'Bakery', provider: 'PROVIDER_B', status: 'RECONNECT_REQUIRED' };
  const rest = { id, appId: id, tenantKey: null, label: 'PROVIDER_B, has this handle' };
  const lines = formatText([
    brief({ ...rest, kind: 'CONNECTION', connection }),
    brief({ ...rest, kind: 'WEBHOOK_DELIVERY', connection: null }),
  ]).split('\n');
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^CONNECTION +1f0c\S+0 {2}PROVIDER_B, Night .* Bakery +000QHeDW…EMO0 +north +RECONNEC…$/),
    expect.stringMatching(/^WEBHOOK_\S+ +1f0c\S+0 {2}PROVIDER_B, has this.* 1f0c5a2e.* - +- +-$/),
    '',
  ]);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);
  const person = brief({ ...rest, kind: 'PERSON', tenantKey: 'north', connection: null });
  expect(person).toMatchObject({ app: id, tenant: 'north' });
});

test('proof verify prints what is kept, and what remains to be done by the person', () => {
  const brief = COMMANDS['proof verify']?.brief as (row: unknown) => Row;
  const kept = [
    { what: 'receipts', until: '2026-11-29T06:42:56.000Z' },
    { what: 'tenant key', until: null },
  ];
  const revoke = { status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER' };
  expect(brief({ isValid: true, statement: '', remains: '', deleted: ['grant', 'profile'], kept, revoke })).toEqual({
    ...{ isValid: true, deleted: 'grant, profile', kept: ['receipts, until 2026-11-29 06:42:56;', 'tenant key'] },
    ...{ 'revoke.status': 'SUCCEEDED', 'revoke.creatorAction': 'REMOVE_APP_AT_PROVIDER' },
  });
});

describe('the output of a command', () => {
  test('is typed JSON for programs: one object, or a list', () => {
    for (const answer of [ROW, [ROW], []]) expect(JSON.parse(formatJson(answer))).toEqual(answer);
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
});

test('a value without its option is refused with the form of one, and with the way of a secret where there is one', () => {
  const refusalOf = (usage: string) => {
    try {
      readOptions({ usage, options: { text: { type: 'string' } } }, ['Bakery']);
      return 'It was not refused.';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refusalOf('find --text TEXT')).toBe(
    'A value belongs to no option. Write it after its option, as in --text TEXT. Usage: find --text TEXT',
  );
  expect(refusalOf('issuer list')).toBe('A value belongs to no option. Usage: issuer list');
  expect(refusalOf('x  (secret on standard input)')).toContain(' Give a secret on standard input. ');
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

test('a list of keys says when one was used as exactly as the service knows', () => {
  const brief = COMMANDS['key list']?.brief as (row: unknown) => Record<string, unknown>;
  const key = { id: 'k', label: null, createdAt: '2026-11-29T06:42:56.000Z', expiresAt: null, revokedAt: null };
  const usedAgo = (minutes: number | null) =>
    brief({
      ...{ ...key, active: true },
      lastUsedAt: minutes === null ? null : new Date(Date.now() - minutes * 60_000).toISOString(),
    });
  expect(usedAgo(null)).toMatchObject({ label: '-', created: '2026-11-29 06:42', state: 'active', lastUsed: 'never' });
  expect([1, 3, 61].map((minutes) => usedAgo(minutes).lastUsed)).toEqual(['in the last 2 min', '3 min ago', '1 h ago']);
});
