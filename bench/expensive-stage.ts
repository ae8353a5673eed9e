import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { type CallbackSecretId, newId } from '../src/basics/ids.ts';
import { insertCallbackSecret } from '../src/store/erasures/platform-callbacks.ts';
import { insertAdminToken } from '../src/store/operators/admin-tokens.ts';
import { associatedData } from '../src/vault/associated-data.ts';
import { startApis } from '../test/conformance/processes.ts';
import { seedConnection, seedContent } from '../test/kit/seed.ts';
import type { ExpensiveRequest, Sender } from './expensive-requests.ts';

const DAY_MS = 86_400_000;
const POSTS = 50;
const TICK_MS = 10; // USER_HZ is 100 on Linux, wherever it is built.

export interface Reply {
  readonly status: number;
  readonly body: string;
  /** The connection was reset: the status is 0 if that came before the answer. */
  readonly isCutOff: boolean;
}

/** One built api over a real Postgres, a caller who sends expensive requests, and another app that only reads. */
export async function openExpensiveStage() {
  const apis = await startApis(1);
  const [pid = 0] = apis.pids;
  const [url = ''] = apis.urls;
  const [attacker, neighbour] = await Promise.all([apis.newCaller(), apis.newCaller()]);
  const { sql } = apis;
  const { seeded, scope } = attacker;
  const connectionId = await seedConnection(sql, seeded, { scope });
  const metrics = ['VIEWS', 'LIKES', 'COMMENTS', 'SHARES'].map((name) => ({
    name,
    value: '1',
    availability: 'AVAILABLE',
    reason: null,
  }));
  for (let post = 0; post < POSTS; post += 1) {
    await seedContent(sql, connectionId, { publishedAt: new Date(Date.now() - post * DAY_MS), metrics });
  }
  for (const provider of ['PROVIDER_B', 'PROVIDER_C'] as const) {
    for (const secret of ['one', 'two']) {
      const secretId = newId<CallbackSecretId>();
      const sealedSecret = await apis.sealEdge(secret, associatedData.callbackSecret(secretId));
      await insertCallbackSecret(sql, { secretId, registrationId: seeded.registrations[provider], sealedSecret });
    }
  }
  const { token } = await insertAdminToken(sql, {
    label: 'Dear',
    role: 'ADMIN',
    expiresAt: new Date(Date.now() + DAY_MS),
  });
  const sender: Sender = {
    key: seeded.key,
    adminToken: token,
    scope,
    connectionId,
    appId: seeded.app.appId,
    registrations: { b: seeded.registrations.PROVIDER_B, c: seeded.registrations.PROVIDER_C },
  };
  return {
    sender,
    neighbour,
    /** Processor time of the api since it began, in milliseconds. */
    cpuMs: () => cpuMsOf(pid),
    send: (request: Omit<ExpensiveRequest, 'name'>) => send(Number(new URL(url).port), request),
    stop: apis.stop,
  };
}

export type ExpensiveStage = Awaited<ReturnType<typeof openExpensiveStage>>;

function cpuMsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

let senders = 0;

/** Sends a request as it is, from an address of its own: failures of one address are limited. */
async function send(port: number, { method, path, headers, body }: Omit<ExpensiveRequest, 'name'>): Promise<Reply> {
  senders += 1;
  const lines: string[] = [];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  const has = (name: string) => headers.includes(name);
  if (!has('host')) lines.push('host: x');
  if (!has('x-forwarded-for'))
    lines.push(`x-forwarded-for: 10.${senders >> 16}.${(senders >> 8) & 255}.${senders & 255}`);
  if (body !== undefined && !has('transfer-encoding')) lines.push(`content-length: ${Buffer.byteLength(body)}`);
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('data', (data) => {
    answer += data;
  });
  socket.write(`${method} ${path} HTTP/1.1\r\nconnection: close\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
  // The api closes a connection whose body it does not read, and the network may then lose the answer.
  let isCutOff = false;
  socket.on('error', (error: NodeJS.ErrnoException) => {
    isCutOff = error.code === 'ECONNRESET' || error.code === 'EPIPE';
  });
  await new Promise((resolve) => socket.once('close', resolve));
  const end = answer.indexOf('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), body: answer.slice(end + 4), isCutOff };
}
