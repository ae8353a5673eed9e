import { expect, test } from 'vitest';
import { toCsv } from '../../console/src/texts/audit.ts';
import { listUrlFaults, readFieldProblem, toBrowserUrl } from '../../console/src/texts/field-problems.ts';
import { nameReport, renderReport } from '../../console/src/texts/person-report.ts';
import {
  ATTEMPT_STATUSES,
  AVAILABILITIES,
  CONNECTION_STATUSES,
  CONTENT_KINDS,
  DELIVERY_STATUSES,
  DISCONNECT_JOB_KINDS,
  DISCONNECT_REASONS,
  GRANT_STATUSES,
  JOB_STATUSES,
  PROVIDER_NAMES,
  READ_JOB_KINDS,
  SYNC_STATUSES,
  WEBHOOK_EVENT_TYPES,
} from '../../src/basics/codes.ts';
import { JOB_ERROR_CODES, RESULT_CODES } from '../../src/basics/failure-codes.ts';

const AT = new Date('2026-11-26T04:05:06.000Z');
const PERSON = { appName: 'Demo <Studio>', tenantKey: 'main', externalSubjectId: 'casey@example.com' };

test('a file of a person has nothing in its name that a file system refuses', () => {
  expect(nameReport('../../etc/passwd', AT, 'ndjson')).toBe('data-of-..-..-etc-passwd-2026-11-26.ndjson');
});

test('a report for a person has every value, in words, and no markup of a stranger', () => {
  const lines = [
    {
      table: 'content_item',
      row: {
        details: { title: '<script>alert(1)</script>', thumbnailUrl: 'https://pictures.example/1.jpg' },
        metrics: { VIEWS: '12' },
        canonical_url: null,
      },
      sealed: [],
    },
    { table: 'account_grant', row: { permissions: ['user.info.basic', 'video.list'] }, sealed: ['sealed_tokens'] },
    { table: 'not_known_yet', row: { some_value: true }, sealed: [] },
  ].map((row) => JSON.stringify(row));
  const page = renderReport(lines, PERSON, AT);
  expect(page).toContain('<h1>Data of casey@example.com</h1>');
  expect(page).toContain('Demo &#60;Studio&#62;');
  expect(page).toContain('26 November 2026, 04:05 UTC');
  expect(page).not.toContain('<script');
  expect(page).toContain('<dt>Title</dt><dd>&#60;script&#62;alert(1)&#60;/script&#62;</dd>');
  expect(page).toContain('<dt>Views</dt><dd>12</dd>');
  expect(page).toContain('user.info.basic, video.list');
  expect(page).toContain('stored encrypted only while needed: the keys to your account at the platform.');
  expect(page).toContain('<h2>Not known yet</h2>');
  expect(page).not.toContain('Canonical url');
  expect(seenIn(page).split('\n')).toEqual(
    expect.arrayContaining(['Title', 'Preview picture', 'https://pictures.example/1.jpg']),
  );
  expect(page.indexOf('<h2>Permissions')).toBeLessThan(page.indexOf('<h2>Posts'));
});

/** What a person sees before opening the technical data. */
const seenIn = (page: string) =>
  page
    .replaceAll(/<details>.*?<\/details>/gs, '')
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]+>/g, '\n');

const ID = '6f842c03-da57-4653-a9f3-e3fa92c310fb';
const INSTANT = '2026-11-22T17:37:26.149+00:00';
/** Each column of a code, with all the values that the service stores there. */
const CODES: readonly (readonly [table: string, column: string, values: readonly string[]])[] = [
  ['connection', 'provider', PROVIDER_NAMES],
  ['connection', 'status', CONNECTION_STATUSES],
  ['connection', 'sync_status', SYNC_STATUSES],
  ['connect_attempt', 'status', ATTEMPT_STATUSES],
  ['connect_attempt', 'result_code', RESULT_CODES],
  ['account_grant', 'status', GRANT_STATUSES],
  ['content_item', 'kind', CONTENT_KINDS],
  ['content_item', 'availability', AVAILABILITIES],
  ['read_job', 'kind', READ_JOB_KINDS],
  ['read_job', 'status', JOB_STATUSES],
  ['read_job', 'error_code', JOB_ERROR_CODES],
  ['disconnect_job', 'kind', DISCONNECT_JOB_KINDS],
  ['disconnect_job', 'status', JOB_STATUSES],
  ['disconnect_job', 'reason', DISCONNECT_REASONS],
  ['webhook_event', 'type', WEBHOOK_EVENT_TYPES],
  ['webhook_delivery', 'status', DELIVERY_STATUSES],
];

test.each(CODES)('a person reads words, dates and no ids: %s.%s', (table, column, values) => {
  for (const value of values) {
    const row = { connection_id: ID, correlation_id: ID, [column]: value, created_at: INSTANT };
    const page = renderReport([JSON.stringify({ table, row, sealed: [] })], PERSON, AT);
    expect(page).toContain(ID);
    const seen = seenIn(page);
    expect(seen).not.toContain(ID);
    expect(seen).not.toContain(INSTANT);
    expect(seen.split('\n')).not.toContain(value);
  }
});

test.each([
  ['SUCCEEDED', /Left to you:/, /<dd>Done</],
  ['FAILED', /<dd>Failed</, /Left to you:/],
])('a revoke that only the person can complete is not called done: %s', (status, is, isNot) => {
  const row = { kind: 'REVOKE', provider: 'PROVIDER_C', status, creator_action: 'REMOVE_APP_AT_PROVIDER' };
  const page = renderReport([JSON.stringify({ table: 'disconnect_job', row, sealed: [] })], PERSON, AT);
  expect(page).toContain('Remove the app in your settings at Instagram');
  expect(page).toMatch(is);
  expect(page).not.toMatch(isNot);
});

test('the faults of an address are shown all at once, and it is stored as browsers send it', () => {
  expect(listUrlFaults('http://app.example/a#b')).toHaveLength(2);
  expect(listUrlFaults(' ')).toEqual(['Enter a URL.']);
  expect(listUrlFaults('https://')).toHaveLength(1);
  for (const url of ['https://app.example/connected?a=1', 'http://localhost:3000/x', 'http://127.0.0.1/']) {
    expect(listUrlFaults(url)).toEqual([]);
    expect(toBrowserUrl(url)).toBe(url); // Also without a slash that a parser would add.
  }
  expect(toBrowserUrl('https://app.example')).toBe('https://app.example');
  expect(toBrowserUrl(' https://app.example/zurück ')).toBe('https://app.example/zur%C3%BCck');
});

test('a fault of the api is shown in the words of the field, and no other problem is', () => {
  const problem = { code: 'BAD_USER_INPUT', message: 'input.label must be 1 to 200 characters.' };
  expect(readFieldProblem(problem, 'label', 'The label')).toBe('The label must be 1 to 200 characters.');
  expect(readFieldProblem(problem, 'clientId', 'The client id')).toBeUndefined();
  expect(readFieldProblem({ ...problem, code: 'FORBIDDEN' }, 'label', 'The label')).toBeUndefined();
});

test('an exported line of the audit log starts no formula of a spreadsheet', () => {
  const entry = {
    id: '1',
    happenedAt: AT.toISOString(),
    actor: 'token:1',
    actorLabel: '=HYPERLINK("https://evil.example")',
    action: 'setPolicy',
    target: null,
    related: [],
    things: [],
    changes: [{ setting: 'name', from: 'A', to: null }],
    outcome: 'DONE',
    correlationId: null,
  };
  const [, line] = toCsv([entry]);
  expect(line).toBe(
    '"2026-11-26T04:05:06.000Z","token:1","\'=HYPERLINK(""https://evil.example"")","setPolicy","","","name: A → none","DONE","",""\r\n',
  );
});
