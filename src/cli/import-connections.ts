import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Deps } from '../activities/deps.ts';
import type { ImportLine, ImportOptions, ImportOutcome, importConnection } from '../activities/import-connection.ts';
import { PROVIDER_NAMES } from '../basics/codes.ts';
import { type AppId, RegistrationId } from '../basics/ids.ts';
import { createLog } from '../basics/log.ts';
import { Secret } from '../basics/secret.ts';
import { shutdownSignal } from '../basics/shutdown-signal.ts';
import { readConfig } from '../config/config.ts';
import * as rules from '../domain/rules/input-rules.ts';
import { describeImportFailure } from '../domain/texts/import-failures.ts';
import { forEachAtOnce } from './for-each-at-once.ts';
import { formatJson } from './format.ts';
import { command, flag, id } from './local-command.ts';
import { type InputLine, LONGEST_LINE, NOT_UTF8, numberLines, readLines, TOO_LONG } from './read-lines.ts';
import { readOptions } from './read-options.ts';
import { requireFreshDatabase } from './require-fresh-database.ts';
import { requireRights } from './require-rights.ts';
import { runAudited } from './run-audited.ts';

/** The number of lines imported concurrently. The rate limit of the calls applies. */
const AT_ONCE = 8;
/** How often a line is tried in one run, if a short pause may help. */
const TRIES = 5;
const WORTH_A_PAUSE: readonly string[] = ['PROVIDER_UNAVAILABLE', 'OWN_RATE_LIMIT'];
const LONGEST_PAUSE_SECONDS = 30;

const token = z
  .string()
  .regex(/^[\x20-\x7e]{1,8192}$/, 'must be 1 to 8,192 visible ASCII characters')
  .transform((text) => new Secret(text));
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** A line of the input. docs/importing.md describes it. */
const Line = z.strictObject({
  scope: z.strictObject({ tenantKey: rules.tenantKey, externalSubjectId: rules.externalSubjectId }),
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  capabilities: rules.capabilityList.min(1).optional(),
  accessToken: token.optional(),
  accessExpiresAt: instant.optional(),
  refreshToken: token.optional(),
  refreshExpiresAt: instant.optional(),
  permissions: z.array(rules.text.min(1).max(255)).max(100).optional(),
});

/** The outcome of a line, with its number in the input, from 1. */
export type ImportReport = { readonly line: number } & ImportOutcome;

/** The number of lines by outcome. */
type Counts = Readonly<Record<ImportOutcome['outcome'], number>>;

interface ImportRun {
  readonly deps: Deps;
  readonly importConnection: typeof importConnection;
  readonly options: ImportOptions;
  /** Takes no further lines when it aborts; lines that have begun end. */
  readonly stopped: AbortSignal;
  report(report: ImportReport): void;
}

/** Imports the lines, some at a time, and reports each when it has ended. An empty line is skipped. @internal */
export async function importLines(run: ImportRun, lines: AsyncIterable<InputLine>): Promise<Counts> {
  const counts = { IMPORTED: 0, ALREADY_IMPORTED: 0, ALREADY_CONNECTED: 0, PERMITTED: 0, FAILED: 0 };
  const seen = new Set<string>();
  await forEachAtOnce(untilStopped(run.stopped, lines), AT_ONCE, async ({ line, text }) => {
    const outcome = await importText(run, seen, text);
    counts[outcome.outcome] += 1;
    run.report({ line, ...outcome });
  });
  return counts;
}

async function* untilStopped(stopped: AbortSignal, lines: AsyncIterable<InputLine>) {
  for await (const line of numberLines(lines)) {
    if (stopped.aborted) return;
    yield line;
  }
}

async function importText(run: ImportRun, seen: Set<string>, text: InputLine): Promise<ImportOutcome> {
  const parsed = parseLine(text, run.deps.facts);
  if ('fault' in parsed) return fail('BAD_LINE', parsed.fault);
  const { line } = parsed;
  const spent = line.tokens.refreshToken ?? line.tokens.accessToken;
  const key = createHash('sha256')
    .update(`${line.registrationId} ${spent?.reveal() ?? ''}`)
    .digest('base64');
  if (seen.has(key)) return fail('DUPLICATE_LINE');
  seen.add(key);
  for (let tries = 1; ; tries += 1) {
    const outcome = await run.importConnection(run.deps, run.options, line);
    if (outcome.outcome !== 'FAILED' || !WORTH_A_PAUSE.includes(outcome.code)) return outcome;
    if (tries === TRIES || run.stopped.aborted) return outcome;
    const pauseSeconds = outcome.retryAfterSeconds ?? tries;
    if (pauseSeconds > LONGEST_PAUSE_SECONDS) return outcome;
    await delay(pauseSeconds * 1000, undefined, { signal: run.stopped }).catch(() => undefined); // Only the signal rejects it.
  }
}

const fail = (...failure: Parameters<typeof describeImportFailure>): ImportOutcome => ({
  outcome: 'FAILED',
  ...describeImportFailure(...failure),
});

/** Faults name the fields and never repeat a value: a line contains tokens. */
function parseLine(text: InputLine, facts: Deps['facts']): { line: ImportLine } | { fault: { message: string } } {
  if (text === TOO_LONG) return { fault: { message: `The line is longer than ${LONGEST_LINE} bytes.` } };
  if (text === NOT_UTF8) return { fault: { message: 'The line is not UTF-8.' } };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: { message: 'The line is not JSON.' } };
  }
  const { data, error } = Line.safeParse(json);
  if (data === undefined) {
    const faults = error.issues.map(({ code, path, message }) =>
      code === 'unrecognized_keys' ? 'it has an unknown field' : `${path.join('.') || 'it'}: ${message}`,
    );
    return { fault: { message: `The line does not have the required form: ${faults.join('; ')}.` } };
  }
  const { importedFields } = facts[data.provider];
  const missing = importedFields.filter((field) => data[field] === undefined);
  if (missing.length > 0) return { fault: { message: `${data.provider} needs ${missing.join(' and ')}.` } };
  const { scope, provider, registrationId, capabilities = null, ...given } = data;
  const tokens = {
    accessToken: given.accessToken ?? null,
    accessExpiresAt: given.accessExpiresAt ?? null,
    refreshToken: importedFields.includes('refreshToken') ? (given.refreshToken ?? null) : null,
    refreshExpiresAt: given.refreshExpiresAt ?? null,
    permissions: given.permissions ?? [],
  };
  return { line: { scope, provider, registrationId, capabilities, tokens } };
}

export const IMPORT_COMMAND = command(
  'connections import --app APP_ID [--accept-unproven] [--dry-run]   (one JSON object a line on standard input)',
  'Import accounts that another system connected with the same clients, after verifying each at its provider, and print\n' +
    "      one JSON object a line about each. Needs the worker's environment and both accounts_worker and\n" +
    "      accounts_maintenance. Stop the other system's refreshes first: see docs/importing.md",
  { app: id<AppId>(), 'accept-unproven': flag, 'dry-run': flag },
  async (
    { app, 'accept-unproven': acceptUnproven, 'dry-run': dryRun },
    run: Omit<ImportRun, 'options'> & { lines: AsyncIterable<InputLine>; signal: AbortSignal },
  ) => {
    const { lines, signal, ...rest } = run;
    return await importLines({ ...rest, options: { appId: app, acceptUnproven, dryRun, signal } }, lines);
  },
);

/** Runs the command and records it in the audit log, even if refused. The exit code is 1 if a line failed. */
export async function runImport(args: readonly string[]): Promise<void> {
  const config = readConfig('worker');
  // Loaded here because the libraries of Temporal take longer to load than most commands run.
  const [{ createWorkerDeps }, activity] = await Promise.all([
    import('../worker/deps.ts'),
    import('../activities/import-connection.ts'),
  ]);
  const deps = await createWorkerDeps(
    config,
    createLog(config.LOG_LEVEL, process.stderr).with({ component: 'import' }),
  );
  const stopping = new AbortController();
  void shutdownSignal().then(() => stopping.abort());
  const registrations = new Set<string>();
  const report = (line: ImportReport) => void process.stdout.write(formatJson(line));
  try {
    await requireRights(deps.sql, ['worker', 'maintenance']);
    await runAudited(deps.sql, 'connections import', async () => {
      const { json: _alwaysJson, ...options } = readOptions(IMPORT_COMMAND, args);
      await requireFreshDatabase(deps.sql, config);
      const counts = await IMPORT_COMMAND.run(options, {
        deps,
        importConnection: async (...given) => {
          registrations.add(given[2].registrationId);
          await deps.clock.read(deps.sql); // As an activity begins.
          return await activity.importConnection(...given);
        },
        stopped: stopping.signal,
        signal: new AbortController().signal,
        report,
        lines: readLines(process.stdin),
      });
      const print = () => {
        process.stderr.write(`${describeCounts(counts)}${stopping.signal.aborted ? ' Stopped before the end.' : ''}\n`);
        if (counts.FAILED > 0 || stopping.signal.aborted) process.exitCode = 1;
      };
      return { target: String(options.app), related: [...registrations], dryRun: options['dry-run'] === true, print };
    });
  } finally {
    await deps.close();
  }
}

const describeCounts = (counts: Counts): string =>
  `${Object.values(counts).reduce((sum, count) => sum + count, 0)} line(s) read: ${counts.IMPORTED} imported, ${counts.ALREADY_IMPORTED} imported before, ${counts.ALREADY_CONNECTED} connected before, ` +
  `${counts.PERMITTED} permitted, ${counts.FAILED} failed.`;
