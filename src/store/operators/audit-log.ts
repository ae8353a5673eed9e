import { z } from 'zod';
import type { CorrelationId } from '../../basics/ids.ts';
import { type Database, inTransaction, type Sql } from '../driver/sql.ts';
import type { IdRange } from '../find.ts';
import { columnsOf, listRows } from '../rows.ts';
import { AuditThing } from './audit-things.ts';

const AuditChange = z.object({
  setting: z.string(),
  /** In words and numbers; null if there was none. */
  from: z.string().nullable(),
  to: z.string().nullable(),
});
/** A setting that an act changed. */
export type AuditChange = z.infer<typeof AuditChange>;

type Value = string | number | boolean | Date | readonly string[] | null | undefined;
/** The settings of a thing whose changes the log contains. Neither secrets nor persons, and URLs only by origin. */
export type Settings = Readonly<Record<string, Value>>;

const AuditEntry = z.object({
  auditId: z.string(),
  happenedAt: z.date(),
  actor: z.string(),
  actorLabel: z.string().nullable(),
  action: z.string(),
  target: z.string().nullable(),
  /** Other ids that the action concerned: its results, or the rows it changed. */
  related: z.array(z.string()),
  /** The settings that it changed. */
  changes: z.array(AuditChange),
  outcome: z.string(),
  correlationId: z.string().nullable(),
  /** What its ids named at that time. Empty for a read, a refusal and a command that only the command line has. */
  things: z.array(AuditThing),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export interface AuditFilter {
  readonly actor: string | null;
  readonly action: string | null;
  readonly outcome: string | null;
  readonly correlation?: IdRange | null;
  /** The entry's target or one of its related ids. */
  readonly targets: readonly string[] | null;
  /** With `targets`: ids of which one may be the target instead. */
  readonly targetRange?: IdRange | null;
  /** Of this instant or later. */
  readonly since?: Date | null;
  readonly before?: Date | null;
  /** Only reads of persons, or only the others. */
  readonly reads?: boolean | null;
  /** Only dry runs, or only the others. */
  readonly dryRuns?: boolean | null;
}

/** The label of the token's row, which remains after the token ends. */
const actorLabel = (sql: Sql) => sql`
  (select label from admin_token where token_id = case when actor like 'token:%' then substr(actor, 7)::uuid end)
`;

const columns = columnsOf('audit_log', AuditEntry, {
  actorLabel,
  changes: (sql) => sql`coalesce(changes, '[]')`,
  things: (sql) => sql`coalesce(things, '[]')`,
});

/** A transaction of an operator lasts less: its entry gets its id at the end, and the time of its begin. */
const LONGEST = '1 hour';

/**
 * Newest first. `position` is the id of the last entry of the page before.
 *
 * Entries have the order of their ids. A range of time becomes a range of ids, so that it needs no index of its own with every
 * other filter: an entry that begins an hour before the range got a lower id than all of it, and one that begins an hour after
 * it a higher one.
 */
export async function listAuditEntries(
  sql: Sql,
  {
    actor,
    action,
    outcome,
    correlation = null,
    targets,
    targetRange = null,
    since = null,
    before = null,
    reads = null,
    dryRuns = null,
  }: AuditFilter,
  { limit, position }: { limit: number; position: string | null },
): Promise<AuditEntry[]> {
  return await listRows(sql, AuditEntry)`
    select ${columns(sql)} from audit_log
    where true
      ${actor === null ? sql`` : sql`and actor = ${actor}`}
      ${action === null ? sql`` : sql`and action = ${action}`}
      ${reads === null ? sql`` : sql`and is_read = ${reads}`}
      ${dryRuns === null ? sql`` : sql`and (outcome = 'DRY_RUN') = ${dryRuns}`}
      ${outcome === null ? sql`` : sql`and outcome = ${outcome}`}
      ${correlation === null ? sql`` : sql`and correlation_id between ${correlation.low} and ${correlation.high}`}
      ${
        targets === null
          ? sql``
          : sql`and (target = any(${[...targets]}) or related && ${[...targets]}::text[]
              ${targetRange === null ? sql`` : sql`or target between ${targetRange.low}::text and ${targetRange.high}::text`})`
      }
      ${
        since === null
          ? sql``
          : sql`and happened_at >= ${since} and audit_id > coalesce((
              select audit_id from audit_log where happened_at < ${since}::timestamptz - ${LONGEST}::interval
              order by happened_at desc, audit_id desc limit 1), 0)`
      }
      ${
        before === null
          ? sql``
          : sql`and happened_at < ${before} and audit_id < coalesce((
              select audit_id from audit_log where happened_at >= ${before}::timestamptz + ${LONGEST}::interval
              order by happened_at, audit_id limit 1), 9223372036854775807)`
      }
      ${position === null ? sql`` : sql`and audit_id < ${position}::bigint`}
    order by audit_id desc limit ${limit}
  `;
}

const AuditChoices = z.object({
  actors: z.array(z.object({ actor: z.string(), actorLabel: z.string().nullable() })),
  actions: z.array(z.string()),
});

/** More operators than a list to choose from can hold. */
const MAX_CHOICES = 500;

/** Lists the operators and actions that entries have, by name. It jumps from one value to the next in an index. */
export async function listAuditChoices(sql: Sql): Promise<z.infer<typeof AuditChoices>> {
  const distinct = (column: 'actor' | 'action') => sql`
    with recursive known (value) as (
      (select ${sql(column)} from audit_log order by ${sql(column)} limit 1)
      union all
      select (select ${sql(column)} from audit_log where ${sql(column)} > value order by ${sql(column)} limit 1)
      from known where value is not null
    )
    select value from known where value is not null limit ${MAX_CHOICES}
  `;
  const [actors, actions] = await Promise.all([
    sql`select actor, ${actorLabel(sql)} as actor_label from (${distinct('actor')}) as found (actor) order by actor_label, actor`,
    distinct('action'),
  ]);
  return AuditChoices.parse({ actors, actions: actions.map(({ value }) => value) });
}

export interface NewAuditEntry {
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  /** Other ids that the action concerned. */
  readonly related?: readonly string[];
  readonly outcome: string;
  readonly correlationId?: CorrelationId;
  readonly changes?: readonly AuditChange[];
  /** What its ids name now, or did before the act. */
  readonly things?: readonly AuditThing[];
}

/** Reads of the same persons by the same operator within this time share an entry. */
const SHARED_FOR = '1 minute';
/** The entries of an operator among which such a read is sought. With more of them in between, it gets another entry. */
const RECENT_ENTRIES = 200;

/** Adds an operator's read of persons, unless an entry of the last minute names the same read of the same persons. */
export async function insertReadEntry(sql: Database, entry: Omit<NewAuditEntry, 'changes' | 'things'>): Promise<void> {
  const { actor, action, target, related = [], outcome, correlationId = null } = entry;
  await inTransaction(sql, async (tx) => {
    // A page sends several requests at once.
    await tx`select pg_advisory_xact_lock(hashtextextended('person-reads:' || ${actor}::text, 0))`;
    await tx`
      insert into audit_log (actor, action, target, related, outcome, correlation_id, is_read)
      select ${actor}, ${action}, ${target}, ${[...related]}::text[], ${outcome}, ${correlationId}, true
      where not exists (
        select from (
          select action, target, related, is_read, happened_at from audit_log
          where actor = ${actor} order by audit_id desc limit ${RECENT_ENTRIES}
        ) recent
        where is_read and action = ${action} and target is not distinct from ${target}::text
          and related = ${[...related]}::text[] and happened_at > business_now() - ${SHARED_FOR}::interval
      )
    `;
  });
}

/** Adds an entry to the insert-only audit log: names, ids and the settings it changed, never a secret or a person. */
export async function insertAuditEntry(sql: Sql, entry: NewAuditEntry): Promise<void> {
  const toJson = (list: readonly (AuditChange | AuditThing)[] = []) => (list.length === 0 ? null : sql.json([...list]));
  await sql`
    insert into audit_log (actor, action, target, related, outcome, correlation_id, changes, things)
    values (${entry.actor}, ${entry.action}, ${entry.target}, ${[...(entry.related ?? [])]}::text[], ${entry.outcome},
      ${entry.correlationId ?? null}, ${toJson(entry.changes)}, ${toJson(entry.things)})
  `;
}
