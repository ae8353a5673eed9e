import type { AdminTokenId, ConnectionId } from '../../../basics/ids.ts';
import { listNamesOf } from '../../../domain/rules/audit-names.ts';
import { ADMIN_TOKEN_LIFE_DAYS } from '../../../domain/rules/input-rules.ts';
import { requireFuture } from '../../../domain/rules/require-future.ts';
import { getBusinessTime, type Sql } from '../../../store/driver/sql.ts';
import { findById } from '../../../store/find.ts';
import { listParentIds } from '../../../store/jobs/bulk-disconnects.ts';
import {
  findAdminToken,
  insertAdminToken,
  listAdminTokens,
  revokeAdminToken as revoke,
} from '../../../store/operators/admin-tokens.ts';
import { type AuditFilter, listAuditChoices, listAuditEntries } from '../../../store/operators/audit-log.ts';
import { formatActor } from '../actor.ts';
import type { Mutations, Queries } from '../contract.ts';
import { readIdRange } from '../id-range.ts';
import { runOnce } from '../idempotency.ts';
import { readKeyedPage } from '../pages.ts';
import { toAdminToken, toAuditEntries } from '../to-graphql.ts';
import { getExisting } from './lookups.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The names by which entries know a target: of a connection, also those of what ended it. Pages show the beginnings of ids, and URLs have ids. */
async function resolveTarget(sql: Sql, text: string): Promise<Pick<AuditFilter, 'targets' | 'targetRange'>> {
  const range = readIdRange(text);
  if (range === undefined || /^(tenant|subject|token|openid):/.test(text)) return { targets: [text] };
  const { low, high } = range;
  const ids = low === high ? [low] : (await findById(sql, range)).map(({ id }) => id);
  const parents = await Promise.all(ids.map(async (id) => await listParentIds(sql, id as ConnectionId)));
  return { targets: [text, ...ids, ...parents.flat()], ...(low !== high && { targetRange: range }) };
}

export const Query = {
  me: async (_args, { actor, sql }) => {
    const {
      secretSha256: _secret,
      usable: _usable,
      ...token
    } = await getExisting('token of this request', actor.tokenId, (id) => findAdminToken(sql, id));
    return toAdminToken(token);
  },

  adminTokens: async (_args, { sql }) => (await listAdminTokens(sql)).map(toAdminToken),

  auditChoices: async (_args, { sql }) => await listAuditChoices(sql),

  auditLog: async ({ filter, ...page }, { mac, sql }) => {
    const { target, appId, tenantKey, externalSubjectId, correlationId, ...rest } = filter;
    const people = appId === null || tenantKey === null ? undefined : { appId, tenantKey, externalSubjectId };
    const one = target === null ? { targets: appId && [appId] } : await resolveTarget(sql, target);
    const named = people === undefined ? one : { targets: listNamesOf(mac, people) };
    const correlation = correlationId === null ? null : (readIdRange(correlationId) ?? null);
    return await readKeyedPage(
      mac,
      'auditLog',
      { ...page, filter },
      {
        list: ([position = null], limit) =>
          listAuditEntries(sql, { ...rest, ...named, correlation }, { limit, position }),
        place: ({ auditId }) => [auditId],
        show: (rows) => toAuditEntries(sql, rows),
      },
    );
  },
} satisfies Partial<Queries>;

export const Mutation = {
  createAdminToken: async ({ input }, context) => {
    const { label, role } = input;
    let secret: string | null = null;
    const { id } = await runOnce<AdminTokenId>(context, 'createAdminToken', input, async () => {
      await requireFuture(context.sql, 'input.expiresAt', input.expiresAt, ADMIN_TOKEN_LIFE_DAYS);
      const lastMs = (await getBusinessTime(context.sql)).getTime() + ADMIN_TOKEN_LIFE_DAYS * DAY_MS;
      const issued = await insertAdminToken(context.sql, {
        label,
        role,
        expiresAt: input.expiresAt ?? new Date(lastMs),
      });
      secret = issued.token;
      return issued.tokenId;
    });
    context.about(id);
    const {
      secretSha256: _secret,
      usable: _usable,
      ...token
    } = await getExisting('token', id, (known) => findAdminToken(context.sql, known));
    return { token: toAdminToken(token), secret };
  },

  revokeAdminToken: async ({ id }, { sql, touched }) => {
    const revoked = await getExisting('token in use', id, (known) => revoke(sql, known));
    if (revoked.openidSub !== null) touched([formatActor(revoked)]); // The row of such a token is deleted a day later.
    return toAdminToken(revoked);
  },
} satisfies Partial<Mutations>;
