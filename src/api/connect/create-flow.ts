import type { PermitLoss } from '../../domain/connecting/permit-attempt.ts';
import type { AuthorizationResponse, Refuser } from '../../providers/authorization-response.ts';
import { type AttemptCause, REDIRECT } from '../../store/attempts/attempt-causes.ts';
import type { BrowserAttempts } from '../../store/attempts/browser-attempts.ts';
import { inTransaction, type Transaction } from '../../store/driver/sql.ts';
import { type Dispatch, insertDispatch } from '../../store/outbox.ts';
import { deriveToken, sha256 } from '../tokens.ts';
import type { Binding, ConnectDeps, Flow, FlowAttempt } from './flow.ts';
import { type Refusal, Refused } from './refused.ts';

/** An answer that belongs to its attempt: a code, sealed for the exchange, or who refused it and how. */
export type Answer =
  | { readonly kind: 'code'; readonly sealedCode: string }
  | Pick<Extract<AuthorizationResponse, { kind: 'refused' }>, 'kind' | 'by' | 'refusal'>;
/** Why an attempt ends at its launch or its callback. */
export type EndReason = Refuser | PermitLoss;

/** The parts in which connecting an account and signing in differ. */
interface FlowParts<Attempt extends FlowAttempt, Secrets>
  extends Pick<Flow<Attempt>, 'name' | 'findStage' | 'answersAt'> {
  readonly attempts: BrowserAttempts<Attempt, Secrets>;
  /** Runs before the token is spent, so that the person can try again if it fails. */
  prepareLaunch(attempt: Attempt, binding: Binding): Promise<{ url: string; secrets: Secrets }>;
  /** @throws Refused `answerUnusable`, which spends nothing. */
  readAnswer(attempt: Attempt, query: URLSearchParams): Promise<Answer>;
  /** Takes the locks under which the attempt may end. */
  lock?(tx: Transaction, attempt: Attempt): Promise<void>;
  findLoss(tx: Transaction, attempt: Attempt, step: 'launch' | 'callback'): Promise<PermitLoss | undefined>;
  /** @param cause how the platform put it, if it refused */
  moveToEnd(tx: Transaction, attempt: Attempt, reason: EndReason, cause?: AttemptCause): Promise<boolean>;
  /** Keeps a refusal for operators that only they can act on. */
  noteRefusal?(attempt: Attempt, answer: Extract<Answer, { kind: 'refused' }>): Promise<void>;
  /** The workflow that exchanges the code. */
  buildDispatch(attempt: Attempt): Dispatch;
}

const WHY_NOT = {
  POLICY_CHANGED: 'notAllowed',
  REGISTRATION_PAUSED: 'paused',
  ACCOUNT_DISCONNECTING: 'disconnecting',
} as const satisfies Record<PermitLoss, Refusal>;

const bind = (browser: string): Binding => ({
  state: deriveToken(browser, 'state'),
  nonce: deriveToken(browser, 'nonce'),
  codeVerifier: deriveToken(browser, 'code verifier'),
});

export function createFlow<Attempt extends FlowAttempt, Secrets>(
  { sql }: ConnectDeps,
  parts: FlowParts<Attempt, Secrets>,
): Flow<Attempt> {
  const { attempts } = parts;
  return {
    name: parts.name,
    findStage: parts.findStage,
    answersAt: parts.answersAt,
    findByLaunchToken: (tokenSha256) => attempts.findByLaunchToken(sql, tokenSha256),
    findByState: (stateSha256) => attempts.findByState(sql, stateSha256),
    find: (attemptId) => attempts.find(sql, attemptId),

    repeatLaunch: async (attempt, browser) => (await parts.prepareLaunch(attempt, bind(browser))).url,

    async launch(attempt, browser) {
      const { attemptId } = attempt;
      const binding = bind(browser);
      const { url, secrets } = await parts.prepareLaunch(attempt, binding);
      const hashes = { stateSha256: sha256(binding.state), browserSha256: sha256(browser) };
      const outcome = await inTransaction(sql, async (tx) => {
        await parts.lock?.(tx, attempt);
        const loss = await parts.findLoss(tx, attempt, 'launch');
        if (loss === undefined)
          return (await attempts.moveToAuthorizing(tx, attemptId, { ...hashes, ...secrets })) ? 'launched' : 'used';
        await parts.moveToEnd(tx, attempt, loss);
        return loss;
      });
      if (outcome === 'launched') return url;
      if (outcome === 'used') throw new Refused('launchUsed', attempt);
      throw new Refused(WHY_NOT[outcome], attempt, { ownEnd: true });
    },

    async takeCallback(attempt, query) {
      const { attemptId } = attempt;
      const answer = await parts.readAnswer(attempt, query);
      const outcome = await inTransaction(sql, async (tx) => {
        await parts.lock?.(tx, attempt);
        if (answer.kind === 'refused') {
          const cause = { answer: REDIRECT, code: answer.refusal.code };
          if (!(await parts.moveToEnd(tx, attempt, answer.by, cause))) return 'late';
          return answer.by === 'PERSON' ? 'denied' : 'failed';
        }
        const loss = await parts.findLoss(tx, attempt, 'callback');
        if (loss !== undefined) return (await parts.moveToEnd(tx, attempt, loss)) ? 'failed' : 'late';
        if (!(await attempts.moveToExchanging(tx, attemptId, answer.sealedCode))) return 'late';
        await insertDispatch(tx, parts.buildDispatch(attempt));
        return 'accepted';
      });
      const refused = outcome === 'failed' && answer.kind === 'refused' ? answer : undefined;
      if (refused !== undefined) await parts.noteRefusal?.(attempt, refused);
      return { outcome, refusal: refused?.refusal };
    },
  };
}
