import { createReadLines } from '../activities/read-line.ts';
import type { WorkerConfig } from '../config.ts';
import { createSignIn } from '../identity/sign-in.ts';
import { openJournalKeeper } from '../journal/keep.ts';
import type { Log } from '../log.ts';
import { createDispatcher } from '../outbox/dispatcher.ts';
import { createAdapters } from '../providers/adapters.ts';
import { createCatalog } from '../providers/catalog.ts';
import { createDnsLookup } from '../providers/dns-lookup.ts';
import { createHttp } from '../providers/http.ts';
import { openLastingPool } from '../store/lasting-pool.ts';
import { openDatabase } from '../store/sql.ts';
import { createTemporalClient } from '../temporal.ts';
import { createMac } from '../vault/mac.ts';
import { createOpen } from '../vault/open.ts';
import { createSeal } from '../vault/seal.ts';

/** Long enough for a usual scan, and short for the others that wait for the worker's slot. */
const STRETCH_MS = 5_000;

/** Creates the dependencies of activities. */
export async function createWorkerDeps(config: WorkerConfig, log: Log) {
  const openPool = () =>
    openDatabase(config.DATABASE_URL, {
      poolSize: config.DATABASE_POOL_SIZE,
      applicationName: 'worker',
      ca: config.DATABASE_CA,
    });
  const sql = openLastingPool(openPool, () => log.warn('Silent database connections replaced'));
  const temporal = createTemporalClient(config);
  const taskQueue = config.TASK_QUEUE;
  const dispatcher = createDispatcher({ sql, client: temporal, taskQueue, log });
  const production = config.DEPLOYMENT === 'production';
  const userAgent = 'social-account-connection-service';
  const http = createHttp({ production, userAgent });
  // Its sockets lead to hosts that callers name: they are never those of a platform.
  const webhookHttp = createHttp({
    production,
    userAgent,
    privateNetworks: config.WEBHOOK_PRIVATE_NETWORKS ?? [],
    ...(production && { lookUp: createDnsLookup() }), // In development, a hosts file may name an app's server.
  });
  const callsPerSecond = {
    PROVIDER_A: config.PROVIDER_A_CALLS_PER_SECOND,
    PROVIDER_B: config.PROVIDER_B_CALLS_PER_SECOND,
    PROVIDER_C: config.PROVIDER_C_CALLS_PER_SECOND,
  };
  return {
    production,
    sql,
    providers: createAdapters(config, http),
    facts: createCatalog(config),
    callsPerSecond,
    readLines: createReadLines(sql, callsPerSecond),
    vault: {
      sealGrant: await createSeal(config.VAULT_GRANT_KEYS),
      openGrant: await createOpen(config.VAULT_GRANT_KEYS),
      openInbox: await createOpen(config.VAULT_INBOX_PRIVATE_KEYS),
      sealEdge: await createSeal(config.VAULT_EDGE_KEYS),
      openEdge: await createOpen(config.VAULT_EDGE_KEYS),
    },
    webhookHttp,
    mac: createMac(config.VAULT_MAC_KEYS),
    connectUrl: config.CONNECT_URL,
    suspendSiblings: config.SUSPEND_SIBLINGS ?? production,
    outbox: dispatcher,
    stretchMs: STRETCH_MS,
    journal: openJournalKeeper(sql, config),
    log,
    temporal,
    taskQueue,
    dispatcher,
    signIn: createSignIn({ fetch: http.fetch, allowHttp: !production }),
    close: async () => {
      await dispatcher.close();
      await http.close();
      await webhookHttp.close();
      await sql.end({ timeout: 5 });
      await temporal.connection.close();
    },
  };
}
