import type { ProviderName } from '../../basics/codes.ts';
import type { AppId, AttemptId, CorrelationId } from '../../basics/ids.ts';
import type { Oidc } from '../../identity/oidc.ts';
import type { Refusal } from '../../providers/authorization-response.ts';
import type { ApiDeps } from '../deps.ts';
import type { HeldCallbacks } from './held-callbacks.ts';
import type { Operator } from './operator.ts';

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
}

/** The fields of an attempt that a launch and a callback need in either flow. */
export interface FlowAttempt {
  readonly attemptId: AttemptId;
  readonly appId: AppId;
  /** Of an attempt to connect. */
  readonly provider?: ProviderName;
  readonly returnUrl: string;
  readonly browserSha256: Buffer | null;
  /** Of the request that created the attempt: operators find the attempt by it. */
  readonly correlationId: CorrelationId;
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

/** The outcome of a callback. `late`: the attempt had ended or was answered in the meantime. */
export type CallbackOutcome = 'accepted' | 'denied' | 'failed' | 'late';

/** The parts in which connecting an account and signing in differ. Launch and callback are the same for both. */
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
  ): Promise<{ readonly outcome: CallbackOutcome; readonly refusal: Refusal | undefined }>;
  find(attemptId: AttemptId): Promise<Attempt | undefined>;
}
