import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { Part } from '../kit/processes.ts';
import { CACHE, type RunFolder } from '../kit/run-folder.ts';
import type { Detour, Link } from '../kit/temporal-server.ts';

const VERSION = 'v2.12.0';
const BIN = path.join(CACHE, 'toxiproxy');

/** The faults of a connection. Names and attributes are Toxiproxy's. */
const TOXICS = {
  /** Every answer is late. */
  delayed: { type: 'latency', attributes: { latency: 400, jitter: 300 } },
  /** An answer ends in its middle, and so does the connection. */
  halved: { type: 'limit_data', attributes: { bytes: 700 } },
  /** The connection stays open, and nothing arrives any more. */
  silent: { type: 'timeout', attributes: { timeout: 0 } },
  /** An answer arrives in small pieces. */
  sliced: { type: 'slicer', attributes: { average_size: 40, size_variation: 20, delay: 2_000 } },
} as const;
export const TROUBLES = ['cut', 'delayed', 'halved', 'silent', 'sliced'] as const;

/** Connections that can be broken. */
export interface Network {
  /** Each lies between two parts, or before a server that all reach alike. */
  readonly links: readonly Link[];
  readonly detour: Detour;
  /** Breaks all connections of a link, by its name, `meanwhile`. `cut` also refuses new ones. */
  disturb(link: string, trouble: (typeof TROUBLES)[number], meanwhile: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Starts Toxiproxy. @throws Error if it is neither on the PATH nor can be built */
export async function openNetwork(run: RunFolder): Promise<Network> {
  const port = await findFreePort();
  const url = `http://${LOOPBACK}:${port}`;
  const part = new Part(
    {
      name: 'toxiproxy',
      program: findToxiproxy(),
      args: ['-host', LOOPBACK, '-port', String(port)],
      env: { LOG_LEVEL: 'error' },
      cwd: run.folder,
      stop: { signal: 'SIGTERM', patienceMs: 2_000 },
      isReady: async () => (await fetch(`${url}/version`)).ok,
    },
    run,
  );
  await part.start();
  const ask = async (method: string, resource: string, body: object = {}) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}${resource}`, {
      method,
      headers,
      ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Toxiproxy answered ${response.status} to ${method} ${resource}: ${text}`);
  };
  const links: Link[] = [];
  return {
    links,
    async detour(link, to, address) {
      const from = address === undefined ? await findFreePort() : to;
      const listen = `${address ?? LOOPBACK}:${from}`;
      await ask('POST', '/proxies', { name: nameLink(link), listen, upstream: `${LOOPBACK}:${to}` });
      links.push(link);
      return from;
    },
    async disturb(link, trouble, meanwhile) {
      const proxy = `/proxies/${link}`;
      if (trouble === 'cut') await ask('POST', proxy, { enabled: false });
      else await ask('POST', `${proxy}/toxics`, { name: trouble, stream: 'downstream', ...TOXICS[trouble] });
      try {
        await meanwhile();
      } finally {
        if (trouble === 'cut') await ask('POST', proxy, { enabled: true });
        else await ask('DELETE', `${proxy}/toxics/${trouble}`);
      }
    },
    close: () => part.stop(),
  };
}

export const nameLink = ({ from, to }: Link): string => `${from}-to-${to}`;

/** Finds Toxiproxy on the PATH, or builds it once from its Go module. @returns the program's name or path */
function findToxiproxy(): string {
  try {
    execFileSync('toxiproxy-server', ['-version'], { stdio: 'ignore' });
    return 'toxiproxy-server';
  } catch {
    const built = path.join(BIN, 'server');
    if (!existsSync(built)) {
      console.log(`Building Toxiproxy ${VERSION} from its Go module, once…`);
      execFileSync('go', ['install', `github.com/Shopify/toxiproxy/v2/cmd/server@${VERSION}`], {
        env: { ...process.env, GOBIN: BIN },
        stdio: 'inherit',
      });
    }
    return built;
  }
}
