import { listNamesOf } from '../../../domain/rules/audit-names.ts';
import type { MutationResolvers, QueryResolvers } from '../../../generated/admin-schema.ts';
import { findAdminToken, listAdminTokens, revokeAdminToken as revoke } from '../../../store/operators/admin-tokens.ts';
import { listAuditChoices, listAuditEntries } from '../../../store/operators/audit-log.ts';
import { readCursor } from '../../cursors.ts';
import { parseArgs } from '../../inputs.ts';
import { formatActor } from '../actor.ts';
import type { AdminContext, MutationContext } from '../context.ts';
import * as args from '../inputs.ts';
import { bindListing, buildPage } from '../pages.ts';
import { toAdminToken, toAuditEntry } from '../to-graphql.ts';
import { getExisting } from './lookups.ts';

type Queries = QueryResolvers<AdminContext>;
type Mutations = MutationResolvers<MutationContext>;

export const me: Queries['me'] = async (_root, _given, { actor, sql }) => {
  const {
    secretSha256: _secret,
    usable: _usable,
    ...token
  } = await getExisting('token', actor.tokenId, (id) => findAdminToken(sql, id));
  return toAdminToken(token);
};

export const adminTokens: Queries['adminTokens'] = async (_root, _given, { sql }) =>
  (await listAdminTokens(sql)).map(toAdminToken);

export const revokeAdminToken: Mutations['revokeAdminToken'] = async (_root, given, { sql, touched }) => {
  const revoked = await getExisting('token in use', parseArgs(args.TokenArgs, given).id, (id) => revoke(sql, id));
  if (revoked.openidSub !== null) touched([formatActor(revoked)]); // The row of such a token is deleted a day later.
  return toAdminToken(revoked);
};

export const auditChoices: Queries['auditChoices'] = async (_root, _given, { sql }) => await listAuditChoices(sql);

export const auditLog: Queries['auditLog'] = async (_root, given, { mac, sql }) => {
  const { filter, first, after } = parseArgs(args.AuditArgs, given);
  const listing = bindListing('auditLog', filter);
  const [before = null] = after === null ? [] : readCursor(mac, listing, after, 'after');
  const { target, appId, tenantKey, externalSubjectId, ...rest } = filter;
  const people = appId === null || tenantKey === null ? undefined : { appId, tenantKey, externalSubjectId };
  const one = [target ?? appId ?? []].flat();
  const named = people === undefined ? one : listNamesOf(mac, people);
  const targets = named.length === 0 ? null : named;
  const rows = await listAuditEntries(sql, { ...rest, targets }, { limit: first + 1, before });
  return buildPage(mac, listing, { rows, first }, ({ auditId }) => [auditId], toAuditEntry);
};
