import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildSchema, parse, validate } from 'graphql';
import { publint } from 'publint';
import { describe, expect, onTestFinished, test as plainTest } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { adminSchema } from '../../src/api/graphql/schema-texts.ts';
import { ServiceError } from '../../src/basics/errors.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { createSend, readAdminApiSettings } from '../../src/cli/remote/admin-api.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { buildDocument } from '../../src/cli/shape.ts';
import { OPERATIONS } from '../kit/every-operation.ts';
import { createTestAdmin } from '../kit/operator.ts';
import { test as postgresTest } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';
import { answerWith, openReceiver } from '../kit/webhook-receiver.ts';

const run = promisify(execFile);
const PACKAGE = path.join(ROOT, 'clients', 'command-line');

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program as npm installs it from the packed tarball into an empty prefix, and an admin API over HTTP. */
const test = postgresTest.extend<{
  $file: { installed: (args: readonly string[], options?: { input?: string | Buffer; env?: object }) => Promise<Run> };
}>({
  installed: [
    async ({ database }, use) => {
      const prefix = await mkdtemp(path.join(tmpdir(), 'admin-'));
      await run(process.execPath, ['build.mjs'], { cwd: PACKAGE });
      const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', prefix], {
        cwd: PACKAGE,
      });
      const tarball = path.join(prefix, JSON.parse(stdout)[0].filename);
      await run('npm', ['install', '--global', '--prefix', prefix, '--offline', '--no-audit', '--no-fund', tarball]);
      const pkgDir = path.join(prefix, 'lib', 'node_modules', 'social-account-connection-admin');
      expect((await publint({ pkgDir, pack: false, strict: true })).messages).toEqual([]);
      const admin = await createTestAdmin(database.sql);
      const { token } = await admin.newToken('ADMIN');
      const tokenFile = path.join(prefix, 'token');
      await writeFile(tokenFile, `${token}\n`, { mode: 0o600 });
      const receiver = await openReceiver();
      receiver.answer(async (response, { path: url, headers, body }) => {
        const answer = await admin.send(url, { method: 'POST', headers, body });
        response.writeHead(answer.status).end(await answer.text());
      });
      const settings = {
        PATH: process.env.PATH,
        ADMIN_API_URL: new URL(receiver.url).origin,
        ADMIN_API_TOKEN_FILE: tokenFile,
      };
      const program = path.join(prefix, 'bin', 'accounts-admin');
      await use(
        (args, { input = '', env = {} } = {}) =>
          new Promise((resolve) => {
            const child = execFile(program, [...args], { env: { ...settings, ...env } }, (error, out, told) =>
              resolve({ code: error ? Number(error.code) : 0, stdout: out, stderr: told }),
            );
            child.stdin?.end(input);
          }),
      );
      await receiver.close();
      await rm(prefix, { recursive: true });
    },
    { scope: 'file' },
  ],
});

const read = ({ code, stdout, stderr }: Run) => {
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

/** Operations that no command offers: the command line offers their purpose in another form. */
const WITHOUT_COMMAND: readonly string[] = [];

describe('the commands', () => {
  plainTest('offer every operation of the admin API', () => {
    const offered = new Set(Object.values(COMMANDS).flatMap(({ fields }) => fields.map(({ name }) => name)));
    const missing = OPERATIONS.map(({ name }) => name).filter((name) => !offered.has(name));
    expect(missing.sort()).toEqual([...WITHOUT_COMMAND].sort());
  });

  const schema = buildSchema(adminSchema);
  plainTest.each(Object.entries(COMMANDS))('%s sends a document that the admin API accepts', (_name, command) => {
    expect(validate(schema, parse(buildDocument(command))).map(({ message }) => message)).toEqual([]);
  });
});

/** Runs a command over an api that gives each of these answers once. */
async function runOver(name: string, options: object, ...answers: (Error | Readonly<Record<string, unknown>>)[]) {
  const sent: object[] = [];
  const printed: string[] = [];
  const told: string[] = [];
  const send = async (_query: string, variables: object) => {
    sent.push(variables);
    const answer = answers.shift() ?? {};
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const code = await runCommand(name, COMMANDS[name] as never, { ...options, json: true }, () => send, {
    print: (text) => void printed.push(text),
    warn: (text) => void told.push(text),
    readLine: async () => '',
    askName: undefined,
  });
  return { code, sent, told, printed: JSON.parse(printed.join('')), left: answers.length };
}

describe('proof verify, over a file of JSON', () => {
  async function verify(proof: object, isValid = true) {
    const folder = await mkdtemp(path.join(tmpdir(), 'proof-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 'proof.json');
    await writeFile(file, JSON.stringify(proof));
    return await runOver('proof verify', { file }, { verifyProofOfDeletion: isValid });
  }

  plainTest.each([
    [true, 0],
    [false, 1],
  ])('sends its fields, and fails unless the service made the proof: %s', async (isValid, code) => {
    const proof = { document: '{"version":1}', signature: 's' };
    const printed = isValid ? { isValid, version: 1 } : expect.not.objectContaining({ version: 1 });
    expect(await verify({ connectionId: 'c', ...proof }, isValid)).toMatchObject({ sent: [proof], code, printed });
  });

  plainTest('is refused if the file names another connection than its document', async () => {
    const proof = { document: '{"connectionId":"mine"}', signature: 's' };
    expect((await verify({ connectionId: 'mine', ...proof })).code).toBe(0);
    await expect(verify({ connectionId: 'theirs', ...proof })).rejects.toThrow(
      '--file has a connectionId that its signed document does not have.',
    );
  });
});

describe('the test of a registration', () => {
  const before = { id: 'r', testedAt: null, testAnsweredAt: '2026-01-31T12:00:01.000Z' };
  const asked = { ...before, testedAt: '2026-01-31T13:00:00.000Z', rejectedAt: null, acceptedAt: null };
  const answered = { ...asked, testAnsweredAt: '2026-01-31T13:00:00.000Z' };
  const refused = {
    ...answered,
    rejectedAt: before.testAnsweredAt,
    rejectionAnswer: 'HTTP_401',
    rejectionAnswerCode: 'bad',
  };

  plainTest.each([
    ['an acceptance', answered, 0, []],
    ['a refusal, also if it refused before', refused, 1, ['The provider refuses the client: HTTP 401 bad.']],
  ])('waits for the answer to this test: %s', async (_what, last, code, told) => {
    const answers = [{ testRegistration: before }, { registration: asked }, { registration: last }];
    const ended = await runOver('registration test', { registration: 'r' }, ...answers);
    expect(ended).toMatchObject({ code, told, printed: last, left: 0 });
  });

  plainTest('follows the storing of a new secret', async () => {
    const answers = [{ rotateRegistrationSecret: before }, { registration: refused }];
    const ended = await runOver('registration rotate-secret', { registration: 'r' }, ...answers);
    const told = ['The secret is stored. The provider refuses the client: HTTP 401 bad.'];
    expect(ended).toMatchObject({ code: 1, told, printed: refused, left: 0 });
  });

  plainTest('waits for its turn after another test, but not for long', async () => {
    const tooSoon = (retryAfterSeconds: number) =>
      new ServiceError('RATE_LIMITED', 'It was asked 3 s ago.', { retryAfterSeconds });
    const test = (...answers: (Error | object)[]) =>
      runOver('registration test', { registration: 'r' }, ...(answers as { registration: object }[]));
    const ended = await test(tooSoon(0), { testRegistration: before }, { registration: answered });
    expect(ended).toMatchObject({ code: 0, told: ['It was asked 3 s ago. This command waits 0 s, and asks again.'] });
    await expect(test(tooSoon(600))).rejects.toThrow('It was asked 3 s ago.');
  });

  plainTest('takes no answer to an earlier test', () => {
    const follow = COMMANDS['registration test']?.follow;
    expect(follow?.isKnown(answered as never, answered as never)).toBe(false);
  });
});

plainTest.each([
  [{ status: 'SUCCEEDED', finishedAt: 'T2', lastFailure: null }, 0, []],
  [{ lastTriedAt: 'T2' }, 1, ['It has failed again. HTTP_503: It answered 503. The next try is at T9.']],
])('the retry of a job waits for the try: %j', async (tried, code, told) => {
  const lastFailure = { code: 'HTTP_503', message: 'It answered 503.' };
  const begun = { id: 'j', lastTriedAt: 'T1', finishedAt: null, failure: null, lastFailure, nextRetryAt: 'T9' };
  const answers = [{ retryJob: begun }, { job: begun }, { job: { ...begun, ...tried } }];
  expect(await runOver('jobs retry', { job: 'j' }, ...answers)).toMatchObject({ code, told, left: 0 });
});

describe('audit list', () => {
  const page = { auditLog: { items: [], pageInfo: { endCursor: null, hasNextPage: false } } };
  const auditChoices = {
    actors: [
      { actor: 'token:1', actorLabel: 'Local stack' },
      { actor: 'token:2', actorLabel: 'Ann' },
      { actor: 'token:3', actorLabel: 'Ann' },
      { actor: 'command line: root@host', actorLabel: null },
    ],
    actions: ['retryJob', 'app create'],
  };
  const list = (options: object) => runOver('audit list', options, { auditChoices }, page);

  plainTest.each([
    [{ actor: 'Local stack' }, { actor: 'token:1' }],
    [{ actor: '1' }, { actor: 'token:1' }],
    [{ action: 'eraseSubject' }, { action: 'eraseSubject' }], // It may just not have happened yet.
    [
      { actor: 'token:3', outcome: 'NOT_FOUND' },
      { actor: 'token:3', outcome: 'NOT_FOUND' },
    ],
    [
      { actor: 'command line: root@host', action: 'retryJob' },
      { actor: 'command line: root@host', action: 'retryJob' },
    ],
    [
      { action: 'app create', changes: true },
      { action: 'app create', reads: false, dryRuns: false },
    ],
  ])('with %j filters by %j', async (options, filter) => {
    expect(await list(options)).toMatchObject({ code: 0, sent: [{}, { filter }] });
  });

  plainTest('without these options asks for no choices', async () => {
    expect(await runOver('audit list', { reads: true }, page)).toMatchObject({ sent: [{ filter: { reads: true } }] });
  });

  plainTest.each([
    [{ actor: 'Local stak' }, '--actor must be one of Local stack, Ann, Ann, command line: root@host.'],
    [{ actor: 'Ann' }, '--actor names several: give one of token:2, token:3.'],
    [{ action: 'retryjob' }, '--action must be one of retryJob, app create.'],
    [{ outcome: 'NOT_FUND' }, '--outcome must be one of DONE, DRY_RUN, FAILED, UNAUTHENTICATED, FORBIDDEN, NOT_FOUND'],
    [{ changes: true, reads: true }, 'Give either --changes or --reads.'],
  ])('with %j is refused', async (options, told) => {
    await expect(list(options)).rejects.toThrow(told);
  });
});

plainTest('jobs list tells a revoke that was left to the person from one that was sent', () => {
  const brief = COMMANDS['jobs list']?.brief as (row: unknown) => Record<string, unknown>;
  const job = {
    ...{ id: 'j', kind: 'REVOKE', provider: 'PROVIDER_C', appName: 'Bakery', tries: 0, stuck: false, lastAnswer: null },
    ...{ createdAt: '2026-01-31T12:00:00.000Z', finishedAt: '2026-01-31T12:01:00.000Z', nextRetryAt: null },
  };
  const stateOf = (status: string, creatorAction: string | null) => {
    const { state } = brief({ ...job, status, creatorAction });
    return Object(state).text ?? state;
  };
  expect([
    stateOf('SUCCEEDED', null),
    stateOf('SUCCEEDED', 'REMOVE_APP_AT_PROVIDER'),
    stateOf('FAILED', 'REMOVE_APP_AT_PROVIDER'),
  ]).toEqual(['SUCCEEDED', 'LEFT_TO_PERSON', 'FAILED']);
});

plainTest.each([
  [{ status: 'DELIVERED', lastFailure: null }, 0, []],
  [
    { status: 'PENDING', lastFailure: { code: 'HTTP_500', message: 'It answered 500.' } },
    1,
    ['The endpoint has not taken it. HTTP_500: It answered 500. The next try is at T.'],
  ],
])('the test of an endpoint waits for its answer: %j', async (last, code, told) => {
  const begun = { id: 'd', status: 'PENDING', tries: 0, lastFailure: null, nextRetryAt: 'T', history: [] };
  const tried = { ...begun, tries: 1, ...last, history: [{ durationMs: 12 }] };
  const answers = [{ sendTestWebhook: begun }, { webhookDelivery: { ...begun, tries: 1 } }, { webhookDelivery: tried }];
  const ended = await runOver('webhook test', { endpoint: 'e' }, ...answers);
  expect(ended).toMatchObject({ code, told, printed: { durationMs: 12, status: last.status }, left: 0 });
});

plainTest.each([
  [
    'connections list',
    { account: 'a' },
    'filter.externalSubjectId must come with tenantKey.',
    '--subject must come with --tenant.',
  ],
  [
    'disconnects start',
    { app: 'a', yes: 'a' },
    'input must name either appId and tenantKey, or registrationId.',
    'The command must name either --app and --tenant, or --registration.',
  ],
  ['jobs retry', { job: 'j' }, 'id names a job that has ended.', '--job names a job that has ended.'],
  ['logo set', { app: 'a', file: '/dev/null' }, 'image must be a PNG.', '--file must be a PNG.'],
  ['app show', { app: 'a' }, 'The app has an id, an app.', 'The app has an id, an app.'],
])('%s with the options %j names options, not the arguments of its operation', async (name, options, told, shown) => {
  const terminal = { print: () => {}, warn: () => {}, readLine: async () => '', askName: undefined };
  const refuse = async () => {
    throw new ServiceError('BAD_USER_INPUT', `BAD_USER_INPUT: ${told}`);
  };
  await expect(runCommand(name, COMMANDS[name] as never, options, () => refuse, terminal)).rejects.toThrow(
    `BAD_USER_INPUT: ${shown}`,
  );
});

describe('the admin API', () => {
  plainTest.for([
    [{}, 'Set ADMIN_API_URL'],
    [{ ADMIN_API_URL: 'http://admin.example', ADMIN_API_TOKEN: 't' }, 'ADMIN_API_URL must begin with https://'],
    [{ ADMIN_API_URL: 'https://admin.example', ADMIN_API_TOKEN_FILE: '/nowhere' }, 'The file of ADMIN_API_TOKEN_FILE'],
  ] as const)('is not asked with the settings %j', ([settings, told]) => {
    expect(() => readAdminApiSettings(settings)).toThrow(told);
  });

  plainTest('has its usual path, or the one given', () => {
    const url = (text: string) => readAdminApiSettings({ ADMIN_API_URL: text, ADMIN_API_TOKEN: 't' }).url;
    expect(url('https://admin.example')).toBe('https://admin.example/api/admin/graphql');
    expect(url('https://admin.example/inner/graphql')).toBe('https://admin.example/inner/graphql');
  });
});

plainTest('an answer with control sequences reaches the terminal without them', async () => {
  const hostile = await openReceiver();
  onTestFinished(() => hostile.close());
  const message = '\u001b]0;pwned\u0007\u009b2J\nFAKE LINE';
  hostile.answer(answerWith(200, {}, JSON.stringify({ errors: [{ message, extensions: { code: 'X\u001b[2J' } }] })));
  await expect(createSend({ url: hostile.url, token: 'a-token' })('{ apps { id } }', {})).rejects.toThrow(
    /X\u{FFFD}\[2J: \u{FFFD}\]0;pwned\u{FFFD}\u{FFFD}2J\u{FFFD}FAKE LINE$/u,
  );
});

describe('the installed program', () => {
  test('sets an app up, lists it, and stores a secret from standard input', async ({ installed, database }) => {
    const app = read(await installed(['app', 'create', '--name', 'Lighthouse Bakery', '--rate', '20', '--json']));
    expect(app).toMatchObject({ name: 'Lighthouse Bakery', requestsPerSecond: 20, enabled: true });
    await installed(['tenant', 'add', '--app', app.id, '--tenant', 'north']);
    expect(read(await installed(['tenant', 'list', '--app', app.id, '--json']))).toEqual([
      { tenantKey: 'north', connectionCount: 0 },
    ]);
    const { key } = read(await installed(['key', 'issue', '--app', app.id, '--json']));
    expect(read(await installed(['key', 'list', '--app', app.id, '--json']))).toEqual([key]);
    await database.sql`update app_key set last_used_at = business_now() where key_id = ${key.id}`;
    expect((await installed(['key', 'revoke', '--key', key.id])).stderr.split('\n')).toEqual([
      expect.stringMatching(/^Key of Lighthouse Bakery, issued \d+ s ago\. Last used: in the last 2 min\.$/),
      'A system still uses this key. Replace the key there first.',
      'It is the only active key: the app has no access until it has another one.',
      'This cannot be undone: add --yes with the value of --key.',
      '',
    ]);
    const names = ['--provider', 'PROVIDER_B', '--label', 'Main', '--client-id', 'c1'];
    const created = await installed(['registration', 'create', ...names, '--json'], { input: 'a-secret\n' });
    const { id } = read(created);
    expect(created.stdout).not.toContain('a-secret');
    await installed(['registration', 'pause', '--registration', id]);
    const shown = await installed(['registration', 'show', '--registration', id, '--json']);
    expect(read(shown)).toMatchObject({ id, pausedAt: expect.any(String), testedAt: null });
    const table = await installed(['app', 'list', '--search', 'lighthouse']);
    expect(table.stdout).toMatch(/^id +name +enabled.*\n[0-9a-f-]{36} +Lighthouse Bakery +yes/);
  });

  test('takes a person from standard input or a file, and repeats none in an error', async ({
    installed,
    database,
  }) => {
    const seeded = await seedApp(database.sql);
    const { appId } = seeded.app;
    const [scope, other] = [seeded.newScope(), seeded.newScope()];
    await seedConnection(database.sql, seeded, { scope });
    await seedConnection(database.sql, seeded, { scope: other });
    const subject = scope.externalSubjectId;
    const folder = await mkdtemp(path.join(tmpdir(), 'person-'));
    const file = path.join(folder, 'person');
    await writeFile(file, `${subject}\n`);
    const list = ['connections', 'list', '--app', appId, '--tenant', scope.tenantKey, '--json'];
    expect(read(await installed([...list, '--subject-file', file]))).toHaveLength(1);
    expect(read(await installed([...list, '--subject', '-'], { input: `${subject}\n` }))).toHaveLength(1);
    const erase = ['person', 'erase', '--app', appId, '--tenant', scope.tenantKey, '--json'];
    const input = `${subject}\n`;
    // In Latin-1, "müller" and "möller" would become one person.
    const latin1 = Buffer.from('m\xfcller\n', 'latin1');
    const latin1File = path.join(folder, 'latin-1');
    await writeFile(latin1File, latin1);
    expect(read(await installed([...erase, '--dry-run'], { input }))).toMatchObject({ connectionCount: 1 });
    const mistakes = [
      await installed(['connections', 'list', '--app', appId, '--subject-file', file]),
      await installed(erase, { input }),
      await installed([...erase, '--yes', subject], { input }),
      await installed([...erase, '--subject', subject, '--subject-file', file]),
      await installed([...erase, '--dry-run', '--subject-file', latin1File]),
      await installed([...erase, '--dry-run'], { input: latin1 }),
      await installed([...erase, '--dry-run', '--subject', 'm\ufffdller']), // As Node passes it on.
      await installed([...erase, subject]),
      await installed(erase),
    ];
    expect(mistakes.map(({ stderr }) => stderr)).toEqual([
      expect.stringMatching(/^BAD_USER_INPUT: --subject-file must come with --tenant\. /),
      'This cannot be undone: add --yes with the id of the app, or --dry-run.\n',
      'That is not the id of the app. Nothing was done.\n',
      'Give either --subject or --subject-file.\n',
      '--subject-file is not UTF-8.\n',
      'The subject on standard input is not UTF-8.\n',
      expect.stringMatching(/^An argument is not UTF-8\. /),
      expect.stringMatching(/^A value belongs to no option\. .*--subject-file FILE \| on standard input/),
      'Give the subject on standard input.\n',
    ]);
    for (const { code, stdout, stderr } of mistakes)
      expect([code > 0, `${stdout}${stderr}`.includes(subject)]).toEqual([true, false]);
    expect(read(await installed([...erase, '--yes', appId], { input }))).toMatchObject({ dryRun: false });
    const left = await database.sql`
      select s.external_subject_id, c.status from connection c join scope s using (scope_id) where c.app_id = ${appId} order by c.status
    `;
    expect(left.map(({ status }) => status)).toEqual(['CONNECTED', 'DISCONNECTED']);
    expect(left[0]?.externalSubjectId).toBe(other.externalSubjectId);
    await rm(folder, { recursive: true });
  });

  test('answers a mistake with one line', async ({ installed }) => {
    expect(await installed(['registration', 'puase'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no such command. Did you mean "registration pause"?\n',
    });
    const lines = [
      await installed(['app', 'show']),
      await installed(['app', 'show', '--app', randomUUID()]),
      await installed(['app', 'list'], {
        env: { ADMIN_API_TOKEN: `${randomUUID()}.${'0'.repeat(64)}`, ADMIN_API_TOKEN_FILE: '' },
      }),
      await installed(['app', 'list'], { env: { ADMIN_API_URL: 'http://127.0.0.1:65533' } }),
      await installed(['policy', 'forbid', '--app', randomUUID(), '--provider', 'X']),
    ].map(({ stderr }) => stderr);
    expect(lines).toEqual([
      '--app is missing. Usage: app show --app APP_ID\n',
      expect.stringMatching(/^NOT_FOUND: There is no such app\. \(correlation id [0-9a-f-]{36}\)\n$/),
      expect.stringMatching(/^UNAUTHENTICATED: .*\n$/),
      'The admin API cannot be reached (ECONNREFUSED).\n',
      '--provider must be one of PROVIDER_A, PROVIDER_B, PROVIDER_C.\n',
    ]);
    const help = await installed(['--help'], { env: { NO_COLOR: '1' } });
    expect(help.stdout).toMatch(/^Apps\n {2}app change +Changes an app's settings/m);
    expect(help.stdout).not.toContain('\u001b');
  });

  test('prints completion scripts that bash loads and that complete', async ({ installed }) => {
    const { stdout } = await installed(['completion', 'bash']);
    const check = `accounts-admin() { echo app; }; ${stdout}
      COMP_WORDS=(accounts-admin ap); COMP_CWORD=1; _accounts_admin; echo "\${COMPREPLY[@]}"`;
    expect((await run('bash', ['-c', check])).stdout).toBe('app\n');
    expect((await installed(['completion', 'list', '--', 'ap'])).stdout).toBe('app\n');
    for (const shell of ['zsh', 'fish'])
      expect((await installed(['completion', shell])).stdout).toContain('accounts-admin');
  });
});
