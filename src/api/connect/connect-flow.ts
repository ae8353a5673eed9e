import { createHash } from 'node:crypto';
import { findPermitLoss, type UnsuccessfulEnd } from '../../domain/connecting/permit-attempt.ts';
import { buildConnectRedirectUri } from '../../domain/connecting/redirect-uris.ts';
import type { Refuser } from '../../providers/authorization-response.ts';
import { choosePermissions, type ProviderFacts } from '../../providers/facts.ts';
import { type Attempt, connectAttempts, moveAttemptToEnd } from '../../store/attempts/attempts.ts';
import { findRegistration } from '../../store/registrations/registrations.ts';
import { lockScopeById } from '../../store/scopes.ts';
import { noteUnknownAnswer } from '../../store/unknown-answers.ts';
import { associatedData } from '../../vault/associated-data.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import { type Answer, createFlow, type EndReason } from './create-flow.ts';
import type { Binding, ConnectDeps, Flow, Stage } from './flow.ts';
import { Refused } from './refused.ts';

/** Creates the flow that connects an account at a provider. */
export const createConnectFlow = (deps: ConnectDeps): Flow<Attempt> =>
  createFlow(deps, {
    name: 'connect',
    attempts: connectAttempts,
    findStage,
    answersAt: ({ provider }, place) => deps.facts[provider].slug === place,
    prepareLaunch: (attempt, binding) => prepareLaunch(deps, attempt, binding),
    readAnswer: (attempt, query) => readAnswer(deps, attempt, query),
    lock: (tx, { scopeId }) => lockScopeById(tx, scopeId),
    findLoss: (tx, attempt, step) => findPermitLoss(deps, tx, attempt, step),
    moveToEnd: (tx, { attemptId }, reason, cause) => moveAttemptToEnd(tx, attemptId, { ...chooseEnd(reason), cause }),
    noteRefusal: (attempt, answer) => noteRefusal(deps, attempt, answer),
    buildDispatch: (attempt) => buildDispatch('connectAttempt', attempt),
  });

function findStage({ status, expired }: Attempt): Stage {
  if (status === 'EXCHANGING') return 'ACCEPTED';
  if (status === 'EXPIRED' || expired) return 'EXPIRED';
  return status === 'CREATED' || status === 'AUTHORIZING' ? status : 'ENDED';
}

async function prepareLaunch(deps: ConnectDeps, attempt: Attempt, { state, codeVerifier: verifier }: Binding) {
  const { attemptId } = attempt;
  const facts = deps.facts[attempt.provider];
  const registration = await findRegistration(deps.sql, attempt.registrationId);
  if (!registration) throw new Error('A registration in use is missing.');
  const codeVerifier = facts.pkce === null ? null : verifier;
  const sealedCodeVerifier =
    codeVerifier === null ? null : await deps.sealInbox(codeVerifier, associatedData.codeVerifier(attemptId));
  const url = facts.buildAuthorizationRequest({
    clientId: registration.clientId,
    redirectUri: buildConnectRedirectUri(deps.connectUrl, facts),
    permissions: choosePermissions(facts, attempt.capabilities, registration.permissions),
    state,
    codeChallenge: codeVerifier === null ? null : challengeOf(codeVerifier, facts),
  });
  return { url, secrets: { sealedCodeVerifier } };
}

/** `S256` (RFC 7636, 4.2), in the encoding that the provider expects. */
const challengeOf = (codeVerifier: string, { pkce }: ProviderFacts): string =>
  createHash('sha256')
    .update(codeVerifier)
    .digest(pkce ?? 'base64url');

async function readAnswer(deps: ConnectDeps, attempt: Attempt, query: URLSearchParams): Promise<Answer> {
  const facts = deps.facts[attempt.provider];
  const answer = facts.readAuthorizationResponse(query);
  if (answer.kind === 'malformed') throw new Refused('answerUnusable', attempt);
  const foreign = facts.issuer !== null && answer.issuer !== null && answer.issuer !== facts.issuer;
  if (foreign) throw new Refused('answerUnusable', attempt);
  if (answer.kind === 'refused') return answer;
  return { kind: 'code', sealedCode: await deps.sealInbox(answer.code, associatedData.code(attempt.attemptId)) };
}

/**
 * Keeps what operators must repair, and every unknown form. The person's browser can make it up: it never marks the registration.
 * Nothing depends on it: a failure to keep it must not fail the callback.
 */
async function noteRefusal(
  { sql }: ConnectDeps,
  { provider }: Attempt,
  { by, refusal }: Extract<Answer, { kind: 'refused' }>,
): Promise<void> {
  const { where: place, status, code, text, isKnown } = refusal;
  if (isKnown && by !== 'CLIENT') return;
  const madeOfIt = by === 'CLIENT' ? 'ClientRejected' : 'RetryLater';
  await noteUnknownAnswer(sql, { provider, place, status, code, text, madeOfIt }, 1, { byBrowser: true }).catch(
    () => {},
  );
}

const ENDS: Readonly<Record<Refuser, UnsuccessfulEnd>> = {
  PERSON: { status: 'DENIED', resultCode: 'ACCESS_DENIED' },
  CLIENT: { status: 'FAILED', resultCode: 'CLIENT_REFUSED' },
  PLATFORM: { status: 'FAILED', resultCode: 'PROVIDER_UNAVAILABLE' },
};

const isRefuser = (reason: EndReason): reason is Refuser => Object.hasOwn(ENDS, reason);

const chooseEnd = (reason: EndReason): UnsuccessfulEnd =>
  isRefuser(reason) ? ENDS[reason] : { status: 'FAILED', resultCode: reason };
