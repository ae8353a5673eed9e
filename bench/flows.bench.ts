import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { PROVIDER_NAMES, type ProviderName } from '../src/providers/provider.ts';
import type { Answer } from '../test/kit/graphql.ts';
import { lastDays, PERMISSIONS, type Person } from '../test/stack/person.ts';
import { stackTest } from '../test/stack/stack.ts';
import { startBareWorker, TASK_QUEUE } from './bare/processes.ts';
import { print, timed } from './side-by-side.ts';

const test = stackTest({ adjustments: { LOG_LEVEL: 'warn' } });
const ROUNDS = 12;
const WARM_UPS = 3;
const POSTS: Readonly<Record<ProviderName, RegExp>> = {
  PROVIDER_A: /posts/,
  PROVIDER_B: /^250 posts/,
  PROVIDER_C: /posts/,
};

/** Polls every few milliseconds, as a caller would. */
const until = <T>(check: () => Promise<T | false>) => vi.waitUntil(check, { timeout: 60_000, interval: 5 });

const jobEnds = (person: Person, connectionId: string, id: string) =>
  until(async () => {
    const { status } = await person.ask('syncJob', { connectionId, id });
    if (status === 'FAILED') throw new Error('A job has failed.');
    return status === 'SUCCEEDED';
  });

/** Connects, scans and disconnects one account. @returns the duration of each part. */
async function lifetime(person: Person, provider: ProviderName): Promise<Record<string, number>> {
  const account = person.account(provider, POSTS[provider]);
  const session = await person.createSession(provider);
  const consent = await person.launch(session);
  let result: Answer;
  let connection: Answer;
  const completed = async () => {
    result = await person.ask('connectSessionResult', { id: session.id });
    return result.status === 'COMPLETED';
  };
  const scanned = async () => {
    connection = await person.connection(result.connectionId);
    return connection.syncStatus === 'READY';
  };
  const connected = await timed(async () => {
    await person.agree(consent, account, PERMISSIONS[provider]);
    await until(completed);
  });
  const firstScan = await timed(() => until(scanned));
  const connectionId = result.connectionId as string;
  const scan = await timed(async () => {
    const { id } = await person.ask('requestRefresh', { connectionId, window: lastDays(80) });
    await jobEnds(person, connectionId, id);
  });
  const { items } = await person.ask('content', { connectionId, window: { ...lastDays(80), first: 1 } });
  const lookup = await timed(async () => {
    const { id } = await person.ask('requestContentLookup', { connectionId, url: items[0].canonicalUrl });
    await jobEnds(person, connectionId, id);
  });
  const disconnect = await timed(async () => {
    const { revokeJobId, eraseJobId } = await person.ask('disconnectConnection', { connectionId });
    await jobEnds(person, connectionId, revokeJobId);
    await jobEnds(person, connectionId, eraseJobId);
  });
  return {
    'from consent to COMPLETED': connected,
    'from consent to the first scan done': connected + firstScan,
    'a scan of up to 100 posts': scan,
    'a lookup by URL': lookup,
    'from disconnect to both receipts': disconnect,
  };
}

test('flows', async ({ service, newPerson }) => {
  const { temporalClient } = service;
  const bare = await startBareWorker(service);
  const taken = new Map<string, number[]>();
  const note = (round: number, name: string, ms: number) => {
    if (round >= 0) taken.set(name, [...(taken.get(name) ?? []), ms]);
  };
  const workflow = () =>
    temporalClient.workflow.execute('callOnce', { taskQueue: TASK_QUEUE, workflowId: randomUUID() });
  try {
    for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
      note(round, 'a bare workflow with one empty call', await timed(workflow));
      for (const provider of PROVIDER_NAMES) {
        const parts = await lifetime(newPerson(), provider);
        for (const [part, ms] of Object.entries(parts)) note(round, `${provider}: ${part}`, ms);
      }
    }
  } finally {
    await bare.stop();
  }
  const rows = [...taken].map(([name, values]) => ({ name, taken: values }));
  print('From a request to its result, including the calls to the sandbox', rows);
});
