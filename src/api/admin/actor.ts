import type { AdminTokenId } from '../../ids.ts';
import type { AdminRole } from './roles.ts';

/** Who is asking. */
export interface Actor {
  readonly tokenId: AdminTokenId;
  readonly role: AdminRole;
}

/** As the audit log names them. */
export const actorName = ({ tokenId }: Pick<Actor, 'tokenId'>): string => `token:${tokenId}`;
