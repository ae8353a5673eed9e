import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../basics/listen.ts';
import { askLine, tell } from './terminal.ts';

/** How long a person may take at the platform. */
const PATIENCE_MS = 10 * 60_000;
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The port on which the redirect URI arrives: its own if it is on this machine, or the one to which a proxy or a tunnel
 * forwards it.
 * @returns undefined if it arrives elsewhere
 */
export function findListenPort(redirectUri: string, given: number | undefined): number | undefined {
  const { protocol, hostname, port } = new URL(redirectUri);
  if (given !== undefined) return given;
  return protocol === 'http:' && LOOPBACK.includes(hostname) ? Number(port || 80) : undefined;
}

/**
 * Waits until the browser arrives at the redirect URI with this state, or asks for the address that it arrived at.
 * @returns the query; undefined if the person gives up with an empty line, or after ten minutes
 */
export async function awaitCallback(
  redirectUri: string,
  state: string,
  port: number | undefined,
): Promise<URLSearchParams | undefined> {
  if (port !== undefined) return await receive(new URL(redirectUri).pathname, state, port);
  for (;;) {
    const text = await askLine(
      'The address at which the browser arrived (empty if it shows an error of the platform): ',
    );
    if (text === '') return undefined;
    const query = URL.canParse(text) ? new URL(text).searchParams : new URLSearchParams();
    if (query.get('state') === state) return query;
    tell('This address does not belong to the request: its state differs.');
  }
}

async function receive(path: string, state: string, port: number): Promise<URLSearchParams | undefined> {
  const ended = new AbortController();
  const server = createServer();
  const terminal = createInterface({ input: process.stdin });
  try {
    return await new Promise<URLSearchParams | undefined>((resolve, reject) => {
      server.on('request', (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://callback');
        const isAnswer = request.method === 'GET' && pathname === path && searchParams.get('state') === state;
        response.writeHead(isAnswer ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
        response.end(isAnswer ? 'Received. Close this page and go back to the terminal.\n' : 'Not expected here.\n');
        if (isAnswer) response.once('close', () => resolve(searchParams));
      });
      listen(server, { host: '127.0.0.1', port }).then(() => {
        tell(`Waiting for the callback on 127.0.0.1:${port}, for ten minutes.`);
        tell('If the browser shows an error of the platform, press Enter.');
      }, reject);
      terminal.once('line', () => resolve(undefined));
      delay(PATIENCE_MS, undefined, { signal: ended.signal }).then(
        () => resolve(undefined),
        () => undefined,
      );
    });
  } finally {
    ended.abort();
    terminal.close();
    server.close();
  }
}
