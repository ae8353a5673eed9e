import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { ServiceError } from '../basics/errors.ts';
import { type AppId, type CorrelationId, newId, type RegistrationId } from '../basics/ids.ts';
import { type CliConfig, readConfig } from '../config/config.ts';
import { deleteListedAccount, type ListedDeletion } from '../domain/disconnecting/handle-notification.ts';
import { exportSubject } from '../domain/reading/export-subject.ts';
import { namePeople } from '../domain/rules/audit-names.ts';
import * as rules from '../domain/rules/input-rules.ts';
import { type Database, getBusinessTime, openDatabase } from '../store/driver/sql.ts';
import type { ExportPosition } from '../store/erasures/subject-export.ts';
import { findProviderOfRegistration } from '../store/registrations/registrations.ts';
import type { SubjectScope } from '../store/scopes.ts';
import { createMac, type Mac } from '../vault/mac.ts';
import { forEachAtOnce } from './for-each-at-once.ts';
import { formatJson } from './format.ts';
import { type CliCommand, command, flag, id } from './local-command.ts';
import { type InputLine, numberLines, readLines } from './read-lines.ts';
import { readOptions } from './read-options.ts';
import { requireFreshDatabase } from './require-fresh-database.ts';
import { runAudited } from './run-audited.ts';

/** The commands about one person or a list of persons. The persons come from standard input, so that no shell history names them. */
interface PeopleDeps {
  readonly sql: Database;
  readonly mac: Mac;
  readonly lines: AsyncIterable<InputLine>;
  /** Writes one JSON object a line. */
  write(row: object): Promise<void> | void;
  /** Shows the operator a message that is not part of the result. */
  warn(message: string): void;
}

type Audited = Awaited<ReturnType<Parameters<typeof runAudited>[2]>> & {
  /** Whether a line was refused: the exit code is 1. */
  readonly failed?: boolean;
};

const Subject = z.strictObject({ tenantKey: rules.tenantKey, externalSubjectId: rules.externalSubjectId });

async function readSubject(lines: AsyncIterable<InputLine>): Promise<SubjectScope> {
  const given: InputLine[] = [];
  for await (const { text } of numberLines(lines)) if (given.push(text) > 1) break;
  const [line, another] = given;
  try {
    if (typeof line === 'string' && another === undefined) return Subject.parse(JSON.parse(line));
  } catch {
    // The error may repeat the line.
  }
  throw new ServiceError(
    'BAD_USER_INPUT',
    'Give one person on standard input, as {"tenantKey":"…","externalSubjectId":"…"} on one line.',
  );
}

export const EXPORT_COMMAND: CliCommand<Audited, PeopleDeps> = command(
  'subject export --app APP_ID   ({"tenantKey":"…","externalSubjectId":"…"} on standard input)',
  'Print all data that the service holds of a person, one JSON object a line; of sealed values, print only the names',
  { app: id<AppId>() },
  async ({ app: appId }, { sql, mac, lines, write }: PeopleDeps) => {
    const scope = await readSubject(lines);
    const first = await exportSubject(sql, mac, { appId, scope, position: null });
    if (first.rows.length === 0) throw new ServiceError('NOT_FOUND', 'The service holds no data of this subject.');
    // Printed when the audit log has its entry.
    const print = async () => {
      for (const row of first.rows) await write(row);
      let position: ExportPosition | null = first.next;
      while (position !== null) {
        const page: typeof first = await exportSubject(sql, mac, { appId, scope, position });
        for (const row of page.rows) await write(row);
        position = page.next;
      }
    };
    return { target: appId, related: namePeople(mac, { appId, ...scope }), dryRun: false, print };
  },
);

/** The number of accounts handled concurrently. */
const AT_ONCE = 4;
/** The platforms' ids consist of these. Quotes, commas or braces belong to a list of another form. */
const ACCOUNT_ID = /^[\w.-]{1,255}$/;

type Deletion = { readonly line: number } & (ListedDeletion | { readonly outcome: 'BAD_LINE' });

export const ERASE_PLATFORM_USERS_COMMAND: CliCommand<Audited, PeopleDeps> = command(
  'erase platform-users --registration REGISTRATION_ID [--requested ISO_8601] [--file FILE] [--dry-run]   (one id a line on standard input)',
  "Erase the accounts in a platform's list of deletions, by the ids that the platform uses for this client, and print one\n" +
    '      JSON object a line about each; grants newer than the request stay',
  {
    registration: id<RegistrationId>(),
    requested: z.iso
      .datetime({ offset: true })
      .transform((instant) => new Date(instant))
      .optional(),
    file: z.string().min(1).optional(),
    'dry-run': flag,
  },
  async ({ registration, requested: given, file, 'dry-run': dryRun }, deps: PeopleDeps) => {
    const { sql, write, warn } = deps;
    if ((await findProviderOfRegistration(sql, registration)) === undefined) {
      throw new ServiceError('NOT_FOUND', 'There is no such registration.');
    }
    const now = await getBusinessTime(sql);
    const requested = given ?? now;
    if (requested > now) throw new ServiceError('BAD_USER_INPUT', '--requested must not be in the future.');
    const lines = file === undefined ? deps.lines : readLines(await openList(file));
    const correlationId = newId<CorrelationId>();
    const counts = { DELETING: 0, UNKNOWN: 0, BAD_LINE: 0 };
    const summarize = () => {
      const { DELETING: erased, UNKNOWN: unknown, BAD_LINE: refused } = counts;
      const done = dryRun ? 'to erase (dry run: nothing changed)' : 'being erased';
      return `${erased + unknown + refused} line(s) read: ${erased} ${done}, ${unknown} unknown, ${refused} refused.`;
    };
    try {
      await forEachAtOnce(numberLines(lines), AT_ONCE, async ({ line, text }) => {
        const row = await eraseOne(line, typeof text === 'symbol' ? '' : text.trim());
        counts[row.outcome] += 1;
        await write(row);
      });
    } catch (error) {
      warn(`Stopped before the end of the list. ${summarize()} Run the whole list again with the same --requested.`);
      throw error;
    }
    const print = () => warn(summarize());
    return { target: registration, related: [correlationId], dryRun, print, failed: counts.BAD_LINE > 0 };

    async function eraseOne(line: number, accountId: string): Promise<Deletion> {
      if (!ACCOUNT_ID.test(accountId)) return { line, outcome: 'BAD_LINE' };
      const listed = { registrationId: registration, accountId, requestedAt: requested };
      return { line, ...(await deleteListedAccount(deps, listed, correlationId, { dryRun })) };
    }
  },
);

async function openList(path: string): Promise<Readable> {
  try {
    return (await open(path)).createReadStream();
  } catch {
    throw new ServiceError('BAD_USER_INPUT', '--file is not a file that can be read.');
  }
}

/** Runs a command about people and records it in the audit log, even if refused. */
const createRunner = (name: string, head: CliCommand<Audited, PeopleDeps>) => async (args: readonly string[]) => {
  const config: CliConfig = readConfig('cli');
  const sql = openDatabase(config.DATABASE_URL, { poolSize: AT_ONCE, applicationName: 'cli', files: config });
  try {
    await runAudited(sql, name, async () => {
      const { json: _alwaysJson, ...options } = readOptions(head, args);
      await requireFreshDatabase(sql, config);
      const done = await head.run(options, {
        sql,
        mac: createMac(config.VAULT_MAC_KEYS),
        lines: readLines(process.stdin),
        write: writeLine,
        warn: (message) => void process.stderr.write(`${message}\n`),
      });
      if (done.failed === true) process.exitCode = 1;
      return done;
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
};

/** The audit log has one name for an act, however it is run. */
export const runExport = createRunner('exportSubject', EXPORT_COMMAND);
export const runErasePlatformUsers = createRunner('erase platform-users', ERASE_PLATFORM_USERS_COMMAND);

/** Waits for a slow reader, so that a large export does not fill the memory. */
async function writeLine(row: object): Promise<void> {
  if (process.stdout.write(formatJson(row))) return;
  await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
}
