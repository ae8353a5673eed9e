import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { AdminTokenId, newId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { columnsOf, findRow, findValue, listRows } from '../rows.ts';

export const AdminToken = z.object({
  tokenId: AdminTokenId,
  label: z.string(),
  /** The operator's id at the OpenID issuer, for the token of a session that began there. Such a token is stored nowhere else. */
  openidSub: z.string().nullable(),
  role: z.enum(['VIEWER', 'OPERATOR', 'ADMIN']),
  createdAt: z.date(),
  expiresAt: z.date(),
  revokedAt: z.date().nullable(),
  lastUsedAt: z.date().nullable(),
});
export type AdminToken = z.infer<typeof AdminToken>;

const Credential = AdminToken.extend({ secretSha256: z.instanceof(Buffer), usable: z.boolean() });

const columns = columnsOf('t', AdminToken);
const usable = (sql: Sql) => sql`t.revoked_at is null and t.expires_at > business_now()`;
/** For a session `s`: last used within 30 minutes, and started within 8 hours. */
const lives = (sql: Sql) => sql`
  s.last_used_at > business_now() - interval '30 minutes' and s.created_at > business_now() - interval '8 hours'
`;

/** @returns the token with its secret, which is shown once and not stored. */
export async function insertAdminToken(
  sql: Sql,
  token: Pick<AdminToken, 'label' | 'role' | 'expiresAt'> & Partial<Pick<AdminToken, 'openidSub'>>,
): Promise<{ tokenId: AdminTokenId; token: string }> {
  const tokenId = newId<AdminTokenId>();
  const secret = randomBytes(32).toString('hex');
  await sql`
    insert into admin_token (token_id, label, openid_sub, role, secret_sha256, expires_at)
    values (${tokenId}, ${token.label}, ${token.openidSub ?? null}, ${token.role},
      ${createHash('sha256').update(secret).digest()}, ${token.expiresAt})
  `;
  return { tokenId, token: `${tokenId}.${secret}` };
}

/** Runs on every request, so that the service refuses a revoked token at once. */
export async function findAdminToken(sql: Sql, tokenId: AdminTokenId): Promise<z.infer<typeof Credential> | undefined> {
  return await findRow(sql, Credential)`
    select ${columns(sql)}, t.secret_sha256, ${usable(sql)} as usable from admin_token t where t.token_id = ${tokenId}
  `;
}

/**
 * Lists tokens that have not expired, newest first. Tokens of single sessions are listed while the session is active.
 */
export async function listAdminTokens(sql: Sql): Promise<AdminToken[]> {
  return await listRows(sql, AdminToken)`
    select ${columns(sql)} from admin_token t
    where t.expires_at > business_now() and (
      t.openid_sub is null or ${usable(sql)} and exists (
        select from admin_session s where s.token_id = t.token_id and ${lives(sql)}
      )
    )
    order by t.created_at desc, t.token_id
  `;
}

/** Also ends the sessions of the token. @returns undefined if the token is missing or already revoked. */
export async function revokeAdminToken(sql: Sql, tokenId: AdminTokenId): Promise<AdminToken | undefined> {
  return await findRow(sql, AdminToken)`
    update admin_token t set revoked_at = business_now() where t.token_id = ${tokenId} and t.revoked_at is null
    returning ${columns(sql)}
  `;
}

/** Writes at most once a minute. */
export async function updateTokenLastUse(sql: Sql, tokenId: AdminTokenId): Promise<void> {
  await sql`
    update admin_token set last_used_at = business_now()
    where token_id = ${tokenId} and coalesce(last_used_at <= business_now() - interval '1 minute', true)
  `;
}

/**
 * Starts a browser session.
 * @param session.isProven whether the operator has just signed in.
 */
export async function insertAdminSession(
  sql: Sql,
  session: { tokenId: AdminTokenId; sessionSha256: Buffer; isProven: boolean },
): Promise<void> {
  await sql`
    insert into admin_session (session_sha256, token_id, proven_at)
    values (${session.sessionSha256}, ${session.tokenId}, ${session.isProven ? sql`business_now()` : null})
  `;
}

const SessionToken = AdminToken.extend({
  /** Whether the operator signed in within the last five minutes. */
  fresh: z.boolean(),
});
type SessionToken = z.infer<typeof SessionToken>;

/** Finds the usable token of an active session, and records the use. */
export async function findUsableSession(sql: Sql, sessionSha256: Buffer): Promise<SessionToken | undefined> {
  const [row] = await sql`
    select ${columns(sql)}, coalesce(s.proven_at > business_now() - interval '5 minutes', false) as fresh,
      s.last_used_at <= business_now() - interval '1 minute' as resting
    from admin_session s join admin_token t using (token_id)
    where s.session_sha256 = ${sessionSha256} and ${usable(sql)} and ${lives(sql)}
  `;
  if (row?.resting === true) {
    await sql`update admin_session set last_used_at = business_now() where session_sha256 = ${sessionSha256}`;
  }
  return row && SessionToken.parse(row);
}

/** The token that started a session, even if the session has ended. */
export async function findSessionToken(sql: Sql, sessionSha256: Buffer): Promise<AdminTokenId | undefined> {
  return await findValue(sql, AdminTokenId)`select token_id from admin_session where session_sha256 = ${sessionSha256}`;
}

/** Ends a session, and revokes its token if the token belongs to this session only. @returns the token. */
export async function deleteAdminSession(sql: Sql, sessionSha256: Buffer): Promise<AdminToken | undefined> {
  return await findRow(sql, AdminToken)`
    with ended as (
      delete from admin_session where session_sha256 = ${sessionSha256} returning token_id
    ),
    revoked as (
      update admin_token t set revoked_at = business_now() from ended
      where t.token_id = ended.token_id and t.openid_sub is not null and t.revoked_at is null
    )
    select ${columns(sql)} from admin_token t join ended using (token_id)
  `;
}
