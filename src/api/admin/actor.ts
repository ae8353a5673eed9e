import type { AdminToken } from '../../store/admin/tokens.ts';

/** Who is asking. */
export type Actor = Pick<AdminToken, 'tokenId' | 'role' | 'openidSub'>;

/** As the audit log names them: an operator of the OpenID issuer by the issuer's id, as tokens of sessions do not stay. */
export const actorName = ({ tokenId, openidSub }: Pick<Actor, 'tokenId' | 'openidSub'>): string =>
  openidSub === null ? `token:${tokenId}` : `openid:${openidSub}`;
