// The demo of docs/production.md, which `npm run test:containers` starts: the sandbox and the example caller beside the service, from
// `up` to a connected account, and the remains of its `down`.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { createClient } from 'social-account-connection-client';
import { Agent, buildConnector, setGlobalDispatcher } from 'undici';
import { ROOT } from '../run.mjs';
import { call, findEngine } from './engine.mjs';
import { Report } from './report.mjs';
import { waitFor } from './wait-for.mjs';

const PROJECT = 'social-accounts-demo-test';
const CALLER = 'http://localhost:8070';
const READY_WITHIN_MS = 240_000;
const OUTCOME_WITHIN_MS = 20_000;
const ACCOUNT = /name="account" value="([^"]+)"/;

const engine = findEngine();
const report = new Report();
const filter = ['--filter', `label=com.docker.compose.project=${PROJECT}`];

function compose(...args) {
  const [program = '', ...first] = engine.compose;
  const options = ['--env-file', 'ops/compose/demo.env', '--project-name', PROJECT, '--profile', 'demo'];
  const env = { ...engine.env, VERSION: 'next' };
  const result = spawnSync(program, [...first, ...options, ...args], { cwd: ROOT, env, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`compose ${args.join(' ')} fails:\n${result.stdout}\n${result.stderr}`);
}

/** @returns the state of each container by its service */
function listStates() {
  const ids = call(engine, ['ps', '--all', '--quiet', ...filter])
    .split('\n')
    .filter(Boolean);
  if (ids.length === 0) return {};
  const containers = JSON.parse(call(engine, ['container', 'inspect', ...ids]));
  return Object.fromEntries(
    containers.map(({ Id, Config, State }) => [Config.Labels['com.docker.compose.service'], { Id, ...State }]),
  );
}

/** As a browser, this process finds every name below `localhost` on this machine. */
function reachLocalhost() {
  const connect = buildConnector({ timeout: 5_000 });
  setGlobalDispatcher(
    new Agent({
      connect: (options, callback) => connect({ ...options, hostname: '127.0.0.1', host: '127.0.0.1' }, callback),
    }),
  );
}

/** Posts a form, or opens a page, without following redirects. */
async function visit(url, { fields, cookie, origin } = {}) {
  return await fetch(url, {
    redirect: 'manual',
    method: fields === undefined ? 'GET' : 'POST',
    headers: { ...(cookie && { cookie }), ...(origin && { origin }) },
    ...(fields && { body: new URLSearchParams(fields) }),
  });
}

/** Launches an attempt, agrees to everything at the sandbox, and comes back. @returns where the browser ends */
async function consent({ launchUrl, launchToken }) {
  const launched = await visit(launchUrl, { fields: { launchToken }, origin: CALLER });
  const cookie = launched.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const consentUrl = launched.headers.get('location') ?? '';
  const page = await (await visit(consentUrl)).text();
  const action = (/<form[^>]*\baction="([^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&');
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value.replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
  ]);
  const permissions = [...page.matchAll(/name="permission" value="([^"]+)"/g)].map(([, value]) => [
    'permission',
    value,
  ]);
  const account = ACCOUNT.exec(page)?.[1] ?? '';
  const fields = [...hidden, ...permissions, ['account', account], ['decision', 'allow']];
  const agreed = await visit(new URL(action, consentUrl).href, { fields, origin: new URL(consentUrl).origin });
  const back = await visit(agreed.headers.get('location') ?? '', { cookie });
  return back.headers.get('location') ?? '';
}

async function walk() {
  const startedAt = Date.now();
  compose('up', '--no-build', '--detach');
  await waitFor('the example caller', async () => (await fetch(CALLER)).status === 200, READY_WITHIN_MS);
  const { 'demo-app': setUp, caller } = listStates();
  report.check(`the demo is up after ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`, setUp?.ExitCode === 0, setUp);

  const key = call(engine, ['exec', caller.Id, 'cat', '/demo/app-key']).trim();
  const client = createClient({ url: 'http://127.0.0.1:8080/graphql', key });
  const readiness = await client.integrationReadiness();
  report.check(
    'its app may sign people in, and connect accounts at every platform',
    readiness.idpIdentityAvailable && readiness.providers.every(({ available }) => available),
    readiness,
  );

  const scope = { tenantKey: 'demo', externalSubjectId: 'person-1' };
  const returnUrl = `${CALLER}/connect/return`;
  const input = { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE', 'CONTENT_LIST'], returnUrl };
  const attempt = await client.createConnectSession({ input });
  const end = await consent(attempt);
  const result = await waitFor(
    'the outcome',
    async () => {
      const found = await client.connectSessionResult({ scope, id: attempt.id });
      return ['COMPLETED', 'FAILED'].includes(found.status) && found;
    },
    OUTCOME_WITHIN_MS,
  );
  report.check('a person connects an account', result.status === 'COMPLETED' && end.startsWith(returnUrl), {
    end,
    ...result,
  });

  compose('down', '--volumes');
  const left = ['container', 'volume', 'network'].flatMap((what) => {
    const all = what === 'container' ? ['--all'] : [];
    return call(engine, [what, 'ls', ...all, '--quiet', ...filter])
      .split('\n')
      .filter(Boolean);
  });
  report.check('its down leaves nothing', left.length === 0, left);
}

const names = process.argv.includes('--alone')
  ? spawn(process.execPath, [path.join(import.meta.dirname, 'outer-names.mjs')], { stdio: 'inherit' })
  : undefined;
names?.unref();
process.once('exit', () => names?.kill());
reachLocalhost();
try {
  await walk();
} catch (error) {
  report.check(error instanceof Error ? error.message : String(error), false);
  for (const [service, { Id, Status, ExitCode }] of Object.entries(listStates())) {
    const { stdout, stderr } = spawnSync(engine.program, ['logs', '--tail', '15', Id], {
      env: engine.env,
      encoding: 'utf8',
    });
    console.log(`\n${service}: ${Status}, code ${ExitCode}\n${stdout}${stderr}`);
  }
  compose('down', '--volumes');
} finally {
  report.end();
}
