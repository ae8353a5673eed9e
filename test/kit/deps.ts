import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type DevelopmentKeys, makeKeys } from '../../local/src/development-keys.ts';
import type { Deps } from '../../src/activities/deps.ts';
import { createProviderQueues } from '../../src/activities/provider-queue.ts';
import { forEachProvider, type ProviderName } from '../../src/basics/codes.ts';
import { readConfig } from '../../src/config/config.ts';
import { createJournalKeeper } from '../../src/journal/keep.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { createBusinessClock } from '../../src/store/business-clock.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createOpen } from '../../src/vault/open.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { FAST_PATHS } from './fast-paths.ts';
import { keepLog } from './keep-log.ts';
import { asWorker } from './postgres.ts';

/** A worker's dependencies over one database, with the worker's rights: all real except the given ones. */
export async function createWorkerDeps(
  sql: Database,
  options: {
    providers: Readonly<Record<ProviderName, Provider>>;
    suspendSiblings?: boolean;
    /** By default so many that nothing waits. */
    callsPerSecond?: Deps['callsPerSecond'];
    /** By default so short that an activity runs one step. */
    timeSliceMs?: number;
    environment?: Readonly<Record<string, string>>;
  },
) {
  const before = await makeKeys();
  const keys = rotate(await makeKeys(), before);
  const config = readConfig('worker', {
    ...keys,
    DEPLOYMENT: 'development',
    DATABASE_URL: 'postgres://nobody@localhost/nothing',
    CONNECT_URL: 'http://localhost:4000',
    FAST_PATHS,
    ...options.environment,
  });
  const { log, lines } = keepLog();
  let deliveryRequests = 0;
  const callsPerSecond = options.callsPerSecond ?? forEachProvider(() => 10_000);
  return {
    sql: asWorker(sql),
    clock: createBusinessClock(),
    config,
    providers: options.providers,
    facts: createCatalog(config),
    callsPerSecond,
    providerQueues: createProviderQueues(asWorker(sql), callsPerSecond),
    vault: {
      sealGrant: await createSeal(config.VAULT_GRANT_KEYS),
      openGrant: await createOpen(config.VAULT_GRANT_KEYS),
      openInbox: await createOpen(config.VAULT_INBOX_PRIVATE_KEYS),
      sealEdge: await createSeal(config.VAULT_EDGE_KEYS),
      openEdge: await createOpen(config.VAULT_EDGE_KEYS),
    },
    /** Seals as the api does, for the worker to open. */
    sealInbox: await createSeal(JSON.parse(keys.VAULT_INBOX_PUBLIC_KEYS)),
    /** The work of the keys that were current before the last rotation. */
    before: {
      sealInbox: await createSeal(JSON.parse(before.VAULT_INBOX_PUBLIC_KEYS)),
      sealGrant: await createSeal(JSON.parse(before.VAULT_GRANT_KEYS)),
      mac: createMac(JSON.parse(before.VAULT_MAC_KEYS)),
    },
    mac: createMac(config.VAULT_MAC_KEYS),
    connectUrl: config.CONNECT_URL,
    suspendSiblings: options.suspendSiblings ?? false,
    outbox: {
      deliverSoon: () => {
        deliveryRequests += 1;
      },
    },
    journal: createJournalKeeper(asWorker(sql), undefined),
    timeSliceMs: options.timeSliceMs ?? 0,
    log,
    /** The log, one JSON line each. */
    lines,
    /** The number of requested deliveries. */
    deliveryRequests: () => deliveryRequests,
  };
}

/** The key sets during a rotation: new keys first. */
const rotate = (keys: DevelopmentKeys, before: DevelopmentKeys): DevelopmentKeys => {
  const join = (name: keyof DevelopmentKeys) => ({
    [name]: JSON.stringify({ keys: [keys, before].flatMap((set) => JSON.parse(set[name]).keys) }),
  });
  const names = (Object.keys(keys) as (keyof DevelopmentKeys)[]).filter((name) => name.startsWith('VAULT_'));
  return Object.assign({ ...keys }, ...names.map(join));
};

/** Runs one activity as a worker would, including heartbeats and cancellation. */
export const runActivity = async <Input, Output>(
  activity: (input: Input) => Promise<Output>,
  input: Input,
  attempt = 1,
): Promise<Output> =>
  await new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR') }).run(activity, input);
