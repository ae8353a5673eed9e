import { z } from 'zod';
import { GRANT_STATUSES } from '../../basics/codes.ts';
import { AttemptId, type ConnectionId, GrantId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { columnsOf, listRows } from '../rows.ts';

const AdminGrant = z.object({
  grantId: GrantId,
  attemptId: AttemptId,
  status: z.enum(GRANT_STATUSES),
  permissions: z.array(z.string()),
  obtainedAt: z.date(),
  accessExpiresAt: z.date().nullable(),
  refreshExpiresAt: z.date().nullable(),
  refreshCount: z.number(),
  refreshClaimedAt: z.date().nullable(),
  mayBeAlive: z.boolean(),
  endedBy: z.enum(['READ', 'REFRESH', 'EXPIRY']).nullable(),
  endedAnswer: z.string().nullable(),
  endedAnswerCode: z.string().nullable(),
});
/** A grant without its tokens. */
export type AdminGrant = z.infer<typeof AdminGrant>;

const columns = columnsOf('account_grant', AdminGrant, {
  refreshCount: (sql) => sql`generation - 1`,
  refreshClaimedAt: (sql) => sql`case when status = 'LIVE' then refresh_claimed_at end`,
  mayBeAlive: (sql) => sql`status = 'DEAD' and refresh_claim is not null`,
});

/** The newest 50, newest first. */
export async function listAdminGrants(sql: Sql, connectionId: ConnectionId): Promise<AdminGrant[]> {
  return await listRows(sql, AdminGrant)`
    select ${columns(sql)} from account_grant
    where connection_id = ${connectionId} order by obtained_at desc, grant_id limit 50
  `;
}
