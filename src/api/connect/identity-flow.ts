import { isUnfinishedAttempt } from '../../basics/codes.ts';
import { maySignIn } from '../../domain/access/may-sign-in.ts';
import { buildIdentityRedirectUri } from '../../domain/connecting/redirect-uris.ts';
import { readAuthorizationResponse } from '../../providers/authorization-response.ts';
import { REDIRECT } from '../../store/attempts/attempt-causes.ts';
import {
  type IdentityAttempt,
  identityAttempts,
  moveIdentityAttemptToEnd,
} from '../../store/attempts/identity-attempts.ts';
import { inTransaction } from '../../store/driver/sql.ts';
import { findIssuer, type Issuer } from '../../store/issuers/issuers.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { associatedData } from '../../vault/associated-data.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import { sha256 } from '../tokens.ts';
import { type Answer, type Binding, bind, type ConnectDeps, type Flow, requireLaunched, type Stage } from './flow.ts';
import { Refused } from './refused.ts';

/** Creates the flow that signs a person in at an OpenID Connect issuer. */
export function createIdentityFlow(deps: ConnectDeps): Flow<IdentityAttempt> {
  const { sql } = deps;
  return {
    name: 'identity',
    findByLaunchToken: (tokenSha256) => identityAttempts.findByLaunchToken(sql, tokenSha256),
    findByState: (stateSha256) => identityAttempts.findByState(sql, stateSha256),
    find: (attemptId) => identityAttempts.find(sql, attemptId),
    findStage,
    answersAt: ({ issuerId }, place) => issuerId === place.toLowerCase(),
    repeatLaunch: async (attempt, browser) => (await prepareLaunch(deps, attempt, bind(browser))).url,

    async launch(attempt, browser) {
      const { attemptId } = attempt;
      const binding = bind(browser);
      // Before the token is spent, so that the person can try again if it fails.
      const { url, secrets } = await prepareLaunch(deps, attempt, binding);
      const outcome = await inTransaction(sql, async (tx) => {
        const denial = await maySignIn(tx, attemptId);
        if (denial === undefined) {
          const isMoved = await identityAttempts.moveToAuthorizing(tx, attemptId, { ...binding.hashes, ...secrets });
          return isMoved ? 'launched' : 'used';
        }
        await moveIdentityAttemptToEnd(tx, attemptId, { status: 'FAILED' });
        return denial;
      });
      requireLaunched(outcome, attempt);
      return url;
    },

    async takeCallback(attempt, query) {
      const { attemptId } = attempt;
      const answer = await readAnswer(deps, attempt, query);
      const outcome = await inTransaction(sql, async (tx) => {
        if (answer.kind === 'refused') {
          const isDenied = answer.by === 'PERSON';
          const cause = { answer: REDIRECT, code: answer.refusal.code };
          const status = isDenied ? 'DENIED' : 'FAILED';
          if (!(await moveIdentityAttemptToEnd(tx, attemptId, { status, cause }))) return 'late';
          return isDenied ? 'denied' : 'failed';
        }
        if ((await maySignIn(tx, attemptId)) !== undefined)
          return (await moveIdentityAttemptToEnd(tx, attemptId, { status: 'FAILED' })) ? 'failed' : 'late';
        if (!(await identityAttempts.moveToExchanging(tx, attemptId, answer.sealedCode))) return 'late';
        await insertDispatch(tx, buildDispatch('identityAttempt', attempt));
        return 'accepted';
      });
      const isFailed = outcome === 'failed' && answer.kind === 'refused';
      return { outcome, refusal: isFailed ? answer.refusal : undefined };
    },
  };
}

function findStage({ status, stage, expired }: IdentityAttempt): Stage {
  if (status === 'EXPIRED') return 'EXPIRED';
  if (status !== 'PENDING') return 'ENDED';
  if (stage === 'EXCHANGING') return 'ACCEPTED';
  if (expired) return 'EXPIRED';
  return isUnfinishedAttempt(stage) ? stage : 'ENDED';
}

async function prepareLaunch(deps: ConnectDeps, attempt: IdentityAttempt, binding: Binding) {
  const { attemptId } = attempt;
  const { state, nonce, codeVerifier } = binding;
  const url = await deps.oidc.buildAuthorizationUrl(await getIssuer(deps, attempt), {
    redirectUri: buildIdentityRedirectUri(deps.connectUrl, attempt.issuerId),
    state,
    nonce,
    codeChallenge: sha256(codeVerifier).toString('base64url'),
  });
  const sealedNonce = await deps.sealInbox(nonce, associatedData.identityNonce(attemptId));
  const sealedCodeVerifier = await deps.sealInbox(codeVerifier, associatedData.identityCodeVerifier(attemptId));
  return { url, secrets: { sealedNonce, sealedCodeVerifier } };
}

async function readAnswer(deps: ConnectDeps, attempt: IdentityAttempt, query: URLSearchParams): Promise<Answer> {
  const answer = readAuthorizationResponse(query);
  if (answer.kind === 'malformed') throw new Refused('answerUnusable', attempt);
  const issuer = await getIssuer(deps, attempt);
  const named = answer.issuer !== null;
  // RFC 9207, 2.4: `iss` must be equal if present, and present if the issuer's metadata announces it.
  // A refusal redeems nothing, and some issuers send `iss` with codes only.
  const own = named ? answer.issuer === issuer.issuer : answer.kind !== 'code' || !(await deps.oidc.sendsIss(issuer));
  if (!own) throw new Refused('answerUnusable', attempt);
  if (answer.kind === 'refused') return answer;
  return {
    kind: 'code',
    sealedCode: await deps.sealInbox(answer.code, associatedData.identityCode(attempt.attemptId)),
  };
}

async function getIssuer({ sql }: ConnectDeps, { issuerId }: IdentityAttempt): Promise<Issuer> {
  const issuer = await findIssuer(sql, issuerId);
  if (!issuer) throw new Error('An issuer in use is missing.');
  return issuer;
}
