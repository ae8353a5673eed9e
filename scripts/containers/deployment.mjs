// The second half of `npm run test:containers`, which starts it: a production deployment from docker-compose.yml, used as a
// caller, a person and an operator use it, then restarted, upgraded and stopped.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, waitForJob } from 'social-account-connection-client';
import { Sandbox } from 'social-account-connection-client/sandbox';
import { Agent, buildConnector, setGlobalDispatcher } from 'undici';
import { ROOT } from '../run.mjs';
import { CACHE, call, findEngine } from './engine.mjs';
import { Report } from './report.mjs';
import { waitFor as wait } from './wait-for.mjs';

const PROJECT = 'social-accounts-test';
const CONNECT = 'connect.accounts.example';
const CONSOLE = 'console.accounts.example';
const PLATFORMS = 'platforms.example.com';
const RETURN_URL = 'https://app.example/connect/return';
/** On this machine, where the names above do not resolve. */
const PORTS = { [CONNECT]: 443, [CONSOLE]: 443, [PLATFORMS]: 8443 };
const PUBLISHED = [80, 443, 8080, 8082, 8233, 8443];
const LASTING = ['proxy', 'postgres', 'temporal', 'temporal-ui', 'api', 'worker'];
const ONCE = ['temporal-schema', 'temporal-namespace', 'keys', 'journal', 'migrate'];
const OURS = ['keys', 'journal', 'migrate', 'api', 'worker'];
const READY_WITHIN_MS = 180_000;
const RETRIED_WITHIN_MS = 60_000;
/** `stop_grace_period` of api and worker. */
const GRACE_S = 40;

const engine = findEngine();
const report = new Report();
const folder = mkdtempSync(path.join(tmpdir(), 'containers-'));
const file = (name) => path.join(folder, name);

/** Compose with the settings of this deployment, and the image of a version. */
function compose(version, ...args) {
  const [program = '', ...first] = engine.compose;
  const files = ['docker-compose.yml', path.join('scripts', 'containers', 'platforms.yml')].flatMap((name) => [
    '--file',
    name,
  ]);
  const env = {
    ...engine.env,
    VERSION: version,
    PLATFORMS_CA: file('platforms-ca.crt'),
    SANDBOX_CA: file('sandbox-ca.crt'),
  };
  const options = { cwd: ROOT, env, encoding: 'utf8', maxBuffer: 1e8, timeout: 6 * 60_000 };
  const result = spawnSync(
    program,
    [...first, '--env-file', file('env'), '--project-name', PROJECT, ...files, ...args],
    options,
  );
  if (result.status !== 0) throw new Error(`compose ${args.join(' ')} fails:\n${result.stdout}\n${result.stderr}`);
  return result.stdout;
}

const containers = () =>
  JSON.parse(
    call(engine, [
      'container',
      'inspect',
      ...call(engine, ['ps', '--all', '--quiet', '--filter', `label=com.docker.compose.project=${PROJECT}`])
        .split('\n')
        .filter(Boolean),
    ]),
  ).map((one) => ({ ...one, service: one.Config.Labels['com.docker.compose.service'] }));

const getContainer = (service) => {
  const found = containers().find((one) => one.service === service);
  if (found === undefined) throw new Error(`There is no container of ${service}.`);
  return found;
};

const inside = (service, ...command) => call(engine, ['exec', getContainer(service).Id, ...command]);
const command = (...args) => inside('api', 'node', 'dist/main.js', ...args);
const logsOf = (service) => {
  const { Id } = getContainer(service);
  const { stdout, stderr } = spawnSync(engine.program, ['logs', Id], {
    env: engine.env,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  return `${stdout}${stderr}`;
};

const waitFor = (name, condition, patienceMs = RETRIED_WITHIN_MS) => wait(name, condition, patienceMs);

const isTaken = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

/** As `new-production.sh` gives them, with the platforms' addresses and certificates of Caddy's own authority. */
function writeSettings() {
  const script = path.join(ROOT, 'ops', 'compose', 'new-production.sh');
  const folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
  execFileSync('sh', [script, CONNECT, CONSOLE, '11.111.12.0/24'], { cwd: folder });
  const printed = readFileSync(path.join(folder, '.env'), 'utf8');
  rmSync(folder, { recursive: true });
  const demo = readFileSync(path.join(ROOT, 'ops', 'compose', 'demo.env'), 'utf8');
  const platforms = demo
    .match(/^PROVIDER_.*$/gm)
    ?.join('\n')
    .replaceAll('http://sandbox.localhost:8090', `https://${PLATFORMS}`);
  writeFileSync(file('env'), `${printed}PROXY_OPTIONS=local_certs\n${platforms}\n`, { mode: 0o600 });
  return [...printed.matchAll(/^\w+_PASSWORD=(\w+)$/gm)].map(([, password = '']) => password);
}

/** Caddy's own authority in a container, once it exists. */
const readAuthority = (service) =>
  waitFor(`the certificates of ${service}`, () => inside(service, 'cat', '/data/caddy/pki/authorities/local/root.crt'));

/** Sends the requests of this process to the proxies, with the names of this deployment and a check of the certificates. */
function reach(authorities) {
  const toProxy = buildConnector({ ca: authorities, timeout: 5_000 });
  const connectTo = (options, callback) =>
    toProxy(
      {
        ...options,
        host: '127.0.0.1',
        hostname: '127.0.0.1',
        port: String(PORTS[options.hostname]),
        servername: options.hostname,
      },
      callback,
    );
  setGlobalDispatcher(new Agent({ connect: connectTo }));
}

/** The status of a path over plain http. */
const askWithoutTls = (host) =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: 80, path: '/', headers: { host } }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, location: response.headers.location });
    })
      .once('error', reject)
      .end();
  });

const ready = (name) =>
  waitFor(name, async () => (await fetch(`https://${CONNECT}/readyz`)).status === 200, READY_WITHIN_MS);

const readValue = (text, name) => new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(text)?.[1] ?? '';

/** Sets up an app, as docs/walkthrough.md does on the command line. */
async function setUpApp(sandbox) {
  const app = readValue(command('app', 'create', '--name', 'Test'), 'id');
  command('tenant', 'add', '--app', app, '--tenant', 'main');
  command('return-url', 'add', '--app', app, '--url', RETURN_URL);
  const capabilities = ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'];
  command(
    'policy',
    'set',
    '--app',
    app,
    '--provider',
    'PROVIDER_B',
    ...capabilities.flatMap((one) => ['--capability', one]),
  );
  const create = [
    'registration',
    'create',
    '--provider',
    'PROVIDER_B',
    '--label',
    'Test',
    '--client-id',
    'sandbox-client-b',
  ];
  const created = call(engine, ['exec', '--interactive', getContainer('api').Id, 'node', 'dist/main.js', ...create], {
    input: 'sandbox-secret-b\n',
  });
  command('registration', 'serve', '--registration', readValue(created, 'id'), '--app', app);
  const callback = `https://${CONNECT}/api/connect/callback/provider-b`;
  await sandbox.control('POST', 'clients', {
    provider: 'PROVIDER_B',
    clientId: 'sandbox-client-b',
    redirectUris: [callback],
  });
  return readValue(command('key', 'issue', '--app', app), 'secret');
}

/** Connects an account as a person in a browser. @returns the attempt's result */
async function connectAccount(client, sandbox, scope, account) {
  const input = {
    scope,
    provider: 'PROVIDER_B',
    capabilities: ['PROFILE', 'CONTENT_LIST', 'CONTENT_METRICS'],
    returnUrl: RETURN_URL,
  };
  const attempt = await client.createConnectSession({ input });
  await sandbox.connect(attempt, { account });
  return await waitFor('the outcome', async () => {
    const result = await client.connectSessionResult({ scope, id: attempt.id });
    return ['COMPLETED', 'FAILED'].includes(result.status) && result;
  });
}

const window = () => ({
  publishedAfter: new Date(Date.now() - 30 * 86_400_000).toISOString(),
  publishedBefore: new Date().toISOString(),
});

/** Scans, and lists the stored posts. @returns the job, and the number of posts */
async function scan(client, scope, connectionId) {
  const job = await client.requestRefresh({ scope, connectionId, window: { ...window(), maxItems: 100 } });
  const { status, errorCode } = await waitForJob(client, { scope, connectionId, id: job.id });
  const { items } = await client.content({ scope, connectionId, window: { ...window(), first: 50 } });
  return { status, errorCode, posts: items.length };
}

/** Signs in to the console with a token, as its page does. @returns the status of a page and of an operation */
async function signIn(token) {
  const headers = { origin: `https://${CONSOLE}`, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const page = await fetch(`https://${CONSOLE}/admin`);
  const session = await fetch(`https://${CONSOLE}/api/admin/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token }),
  });
  const cookie = session.headers.getSetCookie()[0] ?? '';
  const answer = await fetch(`https://${CONSOLE}/api/admin/graphql`, {
    method: 'POST',
    headers: { ...headers, cookie: cookie.split(';')[0] ?? '' },
    body: JSON.stringify({ query: '{ apps { items { name } } }' }),
  });
  return { page: page.status, session: session.status, cookie, answer: await answer.json() };
}

/** The kernel's facts about the first process of each running container. */
function checkRestrictions() {
  for (const { service, State, HostConfig } of containers().filter(({ State: state }) => state.Running)) {
    if (!LASTING.includes(service)) continue;
    const status = call(engine, ['exec', getContainer(service).Id, 'cat', '/proc/1/status']);
    const value = (name) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];
    const bounding = BigInt(`0x${value('CapBnd')}`);
    const allowed =
      { proxy: 1n << 10n, postgres: (1n << 0n) | (1n << 1n) | (1n << 3n) | (1n << 6n) | (1n << 7n) }[service] ?? 0n;
    report.check(
      `${service}: no new privileges, no capability beyond its list, ${HostConfig.ReadonlyRootfs ? 'read-only root' : 'WRITABLE root'}`,
      value('NoNewPrivs') === '1' && (bounding & ~allowed) === 0n && HostConfig.ReadonlyRootfs === true,
      {
        noNewPrivileges: value('NoNewPrivs'),
        bounding: value('CapBnd'),
        readOnly: HostConfig.ReadonlyRootfs,
        pid: State.Pid,
      },
    );
  }
  for (const service of ['api', 'worker']) {
    const written = spawnSync(engine.program, ['exec', getContainer(service).Id, 'touch', '/app/x'], {
      env: engine.env,
    });
    report.check(
      `${service}: runs as user 1000 and cannot write /app`,
      inside(service, 'id', '-u').trim() === '1000' && written.status !== 0,
    );
  }
}

/** @param secrets must be in no log */
function checkLogs(secrets) {
  for (const service of OURS.filter((name) => !['keys', 'journal'].includes(name))) {
    const lines = logsOf(service).split('\n').filter(Boolean);
    const isJson = (line) => {
      try {
        return typeof JSON.parse(line).message === 'string';
      } catch {
        return false;
      }
    };
    report.check(
      `${service}: ${lines.length} lines of log, all of them JSON`,
      lines.length > 0 && lines.every(isJson),
      lines.find((line) => !isJson(line)),
    );
  }
  const leaking = [...LASTING, ...ONCE].filter((service) => secrets.some((secret) => logsOf(service).includes(secret)));
  report.check('no log of any container has a password, a key or a token', leaking.length === 0, leaking);
}

async function walk() {
  const passwords = writeSettings();
  for (const name of ['platforms-ca.crt', 'sandbox-ca.crt']) writeFileSync(file(name), '', { mode: 0o644 });
  const startedAt = Date.now();
  const seconds = (since) => ((Date.now() - since) / 1_000).toFixed(1);

  compose('previous', 'up', '--no-build', '--detach', 'platforms-proxy');
  const platformsAuthority = await readAuthority('platforms-proxy');
  writeFileSync(file('platforms-ca.crt'), platformsAuthority);
  compose('previous', 'up', '--no-build', '--detach');
  const connectAuthority = await readAuthority('proxy');
  // As the browser of a person, the sandbox goes from the launch page to its own consent page.
  writeFileSync(file('sandbox-ca.crt'), connectAuthority + platformsAuthority);
  call(engine, ['restart', getContainer('platforms').Id]); // It reads authorities when it starts.
  reach([platformsAuthority, connectAuthority]);
  await ready('the first start');
  report.check(
    `the settings of new-production.sh start a production deployment, ready after ${seconds(startedAt)} s`,
    true,
  );

  const ended = () => containers().filter(({ service }) => ONCE.includes(service));
  const codes = Object.fromEntries(ended().map(({ service, State }) => [service, State.ExitCode]));
  report.check(
    'the steps that run once end with code 0',
    ONCE.every((service) => codes[service] === 0),
    codes,
  );
  await waitFor('every container runs', () => LASTING.every((service) => getContainer(service).State.Running));
  checkRestrictions();

  const plain = await askWithoutTls(CONNECT);
  report.check('plain http is sent to https', plain.status === 308 && plain.location === `https://${CONNECT}/`, plain);
  const token = readValue(
    command('admin', 'token', 'create', '--role', 'ADMIN', '--expires', new Date(Date.now() + 3_600_000).toISOString()),
    'token',
  );
  const operator = await signIn(token);
  report.check(
    'an operator signs in to the console over https',
    operator.page === 200 &&
      operator.session === 204 &&
      /; Secure/i.test(operator.cookie) &&
      Array.isArray(operator.answer.data?.apps?.items),
    operator,
  );

  const sandbox = new Sandbox({
    sandboxUrl: `https://${PLATFORMS}`,
    connectUrl: `https://${CONNECT}`,
    app: { returnUrl: RETURN_URL },
  });
  const key = await setUpApp(sandbox);
  const client = createClient({ url: `https://${CONNECT}/graphql`, key });
  const scope = { tenantKey: 'main', externalSubjectId: 'person-1' };
  const account = (await sandbox.listAccounts('PROVIDER_B')).find(({ note }) => note.startsWith('250 posts')).id;
  const isLive = async () =>
    (await sandbox.control('GET', 'grants')).some((grant) => grant.accountId === account && grant.endedAt === null);

  const connectingAt = Date.now();
  const { status, resultCode, connectionId } = await connectAccount(client, sandbox, scope, account);
  report.check(
    `a person connects an account, in ${seconds(connectingAt)} s`,
    status === 'COMPLETED' && (await isLive()),
    { status, resultCode },
  );
  const first = await scan(client, scope, connectionId);
  report.check('a scan reads the posts of 30 days', first.status === 'SUCCEEDED' && first.posts > 0, first);

  const restartedAt = Date.now();
  compose('previous', 'stop', ...LASTING);
  const stopped = Object.fromEntries(
    containers()
      .filter(({ service }) => LASTING.includes(service))
      .map(({ service, State }) => [service, State.ExitCode]),
  );
  const stopSeconds = (Date.now() - restartedAt) / 1_000;
  report.check(
    `every container ends by itself when it is told to; all of them took ${stopSeconds.toFixed(1)} s`,
    LASTING.every((service) => [0, service === 'temporal-ui' ? 143 : 0].includes(stopped[service])) &&
      stopSeconds < LASTING.length * GRACE_S,
    stopped,
  );
  compose('previous', 'up', '--no-build', '--detach');
  await ready('the restart');
  const kept = await client.connection({ scope, id: connectionId });
  report.check(
    `after a restart (${seconds(restartedAt)} s) the connection is there`,
    kept.status === 'CONNECTED',
    kept,
  );

  const upgradedAt = Date.now();
  compose('next', 'up', '--no-build', '--detach');
  await waitFor(
    'the new version',
    () => getContainer('api').Config.Image.endsWith(':next') && getContainer('worker').State.Running,
  );
  await ready('the upgrade');
  report.check(
    `an upgrade replaces api and worker, in ${seconds(upgradedAt)} s`,
    getContainer('migrate').State.ExitCode === 0,
  );
  const second = await scan(client, scope, connectionId);
  report.check(
    'the new version scans with the grant of the previous one',
    second.status === 'SUCCEEDED' && second.posts > 0,
    second,
  );

  const replay = compose(
    'next',
    '--profile',
    'maintenance',
    'run',
    '--rm',
    'maintenance',
    'restore',
    'replay',
    '--dry-run',
  );
  report.check('the maintenance container reads the journal', /\S/.test(replay), replay);

  const { revokeJobId, eraseJobId } = await client.disconnectConnection({ scope, connectionId });
  const jobs = await Promise.all(
    [revokeJobId, eraseJobId].map((id) => waitForJob(client, { scope, connectionId, id })),
  );
  report.check(
    'a disconnect leaves both receipts, and no grant at the platform',
    jobs.every((job) => job.status === 'SUCCEEDED') && !(await isLive()),
    jobs,
  );
  checkLogs([...passwords, key, token, 'sandbox-secret-b']);
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function removeWhatAKilledRunLeft() {
  const pidFile = path.join(CACHE, 'deployment.pid');
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : undefined;
  if (pid !== undefined && isAlive(pid)) {
    console.error(`Another run is under way: process ${pid}.`);
    process.exit(1);
  }
  writeFileSync(pidFile, String(process.pid));
  process.once('exit', () => rmSync(pidFile, { force: true }));
  for (const [what, ...remove] of [
    ['container', 'rm', '--force'],
    ['volume', 'rm', '--force'],
    ['network', 'rm'],
  ]) {
    const all = what === 'container' ? ['--all'] : [];
    const list = [what, 'ls', ...all, '--quiet', '--filter', `label=com.docker.compose.project=${PROJECT}`];
    const left = call(engine, list).split('\n').filter(Boolean);
    if (left.length === 0) continue;
    call(engine, [what, ...remove, ...left]);
    report.note(`removed ${left.length} of kind ${what} that a killed run left`);
  }
}

/** Alone in a network namespace, see outer-names.mjs. */
const names = process.argv.includes('--alone')
  ? spawn(process.execPath, [path.join(import.meta.dirname, 'outer-names.mjs')], { stdio: 'inherit' })
  : undefined;
names?.unref();
process.once('exit', () => names?.kill());
for (const port of PUBLISHED) {
  if (await isTaken(port)) {
    console.error(`Port ${port} on this machine is taken. The compose file publishes it.`);
    process.exit(1);
  }
}
removeWhatAKilledRunLeft();
try {
  await walk();
} catch (error) {
  report.check(error instanceof Error ? error.message : String(error), false);
  for (const { service, State } of existsSync(file('env')) ? containers() : []) {
    console.log(
      `\n${service}: ${State.Status}, code ${State.ExitCode}\n${logsOf(service).split('\n').slice(-15).join('\n')}`,
    );
  }
} finally {
  compose('next', '--profile', 'maintenance', 'down', '--volumes');
  rmSync(folder, { recursive: true });
  report.end();
}
