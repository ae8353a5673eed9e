import { listNamesOf } from '../../../domain/rules/audit-names.ts';
import { findAdminToken, listAdminTokens, revokeAdminToken as revoke } from '../../../store/operators/admin-tokens.ts';
import { listAuditChoices, listAuditEntries } from '../../../store/operators/audit-log.ts';
import { formatActor } from '../actor.ts';
import type { Mutations, Queries } from '../contract.ts';
import { readKeyedPage } from '../pages.ts';
import { toAdminToken, toAuditEntry } from '../to-graphql.ts';
import { getExisting } from './lookups.ts';

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
    const { target, appId, tenantKey, externalSubjectId, ...rest } = filter;
    const people = appId === null || tenantKey === null ? undefined : { appId, tenantKey, externalSubjectId };
    const one = [target ?? appId ?? []].flat();
    const named = people === undefined ? one : listNamesOf(mac, people);
    const targets = named.length === 0 ? null : named;
    return await readKeyedPage(
      mac,
      'auditLog',
      { ...page, filter },
      {
        list: ([before = null], limit) => listAuditEntries(sql, { ...rest, targets }, { limit, before }),
        place: ({ auditId }) => [auditId],
        show: (rows) => rows.map(toAuditEntry),
      },
    );
  },
} satisfies Partial<Queries>;

export const Mutation = {
  revokeAdminToken: async ({ id }, { sql, touched }) => {
    const revoked = await getExisting('token in use', id, (known) => revoke(sql, known));
    if (revoked.openidSub !== null) touched([formatActor(revoked)]); // The row of such a token is deleted a day later.
    return toAdminToken(revoked);
  },
} satisfies Partial<Mutations>;
