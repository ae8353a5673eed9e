import { z } from 'zod';
import type { Sql } from '../sql.ts';

const AuditEntry = z.object({
  auditId: z.string(),
  happenedAt: z.date(),
  actor: z.string(),
  actorLabel: z.string().nullable(),
  action: z.string(),
  target: z.string().nullable(),
  /** Other ids that the action concerned: its results, or the rows it changed. */
  related: z.array(z.string()),
  outcome: z.string(),
  correlationId: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export interface AuditFilter {
  readonly actor: string | null;
  readonly action: string | null;
  readonly outcome: string | null;
  readonly correlationId?: string | null;
  /** The entry's target or one of its related ids. */
  readonly targets: readonly string[] | null;
}

/** The label of the token's row, which remains after the token ends. */
const actorLabel = (sql: Sql) => sql`
  (select label from admin_token
    where token_id = case when actor like 'token:%' then substr(actor, 7)::uuid end) as actor_label
`;

/** Newest first. `before` is the id of the last entry of the page before. */
export async function listAuditEntries(
  sql: Sql,
  { actor, action, outcome, correlationId = null, targets }: AuditFilter,
  { limit, before }: { limit: number; before: string | null },
): Promise<AuditEntry[]> {
  const rows = await sql`
    select audit_id, happened_at, actor, ${actorLabel(sql)}, action, target, related, outcome,
      correlation_id
    from audit_log
    where true
      ${actor === null ? sql`` : sql`and actor = ${actor}`}
      ${action === null ? sql`` : sql`and action = ${action}`}
      ${outcome === null ? sql`` : sql`and outcome = ${outcome}`}
      ${correlationId === null ? sql`` : sql`and correlation_id = ${correlationId}`}
      ${targets === null ? sql`` : sql`and (target = any(${[...targets]}) or related && ${[...targets]}::text[])`}
      ${before === null ? sql`` : sql`and audit_id < ${before}::bigint`}
    order by audit_id desc limit ${limit}
  `;
  return rows.map((row) => AuditEntry.parse(row));
}
