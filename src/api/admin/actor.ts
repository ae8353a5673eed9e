import { getCommandLineActor } from '../../basics/command-line-actor.ts';
import type { AdminToken } from '../../store/operators/admin-tokens.ts';

/** The operator or tool that sent a request. */
export interface Operator extends Pick<AdminToken, 'tokenId' | 'role' | 'openidSub'> {
  /** True if they signed in within the last minutes. A token in the request counts as that. */
  readonly fresh: boolean;
}

/** The user of the command line beside the database, who could change every row of it. */
export const COMMAND_LINE = { tokenId: null, openidSub: null, role: 'ADMIN', fresh: true } as const;

export type Actor = Operator | typeof COMMAND_LINE;

/** Formats an actor for the audit log. An OpenID operator is named by the issuer's id, because session tokens are deleted. */
export function formatActor({ tokenId, openidSub }: Pick<Actor, 'tokenId' | 'openidSub'>): string {
  if (tokenId === null) return getCommandLineActor();
  return openidSub === null ? `token:${tokenId}` : `openid:${openidSub}`;
}
