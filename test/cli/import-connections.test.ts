import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, vi } from 'vitest';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { importConnection } from '../../src/activities/import-connection.ts';
import { PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import { Secret } from '../../src/basics/secret.ts';
import { type ImportReport, importLines } from '../../src/cli/import-connections.ts';
import type { Http } from '../../src/providers/http.ts';
import type { Tokens } from '../../src/providers/provider.ts';
import { open, plainAccount, signal, test as wireTest } from '../activities/wire-stage.ts';
import { PROGRAM } from '../kit/built.ts';
import { DAY_MS } from '../kit/clock.ts';
import { temporalEnvironment } from '../kit/conformance.ts';
import { runActivity } from '../kit/deps.ts';
import { configFor } from '../kit/fake-platform.ts';
import { PERMIT } from '../kit/permit.ts';
import { openDatabase, type TestDatabase } from '../kit/postgres.ts';
import { moveConnection } from '../kit/seed.ts';

/** Another system, and a command line with exactly the rights that its help names. */
async function openImport(database: TestDatabase, sandbox: Sandbox, http: Http) {
  const { sql } = database;
  const wire = await open(sql, sandbox, http);
  const { deps, seeded } = wire.stage;
  const login = `importer_${randomUUID().replaceAll('-', '')}`;
  await sql.unsafe(`create role ${login} login password 'importer' in role accounts_worker, accounts_maintenance`);
  const url = Object.assign(new URL(database.url), { username: login, password: 'importer' }).href;
  const pool = openDatabase(new Secret(url), { poolSize: 4, applicationName: 'tests' });

  const lineOf = (provider: ProviderName, tokens: Tokens, changes: Record<string, unknown> = {}) => ({
    scope: seeded.newScope(),
    provider,
    registrationId: seeded.registrations[provider],
    accessToken: tokens.accessToken.reveal(),
    accessExpiresAt: tokens.accessExpiresAt?.toISOString(),
    refreshToken: tokens.refreshToken?.reveal(),
    refreshExpiresAt: tokens.refreshExpiresAt?.toISOString(),
    permissions: tokens.permissions,
    ...changes,
  });
  async function run(lines: readonly unknown[], options: { acceptUnproven?: boolean; dryRun?: boolean } = {}) {
    const reports: ImportReport[] = [];
    const { acceptUnproven = false, dryRun = false } = options;
    const counts = await importLines(
      {
        deps: { ...deps, sql: pool },
        importConnection,
        options: { appId: seeded.app.appId, acceptUnproven, dryRun, signal },
        stopped: signal,
        report: (report) => reports.push(report),
      },
      (async function* () {
        for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line);
      })(),
    );
    expect(deps.lines.filter((line) => line.includes('could not be imported'))).toEqual([]);
    reports.sort((one, other) => one.line - other.line);
    return { counts, reports };
  }
  /** Starts the built command as an operator does, with these lines on its standard input. */
  function startCommand(lines: readonly unknown[]) {
    const { config } = deps;
    const keys = Object.entries(config).filter(([name]) => name.startsWith('VAULT_'));
    const child = spawn(process.execPath, [PROGRAM, 'connections', 'import', '--app', seeded.app.appId], {
      env: {
        PATH: process.env.PATH,
        DEPLOYMENT: 'development',
        DATABASE_URL: url,
        CONNECT_URL: config.CONNECT_URL,
        TASK_QUEUE: `nobody-${randomUUID()}`,
        PROVIDER_B_CALLS_PER_SECOND: '1000',
        ...Object.fromEntries(keys.map(([name, value]) => [name, JSON.stringify(value)])),
        ...Object.fromEntries(Object.entries(configFor(sandbox.url)).map(([name, value]) => [name, String(value)])),
        ...temporalEnvironment(),
      },
    });
    const reports: ImportReport[] = [];
    createInterface(child.stdout).on('line', (line) => reports.push(JSON.parse(line)));
    let told = '';
    child.stderr.on('data', (chunk) => {
      told += String(chunk);
    });
    child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const ended = once(child, 'close').then(([code]) => ({ code, told }));
    return { child, reports, ended };
  }
  const close = async () => {
    await pool.end({ timeout: 5 });
    await sql.unsafe(`drop role ${login}`);
  };
  return { ...wire, sql, sandbox, run, startCommand, lineOf, close };
}

const test = wireTest.extend<{ importer: Awaited<ReturnType<typeof openImport>> }>({
  importer: async ({ database, sandbox, http }, use) => {
    const importer = await openImport(database, sandbox, http);
    await use(importer);
    await importer.close();
  },
});

for (const provider of PROVIDER_NAMES) {
  test(`${provider}: another system's tokens become a connection that can be read, refreshed and disconnected`, async ({
    importer,
  }) => {
    const { sql, sandbox, stage, connectElsewhere, run, lineOf, live } = importer;
    const account = plainAccount(sandbox, provider);
    const tokens = await connectElsewhere(provider, account);
    const line = lineOf(provider, tokens);
    const rehearsal = await run([line], { dryRun: true });
    expect(rehearsal.reports).toEqual([{ line: 1, outcome: 'PERMITTED' }]);
    const { reports } = await run([line]);
    expect(reports).toEqual([{ line: 1, outcome: 'IMPORTED', connectionId: expect.any(String) }]);

    const [connection] = await sql`
      select c.*, s.external_subject_id from connection c join scope s using (scope_id)
      where s.app_id = ${stage.seeded.app.appId}
    `;
    expect(connection).toMatchObject({
      status: 'CONNECTED',
      externalSubjectId: line.scope.externalSubjectId,
      providerAccountId: account,
      profile: { displayName: expect.any(String) },
      upkeepDueAt: expect.any(Date),
    });
    const [grant] = await sql`select * from account_grant where connection_id = ${connection?.connectionId}`;
    // The platform's callbacks and the next revoke find the account, as after a consent.
    expect(grant).toMatchObject({ status: 'LIVE', principalMac: expect.any(Buffer) });
    expect(grant?.accountMacs.length).toBeGreaterThan(0);
    const [scan] = await sql`select * from read_job where connection_id = ${connection?.connectionId}`;
    expect(scan).toMatchObject({ kind: 'SCAN', requestedBy: 'SERVICE' });
    while (!(await runActivity(stage.activities.runScanStep, { jobId: scan?.jobId })).done);
    expect(await stage.job('read_job', scan?.jobId)).toMatchObject({ status: 'SUCCEEDED' });

    const again = await run([line]);
    const done = { line: 1, outcome: 'ALREADY_IMPORTED', connectionId: connection?.connectionId };
    expect(again.reports).toEqual([done]);
    const rows = await sql`select from connection where app_id = ${stage.seeded.app.appId}`;
    expect(rows).toHaveLength(1);
    // The other system's copy of a rotating refresh token is dead from now on; every other one still works.
    const { clientId, clientSecret } = KNOWN_CLIENTS[provider];
    const client = { clientId, clientSecret: new Secret(clientSecret) };
    const elsewhere = { ...tokens, accessExpiresAt: new Date(Date.now() + 30 * DAY_MS) };
    const refresh = () =>
      stage.deps.providers[provider].refresh(client, elsewhere, { signal, admit: async () => PERMIT });
    if (provider === 'PROVIDER_B') await expect(refresh()).rejects.toMatchObject({ type: 'GrantDead' });
    if (provider === 'PROVIDER_A') await expect(refresh()).resolves.toBeDefined();

    const { revokeJobId } = await stage.disconnect(connection as Parameters<typeof stage.disconnect>[0]);
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject({ status: 'SUCCEEDED' });
    expect(live(account)).toHaveLength(provider === 'PROVIDER_C' ? 1 : 0);
    expect(sandbox.control.calls().flatMap((call) => call.violations)).toEqual([]);
  });

  test(`${provider}: refuses the tokens of another client and revokes nothing`, async ({ importer }) => {
    const { sql, sandbox, stage, connectElsewhere, run, lineOf, live } = importer;
    const other = { ...KNOWN_CLIENTS[provider], clientId: `other-${provider}`, clientSecret: 'other-secret' };
    sandbox.control.registerClient({ provider, clientId: other.clientId, clientSecret: other.clientSecret });
    const account = plainAccount(sandbox, provider);
    const tokens = await connectElsewhere(provider, account, other);
    const { reports } = await run([lineOf(provider, tokens)]);
    // PROVIDER_B reports only that it does not accept the token from our client.
    const code = provider === 'PROVIDER_B' ? 'GRANT_DEAD' : 'OTHER_CLIENT';
    expect(reports).toMatchObject([{ line: 1, outcome: 'FAILED', code, retryable: false }]);
    const [rows] = await sql`
      select (select count(*)::int from scope where app_id = ${stage.seeded.app.appId}) as scopes,
        (select count(*)::int from connect_attempt where app_id = ${stage.seeded.app.appId}) as attempts,
        (select count(*)::int from disconnect_job where app_id = ${stage.seeded.app.appId}) as revokes
    `;
    expect(rows).toEqual({ scopes: 0, attempts: 0, revokes: 0 });
    expect(live(account)).toHaveLength(1);
  });
}

test('PROVIDER_C: imports tokens of an unproven client only on request', async ({ importer }) => {
  const { sandbox, connectElsewhere, run, lineOf } = importer;
  sandbox.control.changeSettings({ c: { checksSecretProofs: false } });
  const line = lineOf('PROVIDER_C', await connectElsewhere('PROVIDER_C', plainAccount(sandbox, 'PROVIDER_C')));
  expect((await run([line])).reports).toMatchObject([{ outcome: 'FAILED', code: 'CLIENT_UNPROVEN' }]);
  expect((await run([line], { acceptUnproven: true })).reports).toMatchObject([{ outcome: 'IMPORTED' }]);
});

test('the same file after a disconnect and an erase reconnects no account, and another person’s line is imported', async ({
  importer,
}) => {
  const { sql, sandbox, stage, connectElsewhere, run, lineOf, live } = importer;
  const account = plainAccount(sandbox, 'PROVIDER_C');
  const [tokens, others] = [
    await connectElsewhere('PROVIDER_C', account),
    await connectElsewhere('PROVIDER_C', account),
  ];
  const line = lineOf('PROVIDER_C', tokens);
  await run([line]);
  const [connection] = await sql`select * from connection where app_id = ${stage.seeded.app.appId}`;
  const { revokeJobId, eraseJobId } = await stage.disconnect(connection as Parameters<typeof stage.disconnect>[0]);
  await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
  const connectionId = connection?.connectionId;
  await runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
  const { appId } = stage.seeded.app;
  expect(await sql`select from account_grant join scope using (scope_id) where app_id = ${appId}`).toHaveLength(0);
  expect(live(account).length).toBeGreaterThan(0); // The platform still takes the token.

  const refused = { line: 1, outcome: 'FAILED', code: 'IMPORT_ENDED', retryable: false };
  expect((await run([line])).reports).toMatchObject([refused]);
  expect((await run([lineOf('PROVIDER_C', tokens)])).reports).toMatchObject([refused]); // For another person, too.
  expect((await run([line], { dryRun: true })).reports).toMatchObject([refused]);
  expect(await sql`select from connection where app_id = ${stage.seeded.app.appId}`).toHaveLength(0);
  expect((await run([lineOf('PROVIDER_C', others)])).reports).toMatchObject([{ outcome: 'IMPORTED' }]);
});

test('a run that is killed in the middle is completed by the same command, and nothing is doubled', async ({
  database,
  http,
  onTestFinished,
}) => {
  const { sql } = database;
  const sandbox = await startSandbox({ port: 0, crowd: 10 });
  onTestFinished(() => sandbox.close());
  const importer = await openImport(database, sandbox, http);
  onTestFinished(importer.close);
  const { stage, connectElsewhere, startCommand, lineOf, live } = importer;
  const { appId } = stage.seeded.app;
  const lines = [];
  const accounts = [];
  for (const [provider, count] of [
    ['PROVIDER_B', 10],
    ['PROVIDER_A', 2],
    ['PROVIDER_C', 2],
  ] as const) {
    const crowd = sandbox.control.accounts(provider).filter(({ note }) => note === 'One of a crowd');
    for (const { id } of crowd.slice(0, count)) {
      accounts.push(id);
      lines.push(lineOf(provider, await connectElsewhere(provider, id)));
    }
  }
  const statusesOf = async () => {
    const grants = await sql`select status from account_grant join scope using (scope_id) where app_id = ${appId}`;
    return grants.map(({ status }) => status).toSorted();
  };
  // Two lines of the ten are imported. Of the other eight the old token is spent and the account still unknown.
  const hang = { provider: 'PROVIDER_B', route: 'userInfo', what: { kind: 'hang' }, times: null, skip: 2 } as const;
  sandbox.control.addFault(hang);
  const killed = startCommand(lines);
  const isHalfDone = async () => (await statusesOf()).length === 10 && killed.reports.length === 2;
  await vi.waitUntil(isHalfDone, { interval: 20 });
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(await statusesOf()).toEqual([...Array(2).fill('LIVE'), ...Array(8).fill('PENDING')]);
  sandbox.control.clearFaults();

  const second = startCommand([...lines, {}]);
  expect(await second.ended).toEqual({
    code: 1, // Because of the last line.
    told: '15 line(s) read: 12 imported, 2 imported before, 0 connected before, 0 permitted, 1 failed.\n',
  });
  const doneBefore = new Set(killed.reports.map(({ line }) => line));
  const isLast = ({ line }: ImportReport) => line > lines.length;
  expect(second.reports.filter(isLast)).toMatchObject([{ outcome: 'FAILED', code: 'BAD_LINE' }]);
  const others = second.reports.filter((report) => !isLast(report));
  expect(others.toSorted((one, other) => one.line - other.line)).toEqual(
    lines.map((_, index) => ({
      line: index + 1,
      outcome: doneBefore.has(index + 1) ? 'ALREADY_IMPORTED' : 'IMPORTED',
      connectionId: expect.any(String),
    })),
  );
  const connections = await sql`select status, provider_account_id from connection where app_id = ${appId}`;
  expect(connections.map(({ status, providerAccountId }) => `${status} ${providerAccountId}`).toSorted()).toEqual(
    accounts.map((account) => `CONNECTED ${account}`).toSorted(),
  );
  expect(await statusesOf()).toEqual(lines.map(() => 'LIVE'));
  expect(await sql`select from connect_attempt where app_id = ${appId}`).toHaveLength(lines.length);
  expect(await sql`select from read_job where app_id = ${appId}`).toHaveLength(lines.length); // The first scans.
  for (const account of accounts) expect(live(account), account).toHaveLength(1);
  expect(sandbox.control.calls().flatMap((call) => call.violations)).toEqual([]);
  expect(await startCommand(lines).ended).toEqual({
    code: 0,
    told: '14 line(s) read: 0 imported, 14 imported before, 0 connected before, 0 permitted, 0 failed.\n',
  });
});

test('an account that works stays as it is; one that needs a reconnect is renewed', async ({ importer }) => {
  const { sql, sandbox, stage, connect, connectElsewhere, run, lineOf, live } = importer;
  const account = plainAccount(sandbox, 'PROVIDER_A');
  const { connectionId, scopeId, grantId } = await connect('PROVIDER_A', account);
  const [scope] = await sql`select * from scope where scope_id = ${scopeId}`;
  const line = lineOf('PROVIDER_A', await connectElsewhere('PROVIDER_A', account), {
    scope: { tenantKey: scope?.tenantKey, externalSubjectId: scope?.externalSubjectId },
  });
  expect((await run([line])).reports).toEqual([{ line: 1, outcome: 'ALREADY_CONNECTED', connectionId }]);
  expect(await stage.grant(grantId)).toMatchObject({ status: 'LIVE' });
  await sql`update account_grant set status = 'DEAD', sealed_tokens = null where grant_id = ${grantId}`;
  await moveConnection(sql, connectionId, 'RECONNECT_REQUIRED');
  expect((await run([line])).reports).toEqual([{ line: 1, outcome: 'IMPORTED', connectionId }]);
  expect(await stage.connectionStatus(connectionId)).toBe('CONNECTED');
  expect(live(account).length).toBeGreaterThan(0);
});

test('the rules of a connect hold: policy, tenant and registration', async ({ importer }) => {
  const { sql, sandbox, stage, connectElsewhere, run, lineOf } = importer;
  const tokens = await connectElsewhere('PROVIDER_A', plainAccount(sandbox, 'PROVIDER_A'));
  const line = lineOf('PROVIDER_A', tokens);
  sandbox.control.clearCalls();
  const foreign = { ...line, registrationId: stage.seeded.registrations.PROVIDER_B };
  const stranger = { ...line, refreshToken: 'a', scope: { ...line.scope, tenantKey: 'unregistered' } };
  const { reports } = await run([foreign, stranger]);
  expect(reports).toMatchObject([
    { line: 1, outcome: 'FAILED', code: 'NOT_PERMITTED' },
    { line: 2, outcome: 'FAILED', code: 'NOT_PERMITTED' },
  ]);
  await sql`
    update registration set paused_at = now() where registration_id = ${stage.seeded.registrations.PROVIDER_A}
  `;
  expect((await run([line])).reports).toMatchObject([
    { outcome: 'FAILED', code: 'REGISTRATION_PAUSED', retryable: true, message: expect.stringContaining('is paused') },
  ]);
  // A line that is not permitted costs no call: a rotating token would be spent in vain.
  expect(sandbox.control.calls()).toEqual([]);
});

test('a bad line is reported by number, without a word of its content', async ({ importer }) => {
  const { sandbox, connectElsewhere, run, lineOf } = importer;
  const tokens = await connectElsewhere('PROVIDER_A', plainAccount(sandbox, 'PROVIDER_A'));
  const line = lineOf('PROVIDER_A', tokens);
  const { refreshToken: _left, ...withoutRefresh } = line;
  const { counts, reports } = await run([
    `{"secret-token-1": `,
    { ...line, 'secret-token-2': 1 },
    { ...line, refreshToken: 'secret-token-3\u{0}' },
    '',
    withoutRefresh,
    line,
    line,
  ]);
  const bad = { outcome: 'FAILED', code: 'BAD_LINE', retryable: false };
  expect(reports).toMatchObject([
    { line: 1, ...bad },
    { line: 2, ...bad },
    { line: 3, ...bad },
    { line: 5, ...bad, message: 'PROVIDER_A needs refreshToken.' },
    { line: 6, outcome: 'IMPORTED' },
    { line: 7, outcome: 'FAILED', code: 'DUPLICATE_LINE' },
  ]);
  expect(counts).toMatchObject({ IMPORTED: 1, FAILED: 5 });
  const text = JSON.stringify(reports);
  for (const secret of ['secret-token', line.accessToken, line.scope.externalSubjectId])
    expect(text).not.toContain(secret);
});

test('tokens of one person are not imported for another', async ({ importer }) => {
  const { sandbox, stage, connectElsewhere, run, lineOf } = importer;
  const line = lineOf('PROVIDER_B', await connectElsewhere('PROVIDER_B', plainAccount(sandbox, 'PROVIDER_B')));
  await run([line]);
  const { reports } = await run([{ ...line, scope: stage.seeded.newScope() }]);
  expect(reports).toMatchObject([{ outcome: 'FAILED', code: 'TOKENS_OF_ANOTHER_SUBJECT' }]);
});
