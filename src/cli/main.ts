import { type CliConfig, readConfig } from '../config/config.ts';
import type { TestIssuer } from '../identity/test-issuer.ts';
import { createCatalog } from '../providers/catalog.ts';
import type { Catalog } from '../providers/facts.ts';
import { type Database, openDatabase } from '../store/driver/sql.ts';
import { getNewestDispatchId, hasDispatchAfter } from '../store/outbox.ts';
import type { AskWorkflow, CountFailing } from '../temporal/ask-workflow.ts';
import type { WorkersAnswer } from '../temporal/workers-state.ts';
import { createMac, type Mac } from '../vault/mac.ts';
import { createSeal, type Seal } from '../vault/seal.ts';
import { type Found, readCommandOptions } from './front.ts';
import { requireFreshDatabase } from './require-fresh-database.ts';
import { requireMigrated } from './run-audited.ts';
import { runCommand, type Send } from './run-command.ts';
import { createTerminal } from './terminal.ts';

/** The dependencies of the admin API in this process. */
export interface InProcess {
  readonly config: CliConfig;
  readonly sql: Database;
  readonly facts: Catalog;
  readonly mac: Mac;
  readonly sealInbox: Seal;
  readonly sealEdge: Seal;
  readonly suspendSiblings: boolean;
  readonly askWorkflow: AskWorkflow;
  readonly countFailing: CountFailing;
  readonly askWorkers: () => Promise<WorkersAnswer>;
  readonly testIssuer: TestIssuer;
  /** Delivers the outbox entries that a mutation has committed. */
  deliver(): Promise<void>;
}

/**
 * Runs a command of the admin API in this process, over the database.
 * @param openAdmin makes the admin API.
 * @returns the exit code.
 */
export async function runInProcess(found: Found, openAdmin: (parts: InProcess) => Send): Promise<number> {
  const terminal = createTerminal();
  let sql: Database | undefined;
  const connect = async () => {
    const config = readConfig('cli');
    sql = openDatabase(config.DATABASE_URL, { poolSize: 2, applicationName: 'cli', files: config });
    return openAdmin(await createParts(config, sql, terminal.warn));
  };
  try {
    return await runCommand(found.name, found.command, readCommandOptions(found), connect, terminal);
  } finally {
    await sql?.end({ timeout: 5 });
  }
}

/** @throws ServiceError if the audit log could not be written, or the database is a restored one. */
async function createParts(config: CliConfig, sql: Database, warn: (text: string) => void): Promise<InProcess> {
  await requireMigrated(sql);
  await requireFreshDatabase(sql, config);
  const newest = await getNewestDispatchId(sql);
  // Loads Temporal's library only if needed: loading takes longer than most commands.
  const temporal = () => import('./ask-temporal.ts');
  return {
    config,
    sql,
    facts: createCatalog(readConfig('trial')),
    mac: createMac(config.VAULT_MAC_KEYS),
    sealInbox: await createSeal(config.VAULT_INBOX_PUBLIC_KEYS),
    sealEdge: await createSeal(config.VAULT_EDGE_KEYS),
    suspendSiblings: config.SUSPEND_SIBLINGS ?? config.DEPLOYMENT === 'production',
    askWorkflow: async (workflowId) => await (await temporal()).askOnce(config, ({ ask }) => ask(workflowId)),
    countFailing: async () => await (await temporal()).askOnce(config, ({ countFailing }) => countFailing()),
    askWorkers: async () => await (await temporal()).askOnce(config, ({ askWorkers }) => askWorkers()),
    testIssuer: async (issuer) => {
      const { testIssuer } = await import('./test-issuer.ts');
      return await testIssuer(config, issuer);
    },
    deliver: async () => {
      if (!(await hasDispatchAfter(sql, newest))) return;
      const { deliverOutbox } = await import('./deliver-outbox.ts');
      const delivered = await deliverOutbox(config, sql).catch(() => false);
      if (!delivered) warn('Temporal cannot be reached. The worker delivers this when it can.');
    },
  };
}
