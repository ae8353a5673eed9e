import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { WEBHOOK_EVENT_TYPES } from '../../src/basics/codes.ts';
import { check } from '../history/check.ts';
import type { Entry } from '../history/history.ts';
import { EMPTY, recordCalls } from '../history/run.ts';
import { prepareCluster } from '../kit/cluster.ts';
import { ask, Refusal } from '../kit/graphql.ts';
import { lastDays, Person } from '../kit/person.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import { startTestService, type TestService } from '../kit/service.ts';
import { makeTrouble } from '../kit/trouble.ts';
import { openReceiver, type Receiver } from '../kit/webhook-receiver.ts';
import { addEndpoint } from '../stack/webhook-endpoint.ts';
import { startNodes } from './nodes.ts';
import { Probes } from './probes.ts';
import { openSwitch } from './switch.ts';

export interface StageOptions {
  readonly synchronous?: boolean;
  readonly withJournal?: boolean;
}

/** The service on a Postgres with a standby, behind one address. */
export type Stage = Awaited<ReturnType<typeof openStage>>;
export type Job = Awaited<ReturnType<Stage['startJob']>>;

export interface Member {
  readonly person: Person;
  readonly account: string;
  readonly connectionId: string;
}

/** A stage that answers requests, until its test ends. */
export async function open(options: StageOptions): Promise<Stage> {
  const stage = await openStage(options);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const part of [...stage.service.apis, ...stage.service.workers]) console.error(part.lastLines());
    await stage.close();
  });
  await stage.probes.secondsUntilGood('write', performance.now());
  return stage;
}

async function openStage({ synchronous = false, withJournal = false }: StageOptions) {
  const run = await openRunFolder();
  const closing: (() => Promise<unknown>)[] = [async () => run.remove()];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const nodes = await startNodes(run);
    closing.push(() => nodes.close());
    const receiver = await openReceiver();
    closing.push(() => receiver.close());
    const address = await openSwitch(nodes.ports.primary);
    closing.push(() => address.close());
    const journal = path.join(run.folder, 'journal');
    mkdirSync(journal, { mode: 0o755 });
    const service = await startTestService({
      cluster: await prepareCluster({ ...nodes.options, port: address.port }),
      adjustments: { SUSPEND_SIBLINGS: 'true', ...(withJournal && { ERASURE_JOURNAL: journal }) },
    });
    closing.push(async () => {
      address.cut(); // The tests' own connections may hang.
      await service.stop();
    });
    await addEndpoint(service, receiver.url, WEBHOOK_EVENT_TYPES);
    const connect = async (provider: 'PROVIDER_A' | 'PROVIDER_B', note: RegExp): Promise<Member> => {
      const person = new Person(service);
      const account = person.account(provider, note);
      const { connectionId } = await person.connect(provider, account);
      await person.synced(connectionId);
      return { person, account, connectionId };
    };
    const reader = await connect('PROVIDER_B', /^250 posts/);
    if (synchronous) await nodes.setSynchronous();
    const accepted: Awaited<ReturnType<typeof openSession>>[] = [];
    const probes = new Probes({
      read: { everyMs: 100, ask: () => reader.person.connection(reader.connectionId) },
      write: { everyMs: 250, ask: async () => accepted.push(await openSession(service)) },
      ready: { everyMs: 100, ask: () => requireReady(service) },
    });
    closing.push(() => probes.stop());
    /** Sessions that were accepted and cannot be read any more. */
    const countLost = async () => {
      let lost = 0;
      for (const { scope, id } of accepted) {
        const person = Object.assign(new Person(service), { scope });
        const found = await retry(() => person.ask('connectSessionResult', { id }));
        if (found === 'NOT_FOUND') lost += 1;
      }
      return lost;
    };
    return {
      service,
      nodes,
      /** The only address of Postgres that the service knows. */
      address,
      /** The app's server for webhooks of all types. */
      receiver,
      /** A person who is connected at PROVIDER_B with many posts. */
      reader,
      probes,
      connect,
      /** Starts a scan of many pages, each of which the platform answers slowly until `hurry`. @returns when it is under way */
      startJob: async () => {
        const { person, connectionId, account } = reader;
        const slow = makeTrouble(service, {
          provider: 'PROVIDER_B',
          route: 'videoList',
          account,
          what: { kind: 'slow', delayMs: 2_000 },
        });
        const { id } = await person.ask('requestRefresh', { connectionId, window: lastDays(80) });
        await slow.met();
        return { ended: waitForEnd(person, connectionId, id), hurry: slow.end };
      },
      /** Promotes the standby and leads the address to it. @returns when it accepts writes. */
      async failOver() {
        const writableAt = await nodes.promote();
        address.leadTo(nodes.ports.standby);
        address.cut();
        return Math.max(writableAt, performance.now());
      },
      /** In seconds, how long each kind of request was not answered well. It ends the probes. @param from by `performance.now()` */
      async measure(from: number) {
        const [read, write, ready] = await Promise.all(
          (['read', 'write', 'ready'] as const).map((kind) => probes.secondsUntilGood(kind, from)),
        );
        await probes.stop();
        const dark = { read: Number(read), write: Number(write), ready: Number(ready) };
        // 0 if the api never stopped to receive notifications.
        const figures = { ...dark, listen: await waitForListener(service, from), lost: await countLost() };
        console.log(JSON.stringify(figures));
        return { ...figures, doubled: countBroken(service, receiver) };
      },
      countLost,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Of a new person each time: no one has more than a few open sessions. */
async function openSession({ app, apiUrls }: TestService) {
  const scope = { tenantKey: app.tenantKey, externalSubjectId: `probe-${randomUUID()}` };
  const input = { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl: app.returnUrl };
  const { id } = await ask(`${apiUrls[0]}/graphql`, app.key, 'createConnectSession', { input });
  return { scope, id: String(id) };
}

async function requireReady({ apiUrls }: TestService): Promise<void> {
  const response = await fetch(`${apiUrls[0]}/readyz`);
  const text = await response.text();
  if (!response.ok) throw new Error(`Not ready: ${text}`);
}

async function waitForListener({ apis: [api] }: TestService, from: number): Promise<number> {
  const fromMs = Date.now() - performance.now() + from;
  const listTimes = (message: string) =>
    (api?.log ?? '')
      .split('\n')
      .filter((line) => line.includes(`"message":"${message}"`))
      .map((line) => Date.parse(JSON.parse(line).time));
  return await vi
    .waitUntil(
      () => {
        const lostAt = Math.max(0, ...listTimes('Listener lost'));
        const againAt = listTimes('Listening').find((at) => at >= lostAt);
        return (
          againAt !== undefined && { seconds: lostAt < fromMs && againAt < fromMs ? 0 : (againAt - fromMs) / 1_000 }
        );
      },
      { timeout: 60_000, interval: 100 },
    )
    .then(({ seconds }) => Math.max(0, seconds));
}

/** The promises that platforms and webhooks saw broken. */
function countBroken({ sandbox }: TestService, { received }: Receiver): number {
  const events = received.map(({ body }) => JSON.parse(body));
  const entries = events.map(
    ({ id, type, data }): Entry => ({ at: 0, flow: 'run', type: 'event', id, event: type, data }),
  );
  const calls = recordCalls(sandbox.control.calls());
  return check({ ...EMPTY, entries, platform: { ...EMPTY.platform, calls } }).length;
}

async function waitForEnd(person: Person, connectionId: string, id: string) {
  const job = await vi.waitUntil(
    async () => {
      const found = await person.ask('syncJob', { connectionId, id }).catch(() => undefined);
      return found !== undefined && !['QUEUED', 'RUNNING'].includes(found.status) && found;
    },
    { timeout: 180_000, interval: 100 },
  );
  return { status: String(job.status), endedAt: performance.now() };
}

/** @returns the answer, or the code of a refusal that no repeat changes. */
export async function retry<T>(act: () => Promise<T>): Promise<T | string> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'UPSTREAM_UNAVAILABLE') return error.code;
      if (tries === 100) throw error;
      await delay(200);
    }
  }
}
