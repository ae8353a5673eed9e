import { buildIdentityRedirectUri } from '../../domain/connecting/redirect-uris.ts';
import { readAuthorizationResponse } from '../../providers/authorization-response.ts';
import {
  type IdentityAttempt,
  identityAttempts,
  moveIdentityAttemptToEnd,
} from '../../store/attempts/identity-attempts.ts';
import { isIdentityAllowed } from '../../store/issuers/identity-settings.ts';
import { findIssuer, type Issuer } from '../../store/issuers/issuers.ts';
import { associatedData } from '../../vault/associated-data.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import { sha256 } from '../tokens.ts';
import { type Answer, createFlow } from './create-flow.ts';
import type { Binding, ConnectDeps, Flow, Stage } from './flow.ts';
import { Refused } from './refused.ts';

/** Creates the flow that signs a person in at an OpenID Connect issuer. */
export const createIdentityFlow = (deps: ConnectDeps): Flow<IdentityAttempt> =>
  createFlow(deps, {
    name: 'identity',
    attempts: identityAttempts,
    findStage,
    answersAt: ({ issuerId }, place) => issuerId === place.toLowerCase(),
    prepareLaunch: (attempt, binding) => prepareLaunch(deps, attempt, binding),
    readAnswer: (attempt, query) => readAnswer(deps, attempt, query),
    findLoss: async (tx, attempt) => ((await isIdentityAllowed(tx, attempt)) ? undefined : 'POLICY_CHANGED'),
    moveToEnd: (tx, { attemptId }, reason, cause) =>
      moveIdentityAttemptToEnd(tx, attemptId, { status: reason === 'PERSON' ? 'DENIED' : 'FAILED', cause }),
    buildDispatch: (attempt) => buildDispatch('identityAttempt', attempt),
  });

function findStage({ status, stage, expired }: IdentityAttempt): Stage {
  if (status === 'EXPIRED') return 'EXPIRED';
  if (status !== 'PENDING') return 'ENDED';
  if (stage === 'EXCHANGING') return 'ACCEPTED';
  if (expired) return 'EXPIRED';
  return stage === 'CREATED' || stage === 'AUTHORIZING' ? stage : 'ENDED';
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
  // RFC 9207, 2.4: `iss` must be equal if present, and present if the issuer's metadata says that it sends it.
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
