import { createHash } from 'node:crypto';
import { isUnfinishedAttempt } from '../../basics/codes.ts';
import { mayConnect, type UnsuccessfulEnd } from '../../domain/access/may-connect.ts';
import { buildConnectRedirectUri } from '../../domain/connecting/redirect-uris.ts';
import type { Refuser } from '../../providers/authorization-response.ts';
import { choosePermissions, type ProviderFacts } from '../../providers/facts.ts';
import { REDIRECT } from '../../store/attempts/attempt-causes.ts';
import { type Attempt, connectAttempts, moveAttemptToEnd } from '../../store/attempts/attempts.ts';
import { inTransaction } from '../../store/driver/sql.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { findRegistration } from '../../store/registrations/registrations.ts';
import { lockScopeById } from '../../store/scopes.ts';
import { noteUnknownAnswer } from '../../store/unknown-answers.ts';
import { associatedData } from '../../vault/associated-data.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import { type Answer, type Binding, bind, type ConnectDeps, type Flow, requireLaunched, type Stage } from './flow.ts';
import { Refused } from './refused.ts';

/** Creates the flow that connects an account at a provider. */
export function createConnectFlow(deps: ConnectDeps): Flow<Attempt> {
  const { sql } = deps;
  return {
    name: 'connect',
    findByLaunchToken: (tokenSha256) => connectAttempts.findByLaunchToken(sql, tokenSha256),
    findByState: (stateSha256) => connectAttempts.findByState(sql, stateSha256),
    find: (attemptId) => connectAttempts.find(sql, attemptId),
    findStage,
    answersAt: ({ provider }, place) => deps.facts[provider].slug === place,
    repeatLaunch: async (attempt, browser) => (await prepareLaunch(deps, attempt, bind(browser))).url,

    async launch(attempt, browser) {
      const { attemptId, scopeId } = attempt;
      const binding = bind(browser);
      // Before the token is spent, so that the person can try again if it fails.
      const { url, secrets } = await prepareLaunch(deps, attempt, binding);
      const outcome = await inTransaction(sql, async (tx) => {
        await lockScopeById(tx, scopeId);
        const denial = await mayConnect(deps, tx, attempt, 'launch');
        if (denial === undefined) {
          const isMoved = await connectAttempts.moveToAuthorizing(tx, attemptId, { ...binding.hashes, ...secrets });
          return isMoved ? 'launched' : 'used';
        }
        await moveAttemptToEnd(tx, attemptId, { status: 'FAILED', resultCode: denial.reason });
        return denial;
      });
      requireLaunched(outcome, attempt);
      return url;
    },

    async takeCallback(attempt, query) {
      const { attemptId, scopeId } = attempt;
      const answer = await readAnswer(deps, attempt, query);
      const outcome = await inTransaction(sql, async (tx) => {
        await lockScopeById(tx, scopeId);
        if (answer.kind === 'refused') {
          const cause = { answer: REDIRECT, code: answer.refusal.code };
          if (!(await moveAttemptToEnd(tx, attemptId, { ...ENDS[answer.by], cause }))) return 'late';
          return answer.by === 'PERSON' ? 'denied' : 'failed';
        }
        const denial = await mayConnect(deps, tx, attempt, 'callback');
        if (denial !== undefined) {
          const isEnded = await moveAttemptToEnd(tx, attemptId, { status: 'FAILED', resultCode: denial.reason });
          return isEnded ? 'failed' : 'late';
        }
        if (!(await connectAttempts.moveToExchanging(tx, attemptId, answer.sealedCode))) return 'late';
        await insertDispatch(tx, buildDispatch('connectAttempt', attempt));
        return 'accepted';
      });
      const refused = outcome === 'failed' && answer.kind === 'refused' ? answer : undefined;
      if (refused !== undefined) await noteRefusal(deps, attempt, refused);
      return { outcome, refusal: refused?.refusal };
    },
  };
}

function findStage({ status, expired }: Attempt): Stage {
  if (status === 'EXCHANGING') return 'ACCEPTED';
  if (status === 'EXPIRED' || expired) return 'EXPIRED';
  return isUnfinishedAttempt(status) ? status : 'ENDED';
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
 * Keeps errors that operators must repair, and every unknown form. The person's browser can make it up: it never marks the registration.
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
