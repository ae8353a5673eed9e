import type { Oidc } from '../../identity/oidc.ts';
import type { AppId, AttemptId } from '../../ids.ts';
import type { ApiDeps } from '../deps.ts';
import type { HeldCallbacks } from './held-callbacks.ts';

/** What the browser side of both flows works with. */
export interface ConnectDeps extends Pick<ApiDeps, 'sql' | 'outbox' | 'facts' | 'sealInbox' | 'suspendSiblings'> {
  /** Where browsers reach these routes, without a slash at the end. */
  readonly connectUrl: string;
  readonly oidc: Oidc;
  /** Where callbacks wait for their attempts to end. */
  readonly held: HeldCallbacks;
}

/** What a launch and a callback need to know of an attempt, whichever flow it is of. */
export interface FlowAttempt {
  readonly attemptId: AttemptId;
  readonly appId: AppId;
  readonly returnUrl: string;
  readonly browserSha256: Buffer | null;
}

/**
 * How far an attempt has come, as a browser sees it. ACCEPTED: its one callback has been taken. ENDED: there is a
 * result to read. EXPIRED: overtaken by its deadline before a callback came.
 */
export type Stage = 'CREATED' | 'AUTHORIZING' | 'ACCEPTED' | 'ENDED' | 'EXPIRED';

/** What binds a launched attempt to one browser: the state travels through the provider, the cookie stays. */
export interface Binding {
  readonly state: string;
  readonly stateSha256: Buffer;
  readonly browserSha256: Buffer;
}

/** What a callback came to. `late`: something else has ended or answered the attempt in the meantime. */
export type CallbackOutcome = 'accepted' | 'denied' | 'failed' | 'late';

/** What connecting an account and signing in do differently between the same two steps of a browser. */
export interface Flow<Attempt extends FlowAttempt> {
  readonly name: 'connect' | 'identity';
  findByLaunchToken(tokenSha256: Buffer): Promise<Attempt | undefined>;
  findByState(stateSha256: Buffer): Promise<Attempt | undefined>;
  findStage(attempt: Attempt): Stage;
  /** Whether the last part of a callback's path is the one this attempt waits for. */
  answersAt(attempt: Attempt, place: string): boolean;
  /**
   * Spends the launch token. @returns the URL to send the browser to.
   * @throws Refused when the attempt may not go on, or its token has been spent by another.
   */
  launch(attempt: Attempt, binding: Binding): Promise<string>;
  /** Takes the far side's answer. @throws Refused `answerUnusable`, which spends nothing. */
  takeCallback(attempt: Attempt, query: URLSearchParams): Promise<CallbackOutcome>;
  /** The attempt as it stands now. */
  reread(attempt: Attempt): Promise<Attempt | undefined>;
}
