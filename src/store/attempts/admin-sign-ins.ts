import { z } from 'zod';
import { IDENTITY_STATUSES } from '../../basics/codes.ts';
import { AppId, AttemptId, CorrelationId, IssuerId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { columnsOf, findRow } from '../rows.ts';
import { attemptCause } from './attempt-causes.ts';

const AdminSignIn = z.object({
  attemptId: AttemptId,
  appId: AppId,
  appName: z.string(),
  tenantKey: z.string(),
  issuerId: IssuerId,
  issuer: z.string(),
  /** EXPIRED as soon as the deadline has passed. */
  status: z.enum(IDENTITY_STATUSES),
  ...attemptCause,
  redeemedAt: z.date().nullable(),
  createdAt: z.date(),
  expiresAt: z.date(),
  finishedAt: z.date().nullable(),
  /** When its workflow started; null if it has none. */
  codeArrivedAt: z.date().nullable(),
  correlationId: CorrelationId,
});
/** A sign-in as an operator sees it: without the person's claims. */
export type AdminSignIn = z.infer<typeof AdminSignIn>;

const columns = columnsOf('a', AdminSignIn, {
  appName: (sql) => sql`(select name from app where app.app_id = a.app_id)`,
  issuer: (sql) => sql`(select issuer from identity_issuer i where i.issuer_id = a.issuer_id)`,
  status: (sql) => sql`case when status = 'PENDING' and expires_at <= business_now() then 'EXPIRED' else status end`,
});

export async function findAdminSignIn(sql: Sql, attemptId: AttemptId): Promise<AdminSignIn | undefined> {
  return await findRow(sql, AdminSignIn)`
    select ${columns(sql)} from identity_attempt a where attempt_id = ${attemptId}
  `;
}
