import { buildIdentityRedirectUri } from '../../domain/connecting/redirect-uris.ts';
import { readAuthorizationResponse } from '../../providers/authorization-response.ts';
import {
  findIdentityAttempt,
  findIdentityAttemptByLaunchToken,
  findIdentityAttemptByState,
  type IdentityAttempt,
  moveIdentityAttemptToAuthorizing,
  moveIdentityAttemptToEnd,
  moveIdentityAttemptToExchanging,
} from '../../store/attempts/identity-attempts.ts';
import { inTransaction } from '../../store/driver/sql.ts';
import { isIdentityAllowed } from '../../store/issuers/identity-settings.ts';
import { findIssuer, type Issuer } from '../../store/issuers/issuers.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { associatedData } from '../../vault/associated-data.ts';
import { ATTEMPT_ENDED, CALLBACK_ARRIVED } from '../../workflows/contract.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import { createRandomToken, sha256 } from '../tokens.ts';
import type { Binding, CallbackOutcome, ConnectDeps, Flow, Stage } from './flow.ts';
import { Refused } from './refused.ts';

/** Creates the flow that signs a person in at an OpenID Connect issuer. */
export function createIdentityFlow(deps: ConnectDeps): Flow<IdentityAttempt> {
  const { sql } = deps;
  return {
    name: 'identity',
    findByLaunchToken: (tokenSha256) => findIdentityAttemptByLaunchToken(sql, tokenSha256),
    findByState: (stateSha256) => findIdentityAttemptByState(sql, stateSha256),
    findStage,
    answersAt: ({ issuerId }, place) => issuerId === place.toLowerCase(),
    launch: (attempt, binding) => launch(deps, attempt, binding),
    takeCallback: (attempt, query) => takeCallback(deps, attempt, query),
    reread: ({ attemptId }) => findIdentityAttempt(sql, attemptId),
  };
}

function findStage({ status, stage, expired }: IdentityAttempt): Stage {
  if (status === 'EXPIRED') return 'EXPIRED';
  if (status !== 'PENDING') return 'ENDED';
  if (stage === 'EXCHANGING') return 'ACCEPTED';
  if (expired) return 'EXPIRED';
  return stage === 'CREATED' || stage === 'AUTHORIZING' ? stage : 'ENDED';
}

async function launch(deps: ConnectDeps, attempt: IdentityAttempt, binding: Binding): Promise<string> {
  const { attemptId } = attempt;
  const nonce = createRandomToken();
  const codeVerifier = createRandomToken();
  // Done before the token is spent, so that the person can try again if the issuer does not answer.
  const url = await deps.oidc.buildAuthorizationUrl(await getIssuer(deps, attempt), {
    redirectUri: buildIdentityRedirectUri(deps.connectUrl, attempt.issuerId),
    state: binding.state,
    nonce,
    codeChallenge: sha256(codeVerifier).toString('base64url'),
  });
  const sealedNonce = await deps.sealInbox(nonce, associatedData.identityNonce(attemptId));
  const sealedCodeVerifier = await deps.sealInbox(codeVerifier, associatedData.identityCodeVerifier(attemptId));

  const outcome = await inTransaction(deps.sql, async (tx) => {
    if (await isIdentityAllowed(tx, attempt)) {
      const { stateSha256, browserSha256 } = binding;
      const secrets = { stateSha256, browserSha256, sealedNonce, sealedCodeVerifier };
      return (await moveIdentityAttemptToAuthorizing(tx, attemptId, secrets)) ? 'launched' : 'used';
    }
    const ended = await moveIdentityAttemptToEnd(tx, attemptId, { status: 'FAILED' });
    if (ended) await insertDispatch(tx, buildDispatch('identityAttempt', attempt, { signal: ATTEMPT_ENDED }));
    return 'notAllowed';
  });
  if (outcome === 'used') throw new Refused('launchUsed', attempt);
  if (outcome === 'notAllowed') {
    deps.outbox.deliverSoon();
    throw new Refused('notAllowed', attempt, { ownEnd: true });
  }
  return url;
}

async function takeCallback(
  deps: ConnectDeps,
  attempt: IdentityAttempt,
  query: URLSearchParams,
): Promise<CallbackOutcome> {
  const { attemptId } = attempt;
  const answer = readAuthorizationResponse(query);
  if (answer.kind === 'malformed') throw new Refused('answerUnusable', attempt);
  const issuer = await getIssuer(deps, attempt);
  const named = answer.issuer !== null;
  // RFC 9207, 2.4: `iss` must be equal if present, and present if the issuer's metadata says that it sends it.
  // A refusal redeems nothing, and some issuers send `iss` with codes only.
  const own = named ? answer.issuer === issuer.issuer : answer.kind !== 'code' || !(await deps.oidc.sendsIss(issuer));
  if (!own) throw new Refused('answerUnusable', attempt);

  const sealedCode =
    answer.kind === 'code' ? await deps.sealInbox(answer.code, associatedData.identityCode(attemptId)) : null;
  return await inTransaction(deps.sql, async (tx): Promise<CallbackOutcome> => {
    const accepts = sealedCode !== null && (await isIdentityAllowed(tx, attempt));
    const moved = accepts
      ? await moveIdentityAttemptToExchanging(tx, attemptId, sealedCode)
      : await moveIdentityAttemptToEnd(tx, attemptId, { status: answer.kind === 'denied' ? 'DENIED' : 'FAILED' });
    if (!moved) return 'late';
    const signal = accepts ? CALLBACK_ARRIVED : ATTEMPT_ENDED;
    await insertDispatch(tx, buildDispatch('identityAttempt', attempt, { signal }));
    if (accepts) return 'accepted';
    return answer.kind === 'denied' ? 'denied' : 'failed';
  });
}

async function getIssuer({ sql }: ConnectDeps, { issuerId }: IdentityAttempt): Promise<Issuer> {
  const issuer = await findIssuer(sql, issuerId);
  if (!issuer) throw new Error('An issuer in use is missing.');
  return issuer;
}
