import { createHash } from 'node:crypto';
import { findPermitLoss, type PermitLoss } from '../../domain/connecting/permit-attempt.ts';
import { buildConnectRedirectUri } from '../../domain/connecting/redirect-uris.ts';
import { choosePermissions, type ProviderFacts } from '../../providers/facts.ts';
import {
  type Attempt,
  findAttempt,
  findAttemptByLaunchToken,
  findAttemptByState,
  moveAttemptToAuthorizing,
  moveAttemptToEnd,
  moveAttemptToExchanging,
} from '../../store/attempts/attempts.ts';
import { inTransaction } from '../../store/driver/sql.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { findRegistration } from '../../store/registrations/registrations.ts';
import { lockScopeById } from '../../store/scopes.ts';
import { associatedData } from '../../vault/associated-data.ts';
import { ATTEMPT_ENDED, CALLBACK_ARRIVED } from '../../workflows/contract.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import { createRandomToken } from '../tokens.ts';
import type { Binding, CallbackOutcome, ConnectDeps, Flow, Stage } from './flow.ts';
import { type Refusal, Refused } from './refused.ts';

/** Creates the flow that connects an account at a provider. */
export function createConnectFlow(deps: ConnectDeps): Flow<Attempt> {
  const { sql } = deps;
  return {
    name: 'connect',
    findByLaunchToken: (tokenSha256) => findAttemptByLaunchToken(sql, tokenSha256),
    findByState: (stateSha256) => findAttemptByState(sql, stateSha256),
    findStage,
    answersAt: ({ provider }, place) => deps.facts[provider].slug === place,
    launch: (attempt, binding) => launch(deps, attempt, binding),
    takeCallback: (attempt, query) => takeCallback(deps, attempt, query),
    reread: ({ attemptId }) => findAttempt(sql, attemptId),
  };
}

function findStage({ status, expired }: Attempt): Stage {
  if (status === 'EXCHANGING') return 'ACCEPTED';
  if (status === 'EXPIRED' || expired) return 'EXPIRED';
  return status === 'CREATED' || status === 'AUTHORIZING' ? status : 'ENDED';
}

const WHY_NOT = {
  POLICY_CHANGED: 'notAllowed',
  REGISTRATION_PAUSED: 'paused',
  ACCOUNT_DISCONNECTING: 'disconnecting',
} as const satisfies Record<PermitLoss, Refusal>;

async function launch(deps: ConnectDeps, attempt: Attempt, binding: Binding): Promise<string> {
  const { attemptId } = attempt;
  const facts = deps.facts[attempt.provider];
  const registration = await findRegistration(deps.sql, attempt.registrationId);
  if (!registration) throw new Error('A registration in use is missing.');
  const codeVerifier = facts.pkce === null ? null : createRandomToken();
  const sealedCodeVerifier =
    codeVerifier === null ? null : await deps.sealInbox(codeVerifier, associatedData.codeVerifier(attemptId));

  const outcome = await inTransaction(deps.sql, async (tx): Promise<PermitLoss | 'launched' | 'used'> => {
    await lockScopeById(tx, attempt.scopeId);
    const loss = await findPermitLoss(deps, tx, attempt, 'launch');
    if (loss === undefined) {
      const { stateSha256, browserSha256 } = binding;
      const launched = await moveAttemptToAuthorizing(tx, attemptId, {
        stateSha256,
        browserSha256,
        sealedCodeVerifier,
      });
      return launched ? 'launched' : 'used';
    }
    const ended = await moveAttemptToEnd(tx, attemptId, { status: 'FAILED', resultCode: loss });
    if (ended) await insertDispatch(tx, buildDispatch('connectAttempt', attempt, { signal: ATTEMPT_ENDED }));
    return loss;
  });
  if (outcome === 'used') throw new Refused('launchUsed', attempt);
  if (outcome !== 'launched') {
    deps.outbox.deliverSoon();
    throw new Refused(WHY_NOT[outcome], attempt, { ownEnd: true });
  }

  return facts.buildAuthorizationRequest({
    clientId: registration.clientId,
    redirectUri: buildConnectRedirectUri(deps.connectUrl, facts),
    permissions: choosePermissions(facts, attempt.capabilities, registration.permissions),
    state: binding.state,
    codeChallenge: codeVerifier === null ? null : challengeOf(codeVerifier, facts),
  });
}

/** `S256` (RFC 7636, 4.2), in the encoding that the provider expects. */
const challengeOf = (codeVerifier: string, { pkce }: ProviderFacts): string =>
  createHash('sha256')
    .update(codeVerifier)
    .digest(pkce ?? 'base64url');

async function takeCallback(deps: ConnectDeps, attempt: Attempt, query: URLSearchParams): Promise<CallbackOutcome> {
  const { attemptId } = attempt;
  const facts = deps.facts[attempt.provider];
  const answer = facts.readAuthorizationResponse(query);
  if (answer.kind === 'malformed') throw new Refused('answerUnusable', attempt);
  const foreign = facts.issuer !== null && answer.issuer !== null && answer.issuer !== facts.issuer;
  if (foreign) throw new Refused('answerUnusable', attempt);

  const sealedCode = answer.kind === 'code' ? await deps.sealInbox(answer.code, associatedData.code(attemptId)) : null;
  return await inTransaction(deps.sql, async (tx): Promise<CallbackOutcome> => {
    await lockScopeById(tx, attempt.scopeId);
    const loss = sealedCode === null ? undefined : await findPermitLoss(deps, tx, attempt, 'callback');
    const accepts = sealedCode !== null && loss === undefined;
    const moved = accepts
      ? await moveAttemptToExchanging(tx, attemptId, sealedCode)
      : await moveAttemptToEnd(tx, attemptId, chooseEnd(answer.kind, loss));
    if (!moved) return 'late';
    const signal = accepts ? CALLBACK_ARRIVED : ATTEMPT_ENDED;
    await insertDispatch(tx, buildDispatch('connectAttempt', attempt, { signal }));
    if (loss !== undefined) return 'failed';
    return answer.kind === 'code' ? 'accepted' : answer.kind;
  });
}

/** Chooses the end of an attempt if its callback starts no exchange. */
function chooseEnd(kind: 'code' | 'denied' | 'failed', loss: PermitLoss | undefined) {
  if (loss !== undefined) return { status: 'FAILED', resultCode: loss } as const;
  return kind === 'denied' ? DENIED : FAILED;
}

const DENIED = { status: 'DENIED', resultCode: 'ACCESS_DENIED' } as const;
/** The provider reports that it could not ask the person. Nothing was granted, and another try may help. */
const FAILED = { status: 'FAILED', resultCode: 'PROVIDER_UNAVAILABLE' } as const;
