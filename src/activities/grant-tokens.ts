import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { GrantId } from '../basics/ids.ts';
import { Secret } from '../basics/secret.ts';
import type { Purpose } from '../domain/access/may-call.ts';
import { ProviderError, type Tokens } from '../providers/provider.ts';
import { recordProof } from '../store/connections/proofs.ts';
import { findGrant, type Grant } from '../store/grants/grants.ts';
import { updateTokens } from '../store/grants/refresh-claims.ts';
import { type AssociatedData, associatedData } from '../vault/associated-data.ts';
import type { Deps } from './deps.ts';
import { callAsClient } from './registration-calls.ts';

/** Five tries within about three seconds. */
const STORE_TRIES = 5;
const STORE_PAUSE_MS = 200;

const Sealed = z.object({ accessToken: z.string(), refreshToken: z.string().nullable() });

export const sealTokens = (deps: Deps, tokens: Tokens, bound: AssociatedData): Promise<string> =>
  deps.vault.sealGrant(
    JSON.stringify({ accessToken: tokens.accessToken.reveal(), refreshToken: tokens.refreshToken?.reveal() ?? null }),
    bound,
  );

export async function openTokens(
  deps: Deps,
  sealed: string,
  bound: AssociatedData,
  grant: Pick<Grant, 'accessExpiresAt' | 'refreshExpiresAt' | 'permissions'>,
): Promise<Tokens> {
  const opened = Sealed.parse(JSON.parse((await deps.vault.openGrant(sealed, bound)).reveal()));
  return {
    accessToken: new Secret(opened.accessToken),
    refreshToken: opened.refreshToken === null ? null : new Secret(opened.refreshToken),
    accessExpiresAt: grant.accessExpiresAt,
    refreshExpiresAt: grant.refreshExpiresAt,
    permissions: grant.permissions,
  };
}

export type UsableGrant = Grant & { sealedTokens: string };

export const getUsableGrant = async (deps: Deps, grantId: GrantId): Promise<UsableGrant> =>
  requireTokens(await findGrant(deps.sql, grantId));

/** @throws ProviderError `GrantDead` */
export function requireTokens(grant: Grant | undefined): UsableGrant {
  if (!grant || grant.status === 'DEAD' || grant.sealedTokens === null) {
    throw new ProviderError('GrantDead', 'The grant has ended.');
  }
  return { ...grant, sealedTokens: grant.sealedTokens };
}

export const openTokensOf = (deps: Deps, grant: UsableGrant): Promise<Tokens> =>
  openTokens(deps, grant.sealedTokens, associatedData.tokens(grant.grantId), grant);

/** Whether an id is one by which the platform names the account of a grant. */
export const isAccountOf = (
  { mac }: Deps,
  { registrationId, accountMacs }: Pick<Grant, 'registrationId' | 'accountMacs'>,
  accountId: string,
): boolean => mac.allOf('account', registrationId, accountId).some((one) => accountMacs.includes(one.toString('hex')));

/**
 * Sends the refresh under a claim that the caller holds. The caller classifies a failure. Tokens of another account are discarded:
 * the answer counts as lost.
 */
export async function requestRefresh(
  deps: Deps,
  grant: Grant,
  old: Tokens,
  { signal, purpose }: { signal: AbortSignal; purpose: Purpose },
): Promise<Tokens> {
  const fresh = await callAsClient(deps, { ...grant, purpose }, { signal, whenRefused: 'FAIL' }, (client, meter) =>
    deps.providers[grant.provider].refresh(client, old, meter),
  );
  const { accountId } = fresh;
  if (accountId !== undefined && grant.accountMacs.length > 0 && !isAccountOf(deps, grant, accountId))
    throw new ProviderError('AccountMismatch', 'A refresh was answered with tokens of another account.', {
      outcomeUnknown: deps.facts[grant.provider].rotatesRefreshTokens,
    });
  return fresh;
}

/** Stores the tokens of a refresh, and ends its claim. */
export async function storeTokens(
  deps: Deps,
  { grantId, claim, fresh }: { grantId: GrantId; claim: string; fresh: Tokens },
  signal: AbortSignal,
): Promise<void> {
  const sealedTokens = await sealTokens(deps, fresh, associatedData.tokens(grantId));
  await storeWithRetries(signal, () => updateTokens(deps.sql, grantId, claim, { ...fresh, sealedTokens }));
  await storeWithRetries(signal, () => recordProof(deps.sql, grantId));
}

/**
 * Stores a value that a provider issues only once. A short database outage must not cost the grant. While the worker
 * shuts down there is no time left to wait.
 */
export async function storeWithRetries(signal: AbortSignal, store: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store();
      return;
    } catch (error) {
      if (tries === STORE_TRIES) throw error;
      await delay(STORE_PAUSE_MS * 2 ** (tries - 1), undefined, { signal }).catch(() => undefined); // Only the signal rejects it.
    }
  }
}
