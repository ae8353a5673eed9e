import { createProviderQueues } from '../activities/provider-queue.ts';
import { openTogether } from '../basics/closings.ts';
import { forEachProvider } from '../basics/codes.ts';
import type { Log } from '../basics/log.ts';
import type { WorkerConfig } from '../config/config.ts';
import { createSignIn } from '../identity/sign-in.ts';
import { openJournalKeeper } from '../journal/keep.ts';
import { createDispatcher } from '../outbox/dispatcher.ts';
import { createAdapters } from '../providers/adapters.ts';
import { createCatalog } from '../providers/catalog.ts';
import { createDnsLookup } from '../providers/dns-lookup.ts';
import { createHttp } from '../providers/http.ts';
import { createBusinessClock } from '../store/business-clock.ts';
import { openLink } from '../store/driver/reconnecting-pool.ts';
import { openDatabase } from '../store/driver/sql.ts';
import { watchCommits } from '../store/watch-commits.ts';
import { createTemporalClient } from '../temporal/client.ts';
import { createMac } from '../vault/mac.ts';
import { createOpen } from '../vault/open.ts';
import { createSeal } from '../vault/seal.ts';
import { createAnswerReports } from './report-answers.ts';

/** Long enough for a usual scan, and short for the others that wait for the worker's slot. */
const TIME_SLICE_MS = 5_000;

/** Creates the dependencies of activities. */
export const createWorkerDeps = (config: WorkerConfig, log: Log) =>
  openTogether(log, async (closings) => {
    const openPool = (poolSize: number) => () =>
      openDatabase(config.DATABASE_URL, {
        poolSize,
        applicationName: 'worker',
        files: config,
        sharesRoundTrips: config.FAST_PATHS,
      });
    const link = closings.add(openLink(openPool(1), () => log.warn('Silent database connections replaced')));
    const sql = link.openPool(openPool(config.DATABASE_POOL_SIZE));
    closings.add({ close: () => sql.end({ timeout: 5 }) });
    closings.add(watchCommits(link, log));
    const temporal = createTemporalClient(config);
    closings.add(temporal.connection);
    const taskQueue = config.TASK_QUEUE;
    const dispatcher = closings.add(createDispatcher({ sql, client: temporal, taskQueue, log }));
    const production = config.DEPLOYMENT === 'production';
    const http = closings.add(createHttp({ production }));
    // Its sockets lead to hosts that callers name: they are never those of a platform.
    const webhookHttp = closings.add(
      createHttp({
        production,
        privateNetworks: config.WEBHOOK_PRIVATE_NETWORKS ?? [],
        ...(production && { lookUp: createDnsLookup() }), // In development, a hosts file may name an app's server.
      }),
    );
    const mac = createMac(config.VAULT_MAC_KEYS);
    const callsPerSecond = forEachProvider((name) => config[`${name}_CALLS_PER_SECOND`]);
    const answers = closings.add(createAnswerReports(sql, log));
    const clock = createBusinessClock();
    return {
      production,
      sql,
      clock,
      providers: createAdapters(config, http, clock.now, answers.report),
      facts: createCatalog(config),
      callsPerSecond,
      providerQueues: createProviderQueues(sql, callsPerSecond),
      vault: {
        sealGrant: await createSeal(config.VAULT_GRANT_KEYS),
        openGrant: await createOpen(config.VAULT_GRANT_KEYS),
        openInbox: await createOpen(config.VAULT_INBOX_PRIVATE_KEYS),
        sealEdge: await createSeal(config.VAULT_EDGE_KEYS),
        openEdge: await createOpen(config.VAULT_EDGE_KEYS),
      },
      webhookHttp,
      mac,
      connectUrl: config.CONNECT_URL,
      suspendSiblings: config.SUSPEND_SIBLINGS ?? production,
      outbox: dispatcher,
      timeSliceMs: TIME_SLICE_MS,
      journal: openJournalKeeper(sql, config, mac),
      log,
      temporal,
      taskQueue,
      dispatcher,
      signIn: createSignIn({ fetch: http.fetch, allowHttp: !production, now: clock.now }),
    };
  });
