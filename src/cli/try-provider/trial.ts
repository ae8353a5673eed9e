import { createHash, randomBytes } from 'node:crypto';
import { METRIC_NAMES } from '../../basics/codes.ts';
import { isTokenRefused } from '../../basics/failures.ts';
import { Secret } from '../../basics/secret.ts';
import { OPERATORS_PERMIT } from '../../domain/access/may-call.ts';
import { makeUpCredential } from '../../providers/answers.ts';
import type { ProviderFacts } from '../../providers/facts.ts';
import {
  type Access,
  type Call,
  type Client,
  type Content,
  type Provider,
  ProviderError,
  type RevokePermit,
  type Tokens,
} from '../../providers/provider.ts';
import type { Recorder } from './recording.ts';
import type { Transcript } from './transcript.ts';

const WINDOW_DAYS = 90;
const POSTS = 20;
const LOOKUP_STEPS = 5;
const STEP_MS = 60_000;
const DAY_MS = 86_400_000;
/** Google ends the grants of a consent screen in testing after seven days. */
const SHORT_GRANT_DAYS = 8;

export interface Trial {
  readonly facts: ProviderFacts;
  readonly client: Client;
  readonly redirectUri: string;
  /** The permissions to request. */
  readonly permissions: readonly string[];
  readonly keepsGrant: boolean;
  /** For a trial that only obtains tokens. */
  readonly stopsAfterProfile: boolean;
  readonly now: () => Date;
  /** Shows the person the address of the consent page. @returns the callback's query; undefined if no person arrived */
  readonly consent: (address: string, state: string) => Promise<URLSearchParams | undefined>;
}

interface Stage {
  readonly trial: Trial;
  readonly provider: Provider;
  readonly transcript: Transcript;
  /** Runs one step. @returns undefined if it failed */
  readonly step: <Result>(title: string, work: () => Promise<Result>) => Promise<Result | undefined>;
}

const createCall = (): Call<RevokePermit> => ({
  signal: AbortSignal.timeout(STEP_MS),
  admit: async () => OPERATORS_PERMIT,
});

/**
 * Runs one grant from its consent to its end through the adapter alone, and notes in the transcript the differences from the answers that
 * the adapter expects. A recording replays it.
 * @returns the tokens, unless there are none
 */
export async function runTrial(
  trial: Trial,
  provider: Provider,
  transcript: Transcript,
  recorder?: Recorder,
): Promise<Tokens | undefined> {
  const stage: Stage = {
    trial,
    provider,
    transcript,
    step: async (title, work) => {
      recorder?.begin(title);
      return await transcript.step(title, work);
    },
  };
  const { client, redirectUri, keepsGrant, stopsAfterProfile } = trial;
  const proof = await stage.step('Client', () => provider.probeClient(client, { redirectUri }, createCall()));
  const verdict = proof?.verdict;
  if (verdict !== undefined) transcript.say(`  the platform's verdict: ${verdict}`);
  if (verdict === 'REFUSED') {
    transcript.differ('The platform refuses the client id or the secret.');
    transcript.notice('CLIENT_REFUSED');
    return undefined;
  }
  const first = await stage.step('Connect', () => connect(stage, recorder));
  if (first === undefined) return undefined;
  let tokens = first;
  try {
    const access = await readAccount(stage, tokens);
    if (stopsAfterProfile) return tokens;
    if (access !== undefined) await readPosts(stage, access);
    await readWithMadeUpToken(stage, tokens);
    tokens = (await refresh(stage, tokens)) ?? tokens;
  } finally {
    if (!stopsAfterProfile && !keepsGrant) await revoke(stage, tokens);
  }
  return tokens;
}

async function connect({ trial, provider, transcript }: Stage, recorder: Recorder | undefined) {
  const { facts, client, redirectUri, permissions, consent } = trial;
  const verifier = randomBytes(48).toString('base64url');
  const state = randomBytes(16).toString('hex');
  const codeChallenge = facts.pkce === null ? null : createHash('sha256').update(verifier).digest(facts.pkce);
  const { clientId } = client;
  const address = facts.buildAuthorizationRequest({ clientId, redirectUri, permissions, state, codeChallenge });
  transcript.say(`  asks for ${permissions.join(' ')}`);
  const query = await consent(address, state);
  if (query === undefined) {
    transcript.differ('The browser did not arrive at the redirect URI.');
    transcript.notice('NO_CALLBACK');
    return undefined;
  }
  recorder?.addCallback(query);
  transcript.say(`  the callback has ${[...new Set(query.keys())].sort().join(', ')}`);
  const answer = facts.readAuthorizationResponse(query);
  if (answer.kind === 'malformed') {
    transcript.differ('The callback is malformed.');
    return undefined;
  }
  if (answer.kind === 'refused') {
    const { code, text } = answer.refusal;
    transcript.differ(
      `The callback is a refusal (${answer.by}): ${[code, text].filter(Boolean).join(', ') || 'no reason'}.`,
    );
    if (answer.by === 'CLIENT') transcript.notice('CLIENT_REFUSED');
    return undefined;
  }
  if (answer.issuer !== facts.issuer) transcript.differ(`The callback's iss is not ${facts.issuer ?? 'missing'}.`);
  const exchange = {
    code: new Secret(answer.code),
    redirectUri,
    codeVerifier: codeChallenge === null ? null : new Secret(verifier),
  };
  const { tokens, principal } = await provider.exchangeCode(client, exchange, createCall()).catch((error: unknown) => {
    if (error instanceof ProviderError) transcript.notice('EXCHANGE_REFUSED');
    throw error;
  });
  if (principal === null) transcript.differ('The exchange does not show whose grant it is.');
  const missing = permissions.filter((one) => !tokens.permissions.includes(one));
  const further = tokens.permissions.filter((one) => !permissions.includes(one));
  if (missing.length > 0) {
    transcript.differ(`Asked for and not granted: ${missing.join(' ')}`);
    transcript.notice('PERMISSION_MISSING');
  }
  if (further.length > 0) transcript.differ(`Granted and not asked for: ${further.join(' ')}`);
  transcript.say(`  ${describeTokens(trial, tokens)}`);
  const ends = tokens.refreshExpiresAt;
  if (ends !== null && ends.getTime() - trial.now().getTime() < SHORT_GRANT_DAYS * DAY_MS) {
    transcript.differ(`The grant ends within ${SHORT_GRANT_DAYS} days.`);
    transcript.notice('SHORT_GRANT');
  }
  return tokens;
}

function describeTokens({ now }: Trial, { accessExpiresAt, refreshToken, refreshExpiresAt }: Tokens): string {
  const left = (at: Date | null) =>
    at === null ? 'an unknown time' : `${Math.round((at.getTime() - now().getTime()) / 1000)} s`;
  const refreshing = refreshToken === null ? 'no refresh token' : 'a refresh token';
  return `the access token lives ${left(accessExpiresAt)}; ${refreshing}; the grant lives ${left(refreshExpiresAt)}`;
}

async function readAccount({ provider, transcript, step }: Stage, tokens: Tokens): Promise<Access | undefined> {
  const account = await step('Profile', () => provider.readAccount(tokens, createCall()));
  if (account === undefined) return undefined;
  const names = Object.entries(account.profile).filter(([, value]) => value !== null);
  transcript.say(`  has ${names.map(([key]) => key).join(', ') || 'no field'}`);
  if (account.isPartial) transcript.differ('Profile: the platform refused some of its fields.');
  const { accessToken, permissions } = tokens;
  return { accessToken, permissions, providerAccountId: account.providerAccountId };
}

async function readPosts({ trial, provider, transcript, step }: Stage, access: Access): Promise<void> {
  const publishedBefore = trial.now();
  const window = { publishedAfter: new Date(publishedBefore.getTime() - WINDOW_DAYS * DAY_MS), publishedBefore };
  const list = (cursor: string | null) =>
    provider.listContent(access, { window, cursor, limit: POSTS, withMetrics: true }, createCall());
  const page = await step('A page of posts', () => list(null));
  if (page === undefined) return;
  transcript.say(`  ${page.items.length} posts of the last ${WINDOW_DAYS} days: ${describePosts(page.items)}`);

  const { cursor } = page;
  const next = cursor === null ? undefined : await step('The next page', () => list(cursor));
  const ids = new Set(page.items.map(({ providerContentId }) => providerContentId));
  if (next !== undefined) {
    transcript.say(`  ${next.items.length} posts: ${describePosts(next.items)}`);
    // Pages may overlap, so that no post is lost between them.
    const isRepeated = next.items.length > 0 && next.items.every(({ providerContentId }) => ids.has(providerContentId));
    if (isRepeated) transcript.differ('The next page repeats the first one.');
  }
  await readPostsById({ trial, provider, transcript, step }, access, [...ids]);
  const url = page.items.find(({ canonicalUrl }) => canonicalUrl !== null)?.canonicalUrl;
  if (url) await lookUp({ trial, provider, transcript, step }, access, url);
}

function describePosts(items: readonly Content[]): string {
  const count = (named: string, isThere: (item: Content) => boolean) => `${items.filter(isThere).length} with ${named}`;
  return [
    count('a URL', (item) => item.canonicalUrl !== null),
    count('a picture', (item) => item.thumbnailUrl !== null),
    ...METRIC_NAMES.map((name) =>
      count(name.toLowerCase(), (item) => item.metrics.some((metric) => metric.name === name && metric.value !== null)),
    ),
  ].join(', ');
}

async function readPostsById({ trial, provider, transcript, step }: Stage, access: Access, ids: readonly string[]) {
  const read = (providerContentIds: readonly string[]) =>
    provider.readContent(access, { providerContentIds, withMetrics: true }, createCall());
  const asked = ids.slice(0, provider.readBatchSize);
  const found = asked.length === 0 ? undefined : await step('Posts by their ids', () => read(asked));
  if (found !== undefined) {
    transcript.say(`  ${found.length} of ${asked.length} posts`);
    if (found.length < asked.length)
      transcript.differ(`${asked.length - found.length} listed posts are not found by id.`);
  }
  const none = await step('A post that does not exist', () => read([trial.facts.unusedPostId]));
  if (none !== undefined && none.length > 0) transcript.differ('The platform finds a post that does not exist.');
}

async function lookUp({ provider, transcript, step }: Stage, access: Access, url: string): Promise<void> {
  const end = await step('A post by its URL', async () => {
    let cursor: string | null = null;
    for (let count = 0; count < LOOKUP_STEPS; count += 1) {
      const found = await provider.lookUp(access, { url, cursor, withMetrics: true }, createCall());
      if (found.kind !== 'searching') return found.kind;
      cursor = found.cursor;
    }
    return 'not found yet';
  });
  if (end === undefined) return;
  transcript.say(`  ${end}`);
  if (end !== 'found') transcript.differ('A listed post is not found by its URL.');
}

/** How a platform refuses a token decides whether a connection refreshes its own, or ends. */
async function readWithMadeUpToken({ provider, transcript, step }: Stage, { permissions }: Tokens): Promise<void> {
  const refusal = await step('A token that does not exist', () =>
    refusalOf(provider.readAccount({ accessToken: new Secret(makeUpCredential('')), permissions }, createCall())),
  );
  if (refusal === undefined) return;
  if (isTokenRefused(refusal)) transcript.say('  is refused');
  else transcript.differ(`A token that does not exist: the adapter reports ${refusal}, not TokenStale or GrantDead.`);
}

/** @returns the new tokens; undefined if there are none */
async function refresh({ trial, provider, transcript, step }: Stage, tokens: Tokens) {
  return await step('Refresh', async () => {
    const fresh = await provider.refresh(trial.client, tokens, createCall()).catch((error: unknown) => {
      const isTooYoung = error instanceof ProviderError && error.type === 'RetryLater' && error.status === undefined;
      if (!isTooYoung || error.retryAfterSeconds === undefined) throw error;
      transcript.say(`  not tried: the platform refreshes this token in ${error.retryAfterSeconds} s at the earliest`);
      return undefined;
    });
    if (fresh === undefined) return undefined;
    transcript.say(`  ${describeTokens(trial, fresh)}`);
    const isRotated = fresh.refreshToken?.reveal() !== tokens.refreshToken?.reveal();
    if (isRotated !== trial.facts.rotatesRefreshTokens) {
      transcript.differ(`The refresh token is ${isRotated ? 'a new one' : 'the same'}.`);
    }
    const lost = tokens.permissions.filter((one) => !fresh.permissions.includes(one));
    if (lost.length > 0) transcript.differ(`Lost by the refresh: ${lost.join(' ')}`);
    await provider.readAccount(fresh, createCall());
    transcript.say('  the new access token works');
    return fresh;
  });
}

async function revoke({ trial, provider, transcript, step }: Stage, tokens: Tokens): Promise<void> {
  const outcome = await step('Revoke', () => provider.revoke(trial.client, tokens, createCall()));
  if (outcome === undefined) {
    transcript.say('  the grant may still exist: remove the app in the settings of the account');
    return;
  }
  if (outcome === 'impossible') {
    transcript.say('  this platform has no revoke: remove the app in the settings of the account');
    return;
  }
  if (outcome !== 'revoked') transcript.differ('The grant had ended before the revoke.');
  const access = await step('The access token after the revoke', () =>
    refusalOf(provider.readAccount(tokens, createCall())),
  );
  if (isTokenRefused(access)) transcript.say('  is refused');
  else if (access === 'NONE') transcript.differ('The access token works after the revoke.');
  else if (access !== undefined)
    transcript.differ(`After the revoke the adapter reports ${access}, not TokenStale or GrantDead.`);
  const ended = await step('The refresh after the revoke', () =>
    refusalOf(provider.refresh(trial.client, tokens, createCall())),
  );
  if (ended === 'GrantDead') transcript.say('  is refused');
  else if (ended === 'NONE') transcript.differ('The refresh works after the revoke.');
  else if (ended !== undefined)
    transcript.differ(`A refresh after the revoke: the adapter reports ${ended}, not GrantDead.`);
}

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'NONE' as const,
    (error: unknown) => {
      if (error instanceof ProviderError) return error.type;
      throw error;
    },
  );
