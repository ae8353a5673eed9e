import type { Secret } from '../secret.ts';

/** The platforms' names in schema, rows, logs and code alike. Adding one: docs/adding-a-provider.md. */
export const PROVIDER_NAMES = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

export const CAPABILITIES = ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export type MetricName = 'VIEWS' | 'LIKES' | 'COMMENTS' | 'SHARES';
export type Availability = 'AVAILABLE' | 'UNSUPPORTED' | 'NOT_GRANTED' | 'UNAVAILABLE';
export type ContentKind = 'VIDEO' | 'IMAGE' | 'CAROUSEL' | 'UNKNOWN';

/**
 * The closed set of what a call to a provider can come to, but for success.
 * - `RetryLater`: it may work another time; `retryAfterSeconds` where the provider said when.
 * - `QuotaSpent`: the registration's quota is used up until `retryAfterSeconds` from now.
 * - `TokenStale`: this access token is no longer taken; a refresh may help. Right after a refresh: the grant is dead.
 * - `GrantDead`: the person, or the provider, has ended the grant.
 * - `PermissionMissing`: the grant lives but does not cover this.
 * - `AccountUnusable`: the person's account has nothing to connect (no channel, not a professional account).
 * - `NotFound`: no such content, or it is not this account's; providers seldom tell these apart.
 * - `UnsupportedUrl`: the URL is not one of a post at this provider.
 * - `ClientRejected`: the provider says that our own client id, secret or set-up is wrong. Never a reason to touch a
 *   grant, and no proof: what a person's browser has done can bring it about.
 * - `ContractBroken`: an answer of a shape we do not know.
 */
export const PROVIDER_ERROR_TYPES = [
  'RetryLater',
  'QuotaSpent',
  'TokenStale',
  'GrantDead',
  'PermissionMissing',
  'AccountUnusable',
  'NotFound',
  'UnsupportedUrl',
  'ClientRejected',
  'ContractBroken',
] as const;
export type ProviderErrorType = (typeof PROVIDER_ERROR_TYPES)[number];

/** The longest wait that a provider can ask for, whatever it says. */
export const LONGEST_PAUSE_SECONDS = 24 * 60 * 60;

/** A wait that a stranger asked for, in whole seconds from 0 to 24 h; undefined where it is no number. */
const bounded = (seconds: number | undefined): number | undefined =>
  seconds === undefined || Number.isNaN(seconds)
    ? undefined
    : Math.min(LONGEST_PAUSE_SECONDS, Math.max(0, Math.ceil(seconds)));

/** What went wrong at a provider, in our own words: never a body, URL, token or provider's text. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly type: ProviderErrorType;
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** Whole seconds, from 0 to 24 h, however they were written and whatever was asked for. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * True when the request may have reached the provider but its answer was lost, and that matters: what can be used
   * once (a code, a rotating refresh token) then counts as spent. Never of a revoke or a read, which can be repeated.
   */
  readonly outcomeUnknown: boolean;

  constructor(
    type: ProviderErrorType,
    message: string,
    options: { status?: number; retryAfterSeconds?: number; outcomeUnknown?: boolean } = {},
  ) {
    super(message);
    this.type = type;
    this.status = options.status;
    this.retryAfterSeconds = bounded(options.retryAfterSeconds);
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

/** Our OAuth client at a provider. */
export interface Client {
  readonly clientId: string;
  readonly clientSecret: Secret;
}

/** The tokens of one grant, as the provider last gave them. */
export interface Tokens {
  readonly accessToken: Secret;
  readonly accessExpiresAt: Date | null;
  /** Null where the provider has none (PROVIDER_C refreshes the access token itself). */
  readonly refreshToken: Secret | null;
  /** When the grant lapses unless refreshed; null where it has no fixed end. */
  readonly refreshExpiresAt: Date | null;
  /** The provider's own permission strings, as granted. */
  readonly permissions: readonly string[];
}

/** What a code exchange yields. */
export interface Exchanged {
  readonly tokens: Tokens;
  /**
   * What a revoke at the provider really hits: the Google account's `sub` for PROVIDER_A, the open_id for
   * PROVIDER_B, the app-scoped user id for PROVIDER_C. Null only if the provider did not say.
   */
  readonly principal: string | null;
}

export interface ProviderProfile {
  readonly displayName: string | null;
  readonly handle: string | null;
  readonly avatarUrl: string | null;
  readonly profileUrl: string | null;
  readonly description: string | null;
}

/** The account behind a grant. */
export interface Account {
  /** Shown to callers as providerAccountId. */
  readonly providerAccountId: string;
  /** Other ids by which the platform's own callbacks may name this account. */
  readonly aliasIds: readonly string[];
  readonly profile: ProviderProfile;
}

export interface Metric {
  readonly name: MetricName;
  /** A non-negative integer in decimal digits; may exceed 2^53. */
  readonly value: string | null;
  readonly availability: Availability;
  readonly reason: string | null;
  readonly sourceField: string | null;
}

export interface Content {
  readonly providerContentId: string;
  readonly kind: ContentKind;
  readonly canonicalUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly publishedAt: Date | null;
  /** Always all four names; empty where metrics were not asked for. */
  readonly metrics: readonly Metric[];
}

/** Half open: publishedAfter <= t < publishedBefore. */
export interface Window {
  readonly publishedAfter: Date;
  readonly publishedBefore: Date;
}

export interface ContentListing {
  /** Newest first as far as the provider keeps order; within the window only. */
  readonly items: readonly Content[];
  /** The provider's own place, to be given back for the next page; null when there is no next page to ask for. */
  readonly cursor: string | null;
  /** True when the whole window has been read; false with a null cursor means the provider would not go further. */
  readonly reachedEnd: boolean;
}

/**
 * What a provider makes of our client, asked with a credential that we made up. `UNCLEAR`: its answer does not tell.
 */
export type ClientVerdict = 'TAKEN' | 'REFUSED' | 'UNCLEAR';

/** What one HTTP request asks of its registration. */
export interface RequestCost {
  /** Units of the provider's daily quota; 0 for its OAuth endpoints and web pages. */
  readonly quotaUnits: number;
  /** The step before has used something up (a code): this one cannot be put off without losing it. */
  readonly cannotWait: boolean;
}

/** What every call needs besides its subject. */
export interface Call {
  readonly signal: AbortSignal;
  /**
   * Asked before every HTTP request, of which one call may make several: counts it, and waits for its turn.
   * @throws ProviderError when it must not be sent now; nothing has been sent then.
   */
  readonly admit: (cost: RequestCost) => Promise<void>;
}

/** Access to one account: a live access token and whose it is. */
export interface Access {
  readonly accessToken: Secret;
  readonly permissions: readonly string[];
  readonly providerAccountId: string;
}

export interface LookupInput {
  readonly url: string;
  /** Null to begin with. */
  readonly cursor: string | null;
  readonly withMetrics: boolean;
  /** The id of a post of this account that was read before, by the code in its URL: spares a search. */
  readonly known?: (code: string) => Promise<string | undefined>;
}

/** Where a lookup by URL has got to. */
export type LookupStep =
  | { readonly kind: 'found'; readonly content: Content }
  /** Not among what has been searched so far; go on from the cursor. */
  | { readonly kind: 'searching'; readonly cursor: string }
  /** It is not this account's, or not there, or beyond how far the provider lets us search; its id where the URL says it. */
  | { readonly kind: 'absent'; readonly providerContentId?: string };

/**
 * A platform's wire format behind one interface. Adapters keep no state and no secrets; every method makes a bounded
 * number of requests and throws only `ProviderError`, `RetryLater` for a call that was aborted.
 */
export interface Provider {
  readonly name: ProviderName;

  /**
   * @throws ProviderError `GrantDead` for a code that is no good (any more); with `outcomeUnknown` the code counts as
   * spent and a grant may exist at the provider.
   */
  exchangeCode(
    client: Client,
    input: { code: Secret; redirectUri: string; codeVerifier: Secret | null },
    call: Call,
  ): Promise<Exchanged>;

  /**
   * New tokens for old. A token missing in the answer is taken over from `tokens`.
   * @throws ProviderError `GrantDead` when the grant has ended; with `outcomeUnknown`, as only an adapter whose refresh
   * tokens rotate says it, the token counts as spent.
   */
  refresh(client: Client, tokens: Tokens, call: Call): Promise<Tokens>;

  /**
   * Ends the grant at the provider. `alreadyEnded` counts as success; `impossible`: the platform has no such call.
   * @throws ProviderError `TokenStale` when it wants a fresh access token first.
   */
  revoke(client: Client, tokens: Tokens, call: Call): Promise<'revoked' | 'alreadyEnded' | 'impossible'>;

  /**
   * Asks whether the provider takes our client: a token request whose code or refresh token is made up, so that neither a
   * caller nor a person has any part in the answer. Uses up nothing. @throws ProviderError `RetryLater`
   */
  probeClient(client: Client, input: { redirectUri: string }, call: Call): Promise<ClientVerdict>;

  /** @throws ProviderError `AccountUnusable`, `PermissionMissing`, `TokenStale` … */
  readAccount(access: Omit<Access, 'providerAccountId'>, call: Call): Promise<Account>;

  /** One page of what the account published in the window. `limit` (1 to 100) bounds the items returned. */
  listContent(
    access: Access,
    input: { window: Window; cursor: string | null; limit: number; withMetrics: boolean },
    call: Call,
  ): Promise<ContentListing>;

  /** Posts by id, at most `readBatchSize`; an id that is gone, hidden or another account's is simply missing. */
  readContent(
    access: Access,
    input: { providerContentIds: readonly string[]; withMetrics: boolean },
    call: Call,
  ): Promise<readonly Content[]>;
  readonly readBatchSize: number;

  /** @throws ProviderError `UnsupportedUrl` for a URL that is not of a post here. */
  lookUp(access: Access, input: LookupInput, call: Call): Promise<LookupStep>;
}
