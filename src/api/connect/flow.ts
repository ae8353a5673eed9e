import type { AttemptId } from '../../basics/ids.ts';
import type { AttemptDenial } from '../../domain/access/may-connect.ts';
import type { Oidc } from '../../identity/oidc.ts';
import type { AuthorizationResponse, Refusal as ProviderRefusal } from '../../providers/authorization-response.ts';
import type { ApiDeps } from '../deps.ts';
import { deriveToken, sha256 } from '../tokens.ts';
import type { FlowAttempt } from './flow-attempt.ts';
import type { HeldCallbacks } from './held-callbacks.ts';
import type { Operator } from './operator.ts';
import { type Refusal, Refused } from './refused.ts';

/** The dependencies of the browser side of both flows. */
export interface ConnectDeps
  extends Pick<ApiDeps, 'sql' | 'outbox' | 'facts' | 'mac' | 'sealInbox' | 'suspendSiblings'> {
  /** The base URL of these routes for browsers, without a slash at the end. */
  readonly connectUrl: string;
  /** As every page shows it. */
  readonly operator?: Operator;
  readonly oidc: Oidc;
  /** Callbacks that wait for their attempts to end. */
  readonly held: HeldCallbacks;
  /** The most launches from one address in ten minutes. */
  readonly launchesPerAddress: number;
  /** Every request is answered within this time, in milliseconds: 8 s by default. */
  readonly answerWithinMs?: number;
}

/**
 * The stage of an attempt from a browser's view. ACCEPTED: its one callback was accepted. ENDED: it has a result.
 * EXPIRED: its deadline passed before a callback arrived.
 */
export type Stage = 'CREATED' | 'AUTHORIZING' | 'ACCEPTED' | 'ENDED' | 'EXPIRED';

/**
 * Binds a launched attempt to one browser: the provider returns the state, and the browser keeps the cookie. All values
 * follow from the cookie's token, so that the browser that has it gets the same URL again.
 */
export interface Binding {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The binding of the browser whose cookie has this token, and the hashes that the attempt stores. */
export const bind = (
  browser: string,
): Binding & { readonly hashes: { stateSha256: Buffer; browserSha256: Buffer } } => {
  const state = deriveToken(browser, 'state');
  return {
    state,
    nonce: deriveToken(browser, 'nonce'),
    codeVerifier: deriveToken(browser, 'code verifier'),
    hashes: { stateSha256: sha256(state), browserSha256: sha256(browser) },
  };
};

/** An answer that belongs to its attempt: a code, sealed for the exchange, or who refused it and how. */
export type Answer =
  | { readonly kind: 'code'; readonly sealedCode: string }
  | Pick<Extract<AuthorizationResponse, { kind: 'refused' }>, 'kind' | 'by' | 'refusal'>;

const WHY_NOT = {
  POLICY_CHANGED: 'notAllowed',
  REGISTRATION_PAUSED: 'paused',
  ACCOUNT_DISCONNECTING: 'disconnecting',
} as const satisfies Record<AttemptDenial['reason'], Refusal>;

/** @throws Refused if the token was spent, or the attempt has just ended because it is no longer permitted. */
export function requireLaunched(
  outcome: 'launched' | 'used' | Pick<AttemptDenial, 'reason'>,
  attempt: FlowAttempt,
): void {
  if (outcome === 'used') throw new Refused('launchUsed', attempt);
  if (outcome !== 'launched') throw new Refused(WHY_NOT[outcome.reason], attempt, { ownEnd: true });
}

/** The outcome of a callback. `late`: the attempt had ended or was answered in the meantime. */
export type CallbackOutcome = 'accepted' | 'denied' | 'failed' | 'late';

/** The steps of connecting an account and of signing in. The pages of launch and callback are the same for both. */
export interface Flow<Attempt extends FlowAttempt> {
  readonly name: 'connect' | 'identity';
  findByLaunchToken(tokenSha256: Buffer): Promise<Attempt | undefined>;
  findByState(stateSha256: Buffer): Promise<Attempt | undefined>;
  findStage(attempt: Attempt): Stage;
  /** @returns true if the last part of a callback's path belongs to this attempt. */
  answersAt(attempt: Attempt, place: string): boolean;
  /**
   * Spends the launch token. @returns the URL to send the browser to.
   * @param browser the token of the browser's cookie
   * @throws Refused if the attempt is no longer permitted or its token was already spent.
   */
  launch(attempt: Attempt, browser: string): Promise<string>;
  /** @returns the URL to which `launch` sent this browser. Spends nothing. */
  repeatLaunch(attempt: Attempt, browser: string): Promise<string>;
  /**
   * Accepts the answer of the provider or issuer. @returns also how it refused, unless a person did
   * @throws Refused `answerUnusable`, which spends nothing: the answer is malformed, or names another issuer.
   */
  takeCallback(
    attempt: Attempt,
    query: URLSearchParams,
  ): Promise<{ readonly outcome: CallbackOutcome; readonly refusal: ProviderRefusal | undefined }>;
  find(attemptId: AttemptId): Promise<Attempt | undefined>;
}
