import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { buildHttpUrl } from '../../local/src/ports.ts';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { PERMISSIONS } from '../../test/kit/person.ts';
import type { TestService } from '../../test/kit/service.ts';

export const TASK_QUEUE = 'bare';

/** Starts a program of this folder and waits for its first message. */
async function startProgram(
  name: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Readonly<Record<string, string>> },
): Promise<{ child: ChildProcess; said: unknown; stop(): Promise<void> }> {
  const child = fork(path.join(import.meta.dirname, `${name}.mjs`), args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    execArgv: [],
  });
  const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error(`The bare ${name} did not start.`);
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { child, said, stop };
}

/** Starts a worker on the service's Temporal server. `calls` lists when its calls of `report` began, in ms since 1970. */
export async function startBareWorker({ settings }: TestService) {
  const { child, stop } = await startProgram('worker', {
    args: [settings.temporal.TEMPORAL_ADDRESS ?? '', TASK_QUEUE],
  });
  const calls: number[] = [];
  child.on('message', (beganAt) => calls.push(Number(beganAt)));
  return { calls, pid: child.pid ?? 0, stop };
}

const CALLBACK_PATH = '/api/connect/callback/provider-b';
const CODE_VERIFIER = 'v'.repeat(64);

/** Starts the server that exchanges codes of PROVIDER_B. `authorizeUrl` begins at the platform's consent page. */
export async function startBareExchange({ database, settings }: TestService) {
  const sandbox = buildHttpUrl(settings.ports.sandbox);
  const { clientId, clientSecret } = KNOWN_CLIENTS.PROVIDER_B;
  const { child, said, stop } = await startProgram('exchange', {
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      TOKEN_URL: `${sandbox}/b/open/v2/oauth/token/`,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      CALLBACK_PATH,
      CODE_VERIFIER,
    },
  });
  const query = new URLSearchParams({
    client_key: clientId,
    response_type: 'code',
    scope: PERMISSIONS.PROVIDER_B.join(','),
    redirect_uri: `http://127.0.0.1:${said}${CALLBACK_PATH}`,
    state: 'bare',
    code_challenge: createHash('sha256').update(CODE_VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { authorizeUrl: `${sandbox}/b/www/v2/auth/authorize/?${query}`, pid: child.pid ?? 0, stop };
}

/** Starts the program that commits the service's rows. @returns a function that sends it one request. */
export async function startBareAccepts({ database }: TestService) {
  const env = { DATABASE_URL: database.url, POOL_SIZE: '10', NODE_ENV: 'production' };
  const { child, said, stop } = await startProgram('accepts', { env });
  const accept = async (body: object): Promise<void> => {
    const request = { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${said}`, request);
    const { data, error } = (await response.json()) as { data?: readonly unknown[]; error?: string };
    if (!data?.length) throw new Error(`Not accepted: ${error}`);
  };
  return { accept, pid: child.pid ?? 0, stop };
}
