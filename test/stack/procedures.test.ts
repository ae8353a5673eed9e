import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, vi } from 'vitest';
import { findFreePort } from '../../local/src/ports.ts';
import { buildDatabaseUrl, createPostgresService } from '../../local/src/postgres.ts';
import { createCommandEnvironment, createWorkerService, ROOT } from '../../local/src/services.ts';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { connectAsPerson } from '../../sandbox/src/person.ts';
import { Secret } from '../../src/basics/secret.ts';
import { planCluster } from '../kit/cluster.ts';
import type { Answer } from '../kit/graphql.ts';
import { makePng } from '../kit/images.ts';
import { openDatabase } from '../kit/postgres.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { openReceiver } from '../kit/webhook-receiver.ts';
import { newToken, operator } from './operator.ts';
import { type Ask, stuckRevoke } from './stuck-revoke.ts';
import { openFolder, type Surroundings, typePage } from './typist.ts';

/** Each command starts a process, one after the other: seconds for each on a busy machine. */
vi.setConfig({ testTimeout: 400_000 });

const OPEN = /"(PENDING|CREATED|AUTHORIZING|EXCHANGING|QUEUED|RUNNING)"/;
const RETURN_URL = 'https://app.example/connect/return';

const test = stackTest().extend<{ $file: { ask: Ask; folder: string } }>({
  ask: [async ({ service }, use) => await use(await operator(service)), { scope: 'file' }],
  folder: [
    async ({ service: _ }, use) => {
      const folder = openFolder();
      await use(folder);
      rmSync(folder, { recursive: true });
    },
    { scope: 'file' },
  ],
});

/** The environment that a page names for a command: the api's, with the login and the keys of maintenance for three of them. */
const environmentIn =
  ({ settings, database, apiUrls }: TestService) =>
  (command: string): Record<string, string> => {
    const isImport = command.includes('connections import');
    const isMaintenance = isImport || /restore replay|secrets reseal/.test(command);
    const { VAULT_GRANT_KEYS, VAULT_INBOX_PRIVATE_KEYS, ...own } = createCommandEnvironment(settings);
    const ofWorker = {
      VAULT_GRANT_KEYS: String(VAULT_GRANT_KEYS),
      VAULT_INBOX_PRIVATE_KEYS: String(VAULT_INBOX_PRIVATE_KEYS),
    };
    const login = isImport ? 'importer' : isMaintenance ? 'maintenance' : 'api';
    return {
      ...own,
      ...(isMaintenance && ofWorker),
      DATABASE_URL: database.urls[login],
      CONNECT_URL: apiUrls[0] ?? '',
    };
  };

const findAccount = ({ sandbox }: TestService, provider: 'PROVIDER_A' | 'PROVIDER_B') => {
  const account = sandbox.control.accounts(provider).find(({ note }) => /posts/.test(note));
  if (account === undefined) throw new Error('There is no such account.');
  return account.id;
};

const findRegistration = async ({ app, database }: TestService, provider: string): Promise<string> => {
  const [row] = await database.sql`
    select registration_id from registration join registration_app using (registration_id)
    where provider = ${provider} and app_id = ${app.appId} order by registration.created_at limit 1
  `;
  return String(row?.registrationId);
};

/** The walkthrough's requests: a person consents between two of them, and the last ones wait for their job. */
function followRequests(service: TestService, folder: string, known: Map<string, string>): Surroundings['after'] {
  return async (command, output) => {
    const [, key] = /^secret +(\S+)$/m.exec(output) ?? [];
    if (command.includes(' key issue ') && key !== undefined) {
      writeFileSync(path.join(folder, 'key.txt'), `Authorization: Bearer ${key}\nContent-Type: application/json\n`);
    }
    if (!output.startsWith('{')) return true;
    const { data, errors } = JSON.parse(output);
    if (errors !== undefined) throw new Error(output);
    if (data.createConnectSession !== undefined) {
      const { id, launchUrl, launchToken } = data.createConnectSession;
      known.set('ATTEMPT_ID', id);
      await connectAsPerson({
        launchUrl,
        launchToken,
        returnUrl: RETURN_URL,
        account: findAccount(service, 'PROVIDER_A'),
      });
    }
    if (data.connectSessionResult !== undefined) known.set('CONNECTION_ID', data.connectSessionResult.connectionId);
    if (data.connection !== undefined) known.set('ACCOUNT', JSON.stringify(data.connection));
    if (data.disconnectConnection !== undefined) known.set('REVOKE_JOB_ID', data.disconnectConnection.revokeJobId);
    if (data.syncJob !== undefined) known.set('RECEIPT', data.syncJob.status);
    return !OPEN.test(output);
  };
}

test('the walkthrough leads from nothing to a receipt', async ({ service, folder, expect }) => {
  const { clientId, clientSecret } = KNOWN_CLIENTS.PROVIDER_A;
  writeFileSync(path.join(folder, 'secret.txt'), `${clientSecret}\n`);
  const known = new Map([
    ['CLIENT_ID', clientId],
    ['https://connect.example.com', service.apiUrls[0] ?? ''],
  ]);
  const after = followRequests(service, folder, known);
  await typePage('docs/walkthrough.md', folder, {
    known,
    environmentOf: environmentIn(service),
    ...(after && { after }),
  });

  const { sql } = service.database;
  const [app] = await sql`
    select requests_per_second, array(select origin from launch_origin where app_id = app.app_id) as origins,
      (select enabled from app_identity where app_id = app.app_id) as signs_in
    from app where app_id = ${known.get('APP_ID') ?? ''}
  `;
  expect(app).toEqual({ requestsPerSecond: 50, origins: ['https://www.app.example'], signsIn: true });
  const account = { status: 'CONNECTED', syncStatus: 'READY', profile: { displayName: expect.stringMatching(/./) } };
  expect(JSON.parse(known.get('ACCOUNT') ?? '')).toEqual(account);
  expect(known.get('RECEIPT')).toBe('SUCCEEDED');
  const grants = service.sandbox.control
    .grants()
    .filter(({ accountId }) => accountId === findAccount(service, 'PROVIDER_A'));
  expect(grants.map(({ endedAt }) => endedAt)).not.toContain(null);
});

test('docs/webhooks.md sets up an endpoint that takes events', async ({ service, folder, expect, onTestFinished }) => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const known = new Map([
    ['APP_ID', service.app.appId],
    ['https://app.example/webhooks', receiver.url],
  ]);
  await typePage('docs/webhooks.md', folder, { known, environmentOf: environmentIn(service) });
  expect(receiver.received).toHaveLength(1);
  const [endpoint] = await service.database.sql`
    select enabled, event_types from webhook_endpoint where endpoint_id = ${known.get('ENDPOINT_ID') ?? ''}
  `;
  expect(endpoint).toEqual({ enabled: true, eventTypes: ['connection.reconnect_required', 'job.finished'] });
});

test('docs/incident.md stops the access, lists affected people and reads', async ({ service, ask, folder, expect }) => {
  const { id: appId = '' } = await service.commandLine.run('app create', { name: 'A leaked app' });
  const registrationId = await findRegistration(service, 'PROVIDER_C');
  const known = new Map([
    ['APP_ID', appId],
    ['REGISTRATION_ID', registrationId],
  ]);
  const environmentOf = environmentIn(service);
  await typePage('docs/incident.md', folder, { known, environmentOf, ask: (document) => ask(document, { appId }) });
  const [app] = await service.database.sql`select enabled from app where app_id = ${appId}`;
  expect(app).toEqual({ enabled: false });
  await service.commandLine.run('registration resume', { registration: registrationId });
});

test('docs/review-kit.md has commands for figures platforms ask for', async ({ service, folder, onTestFinished }) => {
  const readonly = openDatabase(new Secret(service.database.urls.readonly), { poolSize: 1, applicationName: 'tests' });
  onTestFinished(() => readonly.end());
  await typePage('docs/review-kit.md', folder, {
    known: new Map([['REGISTRATION_ID', await findRegistration(service, 'PROVIDER_A')]]),
    environmentOf: environmentIn(service),
    query: (statement) => readonly.unsafe(statement),
  });
});

test('docs/providers.md sets up a client, its permissions and its secrets', async ({ service, folder, expect }) => {
  writeFileSync(path.join(folder, 'secret.txt'), 'a-secret-of-the-platform\n');
  const { id: appId = '' } = await service.commandLine.run('app create', { name: 'Another app' });
  const known = new Map([['APP_ID', appId]]);
  const environmentOf = environmentIn(service);
  await typePage('docs/providers.md', folder, { known, environmentOf });
  const [registration] = await service.database.sql`
    select permissions, array(select app_id from registration_app where registration_id = registration.registration_id) as apps,
      (select count(*)::int from platform_callback_secret where registration_id = registration.registration_id) as secrets
    from registration where registration_id = ${known.get('REGISTRATION_ID') ?? ''}
  `;
  expect(registration).toEqual({
    permissions: ['user.info.basic', 'video.list'],
    apps: [appId],
    secrets: 0,
  });
});

test('docs/importing.md moves an account over', async ({ service, newPerson, folder, expect }) => {
  const registrationId = await findRegistration(service, 'PROVIDER_A');
  // Another system of the same client holds it.
  const elsewhere = newPerson();
  const account = elsewhere.account('PROVIDER_A', /^40 posts/);
  await elsewhere.connect('PROVIDER_A', account);
  const grant = service.sandbox.control.grants().findLast(({ accountId }) => accountId === account);
  const refreshToken = grant?.tokens.find(({ kind }) => kind === 'refresh')?.value;
  const line = { scope: newPerson().scope, provider: 'PROVIDER_A', registrationId, refreshToken };
  writeFileSync(path.join(folder, 'accounts.ndjson'), `${JSON.stringify(line)}\n`);
  const known = new Map([['APP_ID', service.app.appId]]);
  await typePage('docs/importing.md', folder, { known, environmentOf: environmentIn(service) });
  const report = JSON.parse(readFileSync(path.join(folder, 'report.ndjson'), 'utf8'));
  expect(report).toEqual({ line: 1, outcome: 'IMPORTED', connectionId: expect.any(String) });
  const [connection] = await service.database.sql`
    select status from connection where connection_id = ${report.connectionId}
  `;
  expect(connection).toEqual({ status: 'CONNECTED' });
});

test('docs/configuration.md writes the keys once, for their owner alone', async ({ folder, expect }) => {
  const surroundings = { known: new Map(), environmentOf: () => ({}) };
  const file = path.join(folder, 'keys.env');
  await typePage('docs/configuration.md', folder, surroundings);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const keys = readFileSync(file, 'utf8');
  expect([...keys.matchAll(/^(VAULT_\w+_KEYS)=/gm)]).toHaveLength(5);
  await expect(typePage('docs/configuration.md', folder, surroundings)).rejects.toThrow(/keys\.env/);
  expect(readFileSync(file, 'utf8')).toBe(keys);
});

test('docs/monitoring.md gives each alert the whole address of its section', async ({ folder, expect }) => {
  await typePage('docs/monitoring.md', folder, { known: new Map(), environmentOf: () => ({}) });
  const rules = readFileSync(path.join(folder, 'alerts.yml'), 'utf8');
  const links = rules.match(/^ +runbook_url: https:\/\/git\.example\.com\/\S+\/docs\/runbook\.md#[a-z-]+$/gm) ?? [];
  expect(links).toHaveLength(rules.match(/- alert: /g)?.length ?? 0);
});

test('clients/command-line/README.md installs a command line that finds the service', async ({ service, folder }) => {
  writeFileSync(path.join(folder, '.accounts-admin-token'), await newToken(service, 'ADMIN'), { mode: 0o600 });
  await typePage('clients/command-line/README.md', folder, {
    known: new Map([
      ['npm ci && ', ''], // The packages are there.
      ['https://accounts-admin.example', service.apiUrls[0] ?? ''],
    ]),
    environmentOf: () => ({ npm_config_prefix: folder, npm_config_offline: 'true', npm_config_audit: 'false' }),
  });
});

test('docs/production.md sets up database, namespace, builds', async ({
  service,
  ask,
  newPerson,
  folder,
  expect,
  onTestFinished,
}) => {
  const { connectionId, endOutage } = await stuckRevoke(service, ask, newPerson());
  const server = await startPostgres();
  const builds: Part[] = [];
  onTestFinished(async () => {
    for (const build of builds) await build.stop();
    await server.stop();
    endOutage();
  });
  const known = new Map([
    ['WORKFLOW_ID', `disconnect/${connectionId}`],
    ["password '…'", "password 'typed'"],
    ['DEPLOYMENT=production', 'DEPLOYMENT=development'],
    ['accounts_owner:…@db.example.com/accounts?sslmode=verify-full', `accounts_owner:typed@${server.host}/accounts`],
  ]);
  const typed = await typePage('docs/production.md', folder, {
    known,
    environmentOf: (command) => ({ ...environmentIn(service)(command), PGURL: server.url }),
    // The page: "Start workers of the new build beside the old ones."
    async before(command) {
      for (const build of command.includes('set-ramping-version') ? ['1.3.0', '1.4.0'] : []) {
        builds.push(await startBuild(service, server.run, build));
      }
    },
  });

  const settings = readFileSync(path.join(folder, '.env'), 'utf8');
  expect(statSync(path.join(folder, '.env')).mode & 0o777).toBe(0o600);
  const script = typed.find((command) => command.includes('new-production.sh')) ?? '';
  expect(script).not.toBe('');
  await expect(typePage('docs/production.md', folder, { known, environmentOf: () => ({}) })).rejects.toThrow(
    /\.env exists/,
  );
  expect(readFileSync(path.join(folder, '.env'), 'utf8')).toBe(settings);

  const owner = openDatabase(new Secret(`postgres://api:typed@${server.host}/accounts`), {
    poolSize: 1,
    applicationName: 'tests',
  });
  await expect(owner`select count(*)::int as count from app`).resolves.toEqual([{ count: 0 }]); // A right of the role.
  await owner.end();
});

/** An empty Postgres server of its own: roles belong to a whole server. */
async function startPostgres() {
  const run = await openRunFolder();
  const options = await planCluster(run.openMemory(), { durable: false });
  const postgres = new Part(await createPostgresService(options), run);
  await postgres.start();
  return {
    run,
    host: `127.0.0.1:${options.port}`,
    url: buildDatabaseUrl(options, 'postgres'),
    async stop() {
      await postgres.stop();
      run.remove();
    },
  };
}

async function startBuild(
  { settings, database }: TestService,
  run: ConstructorParameters<typeof Part>[1],
  build: string,
) {
  const ports = { ...settings.ports, workerHealth: await findFreePort() };
  const { env, ...worker } = createWorkerService({ ...settings, ports, databaseUrl: database.urls.worker });
  const part = new Part({ ...worker, name: `worker-${build}`, env: { ...env, WORKER_BUILD_ID: build } }, run);
  await part.start();
  return part;
}

describe('the runbook', () => {
  test('has commands, requests, statements that work', async ({ service, ask, newPerson, folder, onTestFinished }) => {
    const person = newPerson();
    const repaired = await stuckRevoke(service, ask, person, /^40 posts/);
    const { connectionId, revokeJobId, endOutage } = await stuckRevoke(service, ask, newPerson());
    onTestFinished(endOutage);
    writeFileSync(path.join(folder, 'ids.txt'), '4711\n');
    writeFileSync(path.join(folder, 'logo.png'), makePng(64, 64));
    const { appId } = service.app;
    const { endpoint } = (
      await ask('mutation ($i: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $i) { endpoint { id } } }', {
        i: { appId, url: 'http://127.0.0.1:9/' },
      })
    ).createWebhookEndpoint as Answer;
    const registration = await findRegistration(service, 'PROVIDER_B');
    const variables = (document: string) => ({
      ...(document.includes('$id') && { id: document.includes('pauseRegistration') ? registration : revokeJobId }),
      ...(document.includes('$appId') && { appId, ...person.scope, subject: person.scope.externalSubjectId }),
    });
    const readonly = openDatabase(new Secret(service.database.urls.readonly), {
      poolSize: 1,
      applicationName: 'tests',
    });
    onTestFinished(() => readonly.end());
    await typePage('docs/runbook.md', folder, {
      known: new Map([
        ['REGISTRATION_ID', registration],
        ['ENDPOINT_ID', endpoint.id],
        ['CONNECTION_ID', repaired.connectionId],
        ['JOB_ID', repaired.revokeJobId],
        ['APP_ID', appId],
        ['WORKFLOW_ID', `disconnect/${connectionId}`],
        ['"tenantKey":"main"', `"tenantKey":"${person.scope.tenantKey}"`],
        ['user-4711', person.scope.externalSubjectId],
      ]),
      environmentOf: environmentIn(service),
      // The page: "Repair the cause", and "A provider is back". A retry that fails again has the exit code 1.
      async before(command) {
        if (command.includes('jobs retry ')) repaired.endOutage();
        if (command.includes('jobs retry-stuck')) endOutage();
      },
      ask: (document) => ask(document, variables(document)),
      query: (statement) => readonly.unsafe(statement),
    });
  });

  test('has views that Temporal accepts', async ({ service, expect }) => {
    const text = readFileSync(path.join(ROOT, 'docs', 'runbook.md'), 'utf8');
    const queries = [...text.matchAll(/^\| [^|]+ \| `([^`]+=[^`]+|[^`]+ IN [^`]+)` \|$/gm)].map(
      ([, query = '']) => query,
    );
    expect(queries.length).toBeGreaterThanOrEqual(6);
    for (const query of queries) {
      expect((await service.temporalClient.workflow.count(query)).count, query).toBeGreaterThanOrEqual(0);
    }
  });
});
