import type { AdminToken } from '../../store/admin/tokens.ts';

/** Who is asking. */
export interface Actor extends Pick<AdminToken, 'tokenId' | 'role' | 'openidSub'> {
  /** Whether they have proven just now who they are: a token sent with the request does. */
  readonly fresh: boolean;
}

/** As the audit log names them: an operator of the OpenID issuer by the issuer's id, as tokens of sessions do not stay. */
export const formatActor = ({ tokenId, openidSub }: Pick<Actor, 'tokenId' | 'openidSub'>): string =>
  openidSub === null ? `token:${tokenId}` : `openid:${openidSub}`;
