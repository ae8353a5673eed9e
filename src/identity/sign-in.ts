import { AsyncLocalStorage } from 'node:async_hooks';
import * as client from 'openid-client';
import { z } from 'zod';
import { setOutcome } from '../providers/answers.ts';
import { ProviderError } from '../providers/provider.ts';
import { cleanText, cutText, LONGEST, toWebUrl } from '../providers/text.ts';
import type { Secret } from '../secret.ts';
import { classifyIssuerError } from './classify-issuer-error.ts';
import { createDiscovery, type Discovery, type DiscoveryOptions } from './discovery.ts';
import { meterIssuerCall } from './meter-issuer-call.ts';

/** Who signed in, as the issuer says. Callers key their people by `issuer` and `idpSub`. */
export interface IdentityClaims {
  readonly issuer: string;
  /** Opaque and case sensitive; at most 255 ASCII characters (OpenID Connect Core, 2). */
  readonly idpSub: string;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly pictureUrl: string | null;
}

export interface IssuerClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly tokenAuthMethod: 'client_secret_post' | 'client_secret_basic';
}

export interface CodeToRedeem {
  readonly code: Secret;
  readonly codeVerifier: Secret;
  readonly nonce: Secret;
  readonly redirectUri: string;
  /** No id_token may have been issued before this. */
  readonly attemptCreatedAt: Date;
}

/** The back channel of a sign-in at an OpenID Connect issuer. */
export interface SignIn {
  /**
   * Finds the issuer; nothing is spent by it. @throws ProviderError `RetryLater` when it cannot be found now,
   * `ContractBroken` when it is not what it should be.
   */
  discover(issuer: IssuerClient): Promise<client.Configuration>;
  /**
   * Trades the code for claims, checked as OpenID Connect Core 3.1.3.7 asks, the signature included. No token is kept.
   * @throws ProviderError `RetryLater` when the issuer surely did not take the code; any other spends it.
   */
  redeem(configuration: client.Configuration, issuer: IssuerClient, input: CodeToRedeem): Promise<IdentityClaims>;
}

const SKEW_SECONDS = 60;
const TIMEOUT_SECONDS = 10;
const KEEP_MS = 10 * 60_000;
/** Asymmetric ones only: what is on the issuer's list besides is not taken. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256'];

/** The issuer's id of a person (OpenID Connect Core, 2). */
export const IssuerSubject = z.string().regex(/^[\x20-\x7e]{1,255}$/);

const Claims = z.object({
  sub: IssuerSubject,
  iat: z.number(),
  azp: z.string().optional(),
  at_hash: z.string().optional(),
});
/** What is wrong in an optional claim is as good as absent. */
const claim = <Type extends z.ZodType>(type: Type) => type.nullable().catch(null).default(null);
const words = (longest: number) => z.string().transform((text) => cutText(cleanText(text), longest));
const Person = z.object({
  // An address that is cut is another one.
  email: claim(z.string().max(320).transform(cleanText)),
  // Some issuers send the word.
  email_verified: claim(z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])),
  name: claim(words(LONGEST.name)),
  picture: claim(z.string()),
});

type Person = z.infer<typeof Person>;

export function createSignIn(given: DiscoveryOptions): SignIn {
  const options = { ...given, fetch: recordTaken(given.fetch) };
  const discovery = createDiscovery(options);
  const protocols = options.allowHttp ? ['https:', 'http:'] : ['https:'];
  // An issuer's keys stay with a configuration: kept, a rotated key is looked for anew, but not by everyone at once.
  const kept = new Map<string, { configuration: client.Configuration; untilMs: number }>();

  return {
    async discover(issuer) {
      const key = JSON.stringify([
        issuer.issuer,
        issuer.clientId,
        issuer.tokenAuthMethod,
        issuer.clientSecret.reveal(),
      ]);
      const known = kept.get(key);
      if (known && performance.now() < known.untilMs) return known.configuration;
      const configuration = await configure(issuer, options, discovery);
      kept.set(key, { configuration, untilMs: performance.now() + KEEP_MS });
      return configuration;
    },

    async redeem(configuration, issuer, input) {
      const { claims, sub, accessToken } = await meterIssuerCall('redeem', () =>
        tradeCode(configuration, issuer, input),
      );
      const person = Person.parse(claims);
      const complete = person.email !== null && person.name !== null && person.picture !== null;
      const more = complete ? undefined : await readUserinfo(configuration, accessToken, sub);
      // Whether an address is verified is said of that address: both come from one source.
      const contact = person.email === null && more !== undefined ? more : person;
      return {
        issuer: issuer.issuer,
        idpSub: sub,
        email: contact.email,
        emailVerified: contact.email === null ? null : contact.email_verified,
        name: person.name ?? more?.name ?? null,
        pictureUrl: toWebUrl(person.picture, protocols) ?? toWebUrl(more?.picture ?? null, protocols),
      };
    },
  };
}

/** Of a code on its way: whether the token endpoint has taken it. What fails later, such as reading keys, does not undo that. */
const trades = new AsyncLocalStorage<{ taken: boolean }>();

/** The same, noting for the trade in progress that its first request, the code's, was answered well. */
const recordTaken =
  (fetch: client.CustomFetch): client.CustomFetch =>
  async (url, options) => {
    const response = await fetch(url, options);
    const trade = trades.getStore();
    if (trade !== undefined) trade.taken ||= response.ok;
    return response;
  };

/** The id_token's claims, proven to be this sign-in's. @throws ProviderError */
async function tradeCode(configuration: client.Configuration, issuer: IssuerClient, input: CodeToRedeem) {
  const url = new URL(input.redirectUri);
  url.searchParams.set('code', input.code.reveal());
  // The API has compared the answer's own with this already.
  url.searchParams.set('iss', issuer.issuer);
  const trade = { taken: false };
  const ask = () =>
    client.authorizationCodeGrant(configuration, url, {
      expectedNonce: input.nonce.reveal(),
      pkceCodeVerifier: input.codeVerifier.reveal(),
      expectedState: client.skipStateCheck, // The state is what found the attempt's row.
      idTokenExpected: true,
    });
  const tokens = await trades.run(trade, ask).catch((error: unknown) => {
    const failed = classifyIssuerError(error);
    throw trade.taken ? setOutcome(failed, true) : failed;
  });
  const claims = tokens.claims();
  const checked = Claims.safeParse(claims);
  if (!checked.success) throw new ProviderError('ContractBroken', 'The id_token lacks a claim it must have.');
  const { sub, iat, azp, at_hash: tokenHash } = checked.data;
  if (azp !== undefined && azp !== issuer.clientId)
    throw new ProviderError('ContractBroken', 'The id_token is for another client.');
  if (tokenHash !== undefined && tokenHash !== (await halfHash(tokens.access_token)))
    throw new ProviderError('ContractBroken', 'The id_token is for another access token.');
  if (iat < input.attemptCreatedAt.getTime() / 1000 - SKEW_SECONDS) {
    throw new ProviderError('ContractBroken', 'The id_token is older than the attempt.');
  }
  if (iat > Date.now() / 1000 + SKEW_SECONDS)
    throw new ProviderError('ContractBroken', 'The id_token is from the future.');
  return { claims, sub, accessToken: tokens.access_token };
}

/** `at_hash`: the left half of the SHA-256 that all of `ALGORITHMS` are built on (OpenID Connect Core, 3.1.3.6). */
async function halfHash(accessToken: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken));
  return Buffer.from(hash, 0, 16).toString('base64url');
}

/** Our client at an issuer, as the library has it. @throws ProviderError as `SignIn.discover` */
export async function configure(
  { issuer, clientId, clientSecret, tokenAuthMethod }: IssuerClient,
  { fetch, allowHttp }: DiscoveryOptions,
  { getMetadata }: Discovery,
): Promise<client.Configuration> {
  const secret = clientSecret.reveal();
  const authentication =
    tokenAuthMethod === 'client_secret_post' ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
  const found = await getMetadata(issuer).catch(() => {
    throw new ProviderError('RetryLater', 'The issuer cannot be discovered.');
  });
  // The library takes the metadata as it comes: what should be a list may be anything.
  const listed: unknown = found.id_token_signing_alg_values_supported ?? ['RS256'];
  const signs = Array.isArray(listed) ? ALGORITHMS.filter((name) => listed.includes(name)) : [];
  if (signs.length === 0) throw new ProviderError('ContractBroken', 'The issuer signs with no algorithm we take.');
  const metadata = { ...found, id_token_signing_alg_values_supported: signs };
  const ours = { client_id: clientId, [client.clockTolerance]: SKEW_SECONDS };
  const configuration = new client.Configuration(metadata, clientId, ours, authentication);
  configuration.timeout = TIMEOUT_SECONDS;
  configuration[client.customFetch] = fetch;
  client.enableNonRepudiationChecks(configuration);
  if (allowHttp) client.allowInsecureRequests(configuration);
  return configuration;
}

/** Optional claims only: a sign-in that is valid does not fail for want of them. */
async function readUserinfo(
  configuration: client.Configuration,
  accessToken: string,
  sub: string,
): Promise<Person | undefined> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined;
  try {
    // Refuses an answer about anybody else (OpenID Connect Core, 5.3.2).
    const ask = () => client.fetchUserInfo(configuration, accessToken, sub);
    return Person.parse(await meterIssuerCall('userinfo', ask));
  } catch {
    return undefined;
  }
}
