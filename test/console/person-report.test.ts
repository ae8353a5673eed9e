import { expect, test } from 'vitest';
import { toCsv } from '../../console/src/texts/audit.ts';
import { listUrlFaults, readFieldProblem, toBrowserUrl } from '../../console/src/texts/field-problems.ts';
import { nameReport, renderReport } from '../../console/src/texts/person-report.ts';

const AT = new Date('2026-11-26T04:05:06.000Z');
const PERSON = { appName: 'Demo <Studio>', tenantKey: 'main', externalSubjectId: 'casey@example.com' };

test('a report for a person has every value, in words, and no markup of a stranger', () => {
  const lines = [
    {
      table: 'content_item',
      row: { details: { title: '<script>alert(1)</script>' }, metrics: { VIEWS: '12' }, canonical_url: null },
      sealed: [],
    },
    { table: 'account_grant', row: { permissions: ['user.info.basic', 'video.list'] }, sealed: ['sealed_tokens'] },
    { table: 'not_known_yet', row: { some_value: true }, sealed: [] },
  ].map((row) => JSON.stringify(row));
  const page = renderReport(lines, PERSON, AT);
  expect(page).toContain('<h1>Data of casey@example.com</h1>');
  expect(page).toContain('Demo &#60;Studio&#62;');
  expect(page).toContain('2026-11-26T04:05:06.000Z');
  expect(page).not.toContain('<script');
  expect(page).toContain('<dt>Title</dt><dd>&#60;script&#62;alert(1)&#60;/script&#62;</dd>');
  expect(page).toContain('<dt>Views</dt><dd>12</dd>');
  expect(page).toContain('user.info.basic, video.list');
  expect(page).toContain('Not shown, and stored encrypted only while it is needed: Sealed tokens.');
  expect(page).toContain('<h2>Not known yet</h2>');
  expect(page).not.toContain('Canonical url');
  expect(page.indexOf('<h2>Permissions')).toBeLessThan(page.indexOf('<h2>Posts'));
});

test('a file of a person has their id and the day in its name, and nothing that a file system refuses', () => {
  expect(nameReport('casey@example.com', AT, 'html')).toBe('data-of-casey-example.com-2026-11-26.html');
  expect(nameReport('../../etc/passwd', AT, 'ndjson')).toBe('data-of-..-..-etc-passwd-2026-11-26.ndjson');
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
