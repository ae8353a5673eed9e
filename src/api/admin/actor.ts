import type { AdminToken } from '../../store/operators/admin-tokens.ts';

/** The operator or tool that sent a request. */
export interface Actor extends Pick<AdminToken, 'tokenId' | 'role' | 'openidSub'> {
  /** True if they signed in within the last minutes. A token in the request counts as that. */
  readonly fresh: boolean;
}

/** Formats an actor for the audit log. An OpenID operator is named by the issuer's id, because session tokens are deleted. */
export const formatActor = ({ tokenId, openidSub }: Pick<Actor, 'tokenId' | 'openidSub'>): string =>
  openidSub === null ? `token:${tokenId}` : `openid:${openidSub}`;
