import { cancellationSignal } from '@temporalio/activity';
import type { IdentityStatus } from '../basics/codes.ts';
import type { AttemptId } from '../basics/ids.ts';
import { isDenial } from '../domain/access/denial.ts';
import { type CallDenial, mayCall } from '../domain/access/may-call.ts';
import { buildIdentityRedirectUri } from '../domain/connecting/redirect-uris.ts';
import type { IssuerClient, SignIn } from '../identity/sign-in.ts';
import { ProviderError } from '../providers/provider.ts';
import {
  type IdentityAttempt,
  identityAttempts,
  moveIdentityAttemptToEnd,
  unclaimIdentityExchange,
} from '../store/attempts/identity-attempts.ts';
import { inTransaction } from '../store/driver/sql.ts';
import { findIssuer } from '../store/issuers/issuers.ts';
import { associatedData } from '../vault/associated-data.ts';
import { recordingCause } from './connect.ts';
import type { Deps } from './deps.ts';
import { createInterruption, createLostRow, createRefusal } from './failures.ts';
import { storeWithRetries } from './grant-tokens.ts';
import { requirePermit, toRefusal } from './require-permit.ts';

export interface IdentityDeps {
  readonly signIn: SignIn;
}

/** A sign-in's calls to its issuer. */
export const createIssuerActivityGroup = (deps: Deps & IdentityDeps) => ({
  /**
   * Exchanges the attempt's code for claims and stores them sealed. Claims the code in its row before it sends it.
   * @throws `NotWanted` | `Interrupted` | `RetryLater` | `ClientRejected` | `ContractBroken`
   */
  async exchangeIdentityCode(attempt: { attemptId: AttemptId }): Promise<void> {
    await recordingCause(deps, 'identity_attempt', attempt, () => exchangeIdentityCode(deps, attempt));
  },
});

async function exchangeIdentityCode(deps: Deps & IdentityDeps, { attemptId }: { attemptId: AttemptId }): Promise<void> {
  const { sql, vault, signIn } = deps;
  const attempt = await identityAttempts.find(sql, attemptId);
  if (attempt?.status === 'COMPLETED') return; // Stored just before a time-out.
  if (attempt?.stage !== 'EXCHANGING' || attempt.expired) throw createRefusal('NotWanted', 'The sign-in has ended.');
  const purpose = { for: 'SIGN_IN', attemptId } as const;
  const admit = () => requirePermit(sql, purpose);
  await admit();
  const issuer = await openIssuer(deps, attempt);
  const configuration = await signIn.discover(issuer);
  const input = await openInput(deps, attempt);
  if (!(await identityAttempts.claimExchange(sql, attemptId))) {
    throw createInterruption('Interrupted', 'The code was sent before, and our worker lost its answer.');
  }
  try {
    const claims = await signIn.redeem(configuration, issuer, { ...input, admit });
    const sealedClaims = await vault.sealEdge(JSON.stringify(claims), associatedData.identityClaims(attemptId));
    const denial = await storeClaims(deps, attemptId, sealedClaims);
    if (denial !== undefined) throw toRefusal(denial);
  } catch (error) {
    const unused = error instanceof ProviderError && error.type === 'RetryLater' && !error.outcomeUnknown;
    if (unused) await unclaimIdentityExchange(sql, attemptId);
    throw error;
  }
}

/** Stores the claims if the sign-in may still have them. A short database outage must not cost them. */
async function storeClaims({ sql }: Deps, attemptId: AttemptId, sealedClaims: string): Promise<CallDenial | undefined> {
  let denial: CallDenial | undefined;
  await storeWithRetries(cancellationSignal(), () =>
    inTransaction(sql, async (tx) => {
      const permit = await mayCall(tx, { for: 'SIGN_IN', attemptId });
      denial = isDenial(permit) ? permit : undefined;
      if (denial === undefined) await moveIdentityAttemptToEnd(tx, attemptId, { status: 'COMPLETED', sealedClaims });
    }),
  );
  return denial;
}

/** The end of a sign-in in its row. */
export const createIdentityActivities = (deps: Deps) => ({
  /** @throws `RowLost` */
  async endIdentityAttempt(input: { attemptId: AttemptId; status: 'FAILED' | 'EXPIRED' }): Promise<IdentityStatus> {
    const { attemptId, status } = input;
    await moveIdentityAttemptToEnd(deps.sql, attemptId, { status });
    const attempt = await identityAttempts.find(deps.sql, attemptId);
    if (attempt === undefined) throw createLostRow(deps.log, 'The row of a sign-in is lost', { attemptId });
    return attempt.status;
  },
});

async function openIssuer({ sql, vault }: Deps, { issuerId }: IdentityAttempt): Promise<IssuerClient> {
  const issuer = await findIssuer(sql, issuerId);
  if (!issuer) throw new Error('An issuer in use is missing.');
  const clientSecret = await vault.openInbox(issuer.sealedClientSecret, associatedData.issuerSecret(issuerId));
  return { issuer: issuer.issuer, clientId: issuer.clientId, tokenAuthMethod: issuer.tokenAuthMethod, clientSecret };
}

async function openInput({ vault, connectUrl }: Deps, attempt: IdentityAttempt) {
  const { attemptId, issuerId, createdAt, sealedCode, sealedCodeVerifier, sealedNonce } = attempt;
  if (sealedCode === null || sealedCodeVerifier === null || sealedNonce === null) {
    throw new Error('A sign-in has lost its secrets.');
  }
  return {
    code: await vault.openInbox(sealedCode, associatedData.identityCode(attemptId)),
    codeVerifier: await vault.openInbox(sealedCodeVerifier, associatedData.identityCodeVerifier(attemptId)),
    nonce: await vault.openInbox(sealedNonce, associatedData.identityNonce(attemptId)),
    redirectUri: buildIdentityRedirectUri(connectUrl, issuerId),
    attemptCreatedAt: createdAt,
  };
}
