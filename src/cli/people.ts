import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { type CliConfig, readConfig } from '../config.ts';
import { deleteListedAccount, type ListedDeletion } from '../domain/disconnecting/handle-notification.ts';
import { exportSubject } from '../domain/operating/export-subject.ts';
import * as rules from '../domain/operating/input-rules.ts';
import { ServiceError } from '../errors.ts';
import { type AppId, type CorrelationId, newId, type RegistrationId } from '../ids.ts';
import type { ExportPosition } from '../store/admin/subject-export.ts';
import type { SubjectScope } from '../store/scopes.ts';
import { findProviderOfRegistration } from '../store/setup.ts';
import { type Database, openDatabase } from '../store/sql.ts';
import { createMac, type Mac } from '../vault/mac.ts';
import { type CliCommand, command, flag, id } from './command.ts';
import { forEachAtOnce } from './for-each-at-once.ts';
import { readLines } from './read-lines.ts';
import { readOptions } from './read-options.ts';
import { requireFreshDatabase } from './require-fresh-database.ts';
import { runAudited } from './run-audited.ts';

/** The commands about one person or a list of persons. Who they are comes on standard input: no shell history names them. */
interface PeopleDeps {
  readonly sql: Database;
  readonly mac: Mac;
  readonly lines: AsyncIterable<string>;
  /** Writes one JSON object a line. */
  write(row: object): Promise<void> | void;
  /** Tells the operator something that is not part of the result. */
  warn(message: string): void;
}

type Audited = Awaited<ReturnType<Parameters<typeof runAudited>[2]>>;

const Subject = z.strictObject({ tenantKey: rules.tenantKey, externalSubjectId: rules.externalSubjectId });

async function readSubject(lines: AsyncIterable<string>): Promise<SubjectScope> {
  for await (const line of lines) {
    if (line.trim() === '') continue;
    try {
      return Subject.parse(JSON.parse(line));
    } catch {
      break; // The error may repeat the line.
    }
  }
  throw new ServiceError(
    'BAD_USER_INPUT',
    'Give the person on standard input, as {"tenantKey":"…","externalSubjectId":"…"} on one line.',
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
    return { target: appId, dryRun: false, print };
  },
);

/** How many accounts are handled side by side. */
const AT_ONCE = 4;
const ACCOUNT_ID = /^[\x21-\x7e]{1,255}$/;

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
  async ({ registration, requested = new Date(), file, 'dry-run': dryRun }, deps: PeopleDeps) => {
    const { sql, write, warn } = deps;
    if ((await findProviderOfRegistration(sql, registration)) === undefined) {
      throw new ServiceError('NOT_FOUND', 'There is no such registration.');
    }
    if (requested > new Date()) throw new ServiceError('BAD_USER_INPUT', '--requested must not be in the future.');
    const lines = file === undefined ? deps.lines : readLines(createReadStream(file));
    const correlationId = newId<CorrelationId>();
    const counts = { DELETING: 0, UNKNOWN: 0, BAD_LINE: 0 };
    let line = 0;
    await forEachAtOnce(lines, AT_ONCE, async (text) => {
      line += 1;
      const accountId = text.trim();
      if (accountId === '') return;
      const row = await eraseOne(line, accountId);
      counts[row.outcome] += 1;
      await write(row);
    });
    const erased = dryRun ? 'to erase (dry run: nothing changed)' : 'being erased';
    const print = () =>
      warn(`${counts.DELETING} ${erased}, ${counts.UNKNOWN} unknown, ${counts.BAD_LINE} bad line(s).`);
    return { target: registration, related: [correlationId], dryRun, print };

    async function eraseOne(line: number, accountId: string): Promise<Deletion> {
      if (!ACCOUNT_ID.test(accountId)) return { line, outcome: 'BAD_LINE' };
      const listed = { registrationId: registration, accountId, requestedAt: requested };
      return { line, ...(await deleteListedAccount(deps, listed, correlationId, { dryRun })) };
    }
  },
);

/** Runs a command about people and records it in the audit log, even if refused. */
const createRunner = (name: string, head: CliCommand<Audited, PeopleDeps>) => async (args: readonly string[]) => {
  const config: CliConfig = readConfig('cli');
  const sql = openDatabase(config.DATABASE_URL, { poolSize: AT_ONCE, applicationName: 'cli', ca: config.DATABASE_CA });
  try {
    await runAudited(sql, name, async () => {
      const { json: _alwaysJson, ...options } = readOptions(head, args);
      if (config.VAULT_MAC_KEYS === undefined) {
        throw new ServiceError('BAD_USER_INPUT', 'VAULT_MAC_KEYS is not set: it finds people by their keyed hashes.');
      }
      await requireFreshDatabase(sql, config);
      return await head.run(options, {
        sql,
        mac: createMac(config.VAULT_MAC_KEYS),
        lines: readLines(process.stdin),
        write: writeLine,
        warn: (message) => void process.stderr.write(`${message}\n`),
      });
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
};

export const runExport = createRunner('subject export', EXPORT_COMMAND);
export const runErasePlatformUsers = createRunner('erase platform-users', ERASE_PLATFORM_USERS_COMMAND);

/** Waits for a slow reader, so that a large export does not fill the memory. */
async function writeLine(row: object): Promise<void> {
  if (process.stdout.write(`${JSON.stringify(row)}\n`)) return;
  await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
}
