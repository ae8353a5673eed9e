// The container's health check: the process that runs here, api or worker, must answer where its settings say that it listens. An
// argument names another path, such as /readyz.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readEnvironment } from './dist/config/environment.js';
import { splitPorts } from './dist/config/listen-settings.js';

const LISTENERS = {
  api: { host: 'API_HOST', port: 'API_PORT', usual: '8080' },
  worker: { host: 'WORKER_HEALTH_HOST', port: 'WORKER_HEALTH_PORT', usual: '8081' },
};
/** What a process that listens on every interface answers at. */
const EVERY_INTERFACE = new Set(['*', '::', '[::]', '0.0.0.0']);
const path = process.argv[2] ?? '/healthz';

const PROGRAM = join(import.meta.dirname, 'dist', 'main.js');

/** The first argument of a process of this program. @returns undefined for any other process */
function findRole(pid) {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const folder = readlinkSync(`/proc/${pid}/cwd`);
    const index = words.findIndex((word) => word !== '' && resolve(folder, word) === PROGRAM);
    return index < 0 ? undefined : words[index + 1];
  } catch {
    return undefined; // It has ended, or belongs to another user.
  }
}

/** What runs here: one of the two, whatever ports another container uses in the same network. */
function listRoles() {
  const found = new Set(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(findRole),
  );
  return Object.keys(LISTENERS).filter((role) => found.has(role));
}

/** The addresses at which a process may listen by its settings. */
function listAddresses(role) {
  const { host, port, usual } = LISTENERS[role];
  // biome-ignore lint/style/noProcessEnv: reads the same variables as the service, in the same way.
  const values = splitPorts(readEnvironment({ [host]: '', [port]: '' }, process.env, []), []);
  const given = values[host] ?? '*';
  const hosts = EVERY_INTERFACE.has(given) ? ['127.0.0.1', '[::1]'] : [given.includes(':') ? bracket(given) : given];
  return hosts.map((each) => `http://${each}:${values[port] ?? usual}${path}`);
}

const bracket = (address) => `[${address.replace(/^\[|\]$/g, '')}]`;

async function ask(url) {
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  if (!ok) throw new Error(`${url} answers ${status}.`);
}

try {
  const roles = listRoles();
  if (roles.length === 0) throw new Error('Neither an api nor a worker runs here.');
  for (const role of roles) await Promise.any(listAddresses(role).map(ask));
} catch {
  process.exitCode = 1;
}
