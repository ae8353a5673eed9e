import type { MutationResolvers, QueryResolvers } from '../../../generated/admin-schema.ts';
import { listAuditEntries } from '../../../store/admin/audit.ts';
import { findAdminToken, listAdminTokens, revokeAdminToken as revoke } from '../../../store/admin/tokens.ts';
import { readCursor } from '../../cursors.ts';
import { parse } from '../../inputs.ts';
import type { AdminContext, MutationContext } from '../context.ts';
import * as args from '../inputs.ts';
import { listingOf, pageOf } from '../pages.ts';
import { showAudit, showToken } from '../show.ts';
import { get } from './lookups.ts';

type Queries = QueryResolvers<AdminContext>;
type Mutations = MutationResolvers<MutationContext>;

export const me: Queries['me'] = async (_root, _given, { actor, sql }) => {
  const {
    secretSha256: _secret,
    usable: _usable,
    ...token
  } = await get('token', actor.tokenId, (id) => findAdminToken(sql, id));
  return showToken(token);
};

export const adminTokens: Queries['adminTokens'] = async (_root, _given, { sql }) =>
  (await listAdminTokens(sql)).map(showToken);

export const revokeAdminToken: Mutations['revokeAdminToken'] = async (_root, given, { sql }) =>
  showToken(await get('token in use', parse(args.TokenArgs, given).id, (id) => revoke(sql, id)));

export const auditLog: Queries['auditLog'] = async (_root, given, { mac, sql }) => {
  const { filter, first, after } = parse(args.AuditArgs, given);
  const listing = listingOf('auditLog', filter);
  const [before = null] = after === null ? [] : readCursor(mac, listing, after, 'after');
  const { target, ...rest } = filter;
  const rows = await listAuditEntries(
    sql,
    { ...rest, targets: target === null ? null : [target] },
    { limit: first + 1, before },
  );
  return pageOf(mac, listing, { rows, first }, ({ auditId }) => [auditId], showAudit);
};
