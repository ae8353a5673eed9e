import { AsyncLocalStorage } from 'node:async_hooks';
import * as client from 'openid-client';
import { z } from 'zod';
import type { Secret } from '../basics/secret.ts';
import { setOutcome } from '../providers/answers.ts';
import { type Permit, ProviderError } from '../providers/provider.ts';
import { cleanText, cutText, LONGEST, toWebUrl } from '../providers/text.ts';
import { checkIdToken, SKEW_SECONDS } from './check-id-token.ts';
import { classifyIssuerError } from './classify-issuer-error.ts';
import { createDiscovery, type Discovery, type SignInOptions } from './discovery.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { meterIssuerCall } from './meter-issuer-call.ts';

/** The person who signed in, by the issuer's claims. Callers identify people by `issuer` and `idpSub`. */
export interface IdentityClaims {
  readonly issuer: string;
  /** Opaque and case sensitive; at most 255 ASCII characters (OpenID Connect Core, 2). */
  readonly idpSub: string;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly pictureUrl: string | null;
}

/** RFC 6749, section 2.3.1, by the names of OpenID Connect Core, 9. */
const TOKEN_AUTH_METHODS = ['client_secret_basic', 'client_secret_post'] as const;
type TokenAuthMethod = (typeof TOKEN_AUTH_METHODS)[number];

export interface IssuerClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly tokenAuthMethod: TokenAuthMethod;
}

export interface CodeToRedeem {
  readonly code: Secret;
  readonly codeVerifier: Secret;
  readonly nonce: Secret;
  readonly redirectUri: string;
  /** No id_token may have been issued before this. */
  readonly attemptCreatedAt: Date;
  /** Runs before each request to the issuer. @throws if it must not be sent now */
  readonly admit: () => Promise<Permit>;
}

/** The back channel of a sign-in at an OpenID Connect issuer. */
export interface SignIn {
  /**
   * Discovers the issuer, without spending the code. @throws ProviderError `RetryLater` if it cannot be reached now,
   * `ContractBroken` if its metadata does not suit.
   */
  discover(issuer: IssuerClient): Promise<client.Configuration>;
  /**
   * Exchanges the code for claims and checks them by OpenID Connect Core 3.1.3.7, including the signature. Keeps no token.
   * @throws ProviderError `RetryLater` if the issuer certainly did not take the code; every other error spends it.
   */
  redeem(configuration: client.Configuration, issuer: IssuerClient, input: CodeToRedeem): Promise<IdentityClaims>;
}

const TIMEOUT_SECONDS = 10;
/** Asymmetric algorithms only. All others on the issuer's list are refused. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA'],
];

/** A malformed optional claim counts as absent. */
const claim = <Type extends z.ZodType>(type: Type) => type.nullable().catch(null).default(null);
/** Callers may put an address into the head of a mail: one line, or none. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u;
const words = (longest: number) => z.string().transform((text) => cutText(cleanText(text), longest));
const Person = z.object({
  // Never truncated or cleaned, because a changed address is another address.
  email: claim(z.string().max(320).regex(ONE_LINE)),
  // Some issuers send a string.
  email_verified: claim(z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])),
  name: claim(words(LONGEST.name)),
  picture: claim(z.string()),
});

type Person = z.infer<typeof Person>;

export function createSignIn(given: SignInOptions): SignIn {
  const options = { ...given, fetch: recordTaken(given.fetch) };
  const discovery = createDiscovery(options);
  const protocols = options.allowHttp ? ['https:', 'http:'] : ['https:'];
  const issuerKeys = createIssuerKeys();

  return {
    async discover(issuer) {
      const configuration = await configure(issuer, options, discovery);
      issuerKeys.lend(issuer.issuer, configuration);
      return configuration;
    },

    async redeem(configuration, issuer, input) {
      const trade = { taken: false, admit: input.admit };
      const { claims, sub, accessToken } = await meterIssuerCall('redeem', () =>
        tradeCode({ configuration, issuer, now: given.now() }, input, trade),
      ).finally(() => issuerKeys.takeBack(issuer.issuer, configuration));
      const person = Person.parse(claims);
      const complete = person.email !== null && person.name !== null && person.picture !== null;
      const more = complete ? undefined : await trades.run(trade, () => readUserinfo(configuration, accessToken, sub));
      // `email_verified` describes one address, so both claims must come from the same source.
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

interface Trade {
  taken: boolean;
  readonly admit: CodeToRedeem['admit'];
}

/** Records whether the token endpoint has taken the code. A later failure, such as of reading keys, does not change that. */
const trades = new AsyncLocalStorage<Trade>();

/** Wraps `fetch` to ask for a permit, and to record that the first request of an exchange, the one with the code, succeeded. */
const recordTaken =
  (fetch: client.CustomFetch): client.CustomFetch =>
  async (url, options) => {
    const trade = trades.getStore();
    await trade?.admit();
    const response = await fetch(url, options);
    if (trade !== undefined) trade.taken ||= response.ok;
    return response;
  };

/** Exchanges the code and checks that the id_token belongs to this sign-in. @throws ProviderError */
async function tradeCode(
  { configuration, issuer, now }: { configuration: client.Configuration; issuer: IssuerClient; now: Date },
  input: CodeToRedeem,
  trade: Trade,
) {
  const url = new URL(input.redirectUri);
  url.searchParams.set('code', input.code.reveal());
  // The api has already compared the answer's `iss` with this one.
  url.searchParams.set('iss', issuer.issuer);
  const ask = () =>
    client.authorizationCodeGrant(configuration, url, {
      expectedNonce: input.nonce.reveal(),
      pkceCodeVerifier: input.codeVerifier.reveal(),
      expectedState: client.skipStateCheck, // The attempt's row was found by the state.
      idTokenExpected: true,
    });
  const tokens = await trades.run(trade, ask).catch((error: unknown) => {
    const failed = classifyIssuerError(error);
    throw trade.taken ? setOutcome(failed, true) : failed;
  });
  const expected = { clientId: issuer.clientId, begunAt: input.attemptCreatedAt, now };
  return { ...(await checkIdToken(tokens, expected)), accessToken: tokens.access_token };
}

/** Creates the library's configuration of our client at an issuer. @throws ProviderError as `SignIn.discover` */
export async function configure(
  { issuer, clientId, clientSecret, tokenAuthMethod }: IssuerClient,
  { fetch, allowHttp, now }: SignInOptions,
  { getMetadata }: Discovery,
): Promise<client.Configuration> {
  const found = await getMetadata(issuer).catch((error: unknown) => {
    const { networkCode } = classifyIssuerError(error);
    const cause = networkCode === undefined ? '' : ` (${networkCode})`;
    throw new ProviderError('RetryLater', `The issuer cannot be discovered${cause}.`, { networkCode });
  });
  // The library does not validate the metadata, so this value may not be a list.
  const listed: unknown = found.id_token_signing_alg_values_supported ?? ['RS256'];
  const signs = Array.isArray(listed) ? ALGORITHMS.filter((name) => listed.includes(name)) : [];
  if (signs.length === 0) throw new ProviderError('ContractBroken', 'The issuer signs with no algorithm we take.');
  const secret = clientSecret.reveal();
  const method = chooseTokenAuthMethod(tokenAuthMethod, found.token_endpoint_auth_methods_supported);
  const authentication =
    method === 'client_secret_post' ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
  const metadata = { ...found, id_token_signing_alg_values_supported: signs };
  // The library reads the clock of this machine, which may be minutes off.
  const skewSeconds = Math.round((now().getTime() - Date.now()) / 1000);
  const ours = { client_id: clientId, [client.clockTolerance]: SKEW_SECONDS, [client.clockSkew]: skewSeconds };
  const configuration = new client.Configuration(metadata, clientId, ours, authentication);
  configuration.timeout = TIMEOUT_SECONDS;
  configuration[client.customFetch] = fetch;
  client.enableNonRepudiationChecks(configuration);
  if (allowHttp) client.allowInsecureRequests(configuration);
  return configuration;
}

/** The way that is set up, unless the issuer publishes that it takes only the other. */
function chooseTokenAuthMethod(asSetUp: TokenAuthMethod, published: unknown): TokenAuthMethod {
  if (!Array.isArray(published) || published.includes(asSetUp)) return asSetUp;
  return TOKEN_AUTH_METHODS.find((method) => published.includes(method)) ?? asSetUp;
}

/** Reads optional claims only. A valid sign-in does not fail without them. */
async function readUserinfo(
  configuration: client.Configuration,
  accessToken: string,
  sub: string,
): Promise<Person | undefined> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined;
  try {
    // Refuses an answer about another person (OpenID Connect Core, 5.3.2).
    const ask = () => client.fetchUserInfo(configuration, accessToken, sub);
    return Person.parse(await meterIssuerCall('userinfo', ask));
  } catch {
    return undefined;
  }
}
