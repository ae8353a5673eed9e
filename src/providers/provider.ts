import type { Availability, ContentKind, MetricName, ProviderErrorType, ProviderName } from '../basics/codes.ts';
import type { PostDetails } from '../basics/post-details.ts';
import type { Secret } from '../basics/secret.ts';

/** Longer waits that a provider asks for are cut to this. */
export const LONGEST_PAUSE_SECONDS = 24 * 60 * 60;

/** Bounds a requested wait to whole seconds from 0 to 24 h. @returns undefined for NaN */
const boundSeconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined || Number.isNaN(seconds)
    ? undefined
    : Math.min(LONGEST_PAUSE_SECONDS, Math.max(0, Math.ceil(seconds)));

/** A failed call to a provider. Its message is our own sentence: it never contains a body, URL, token or foreign text. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly type: ProviderErrorType;
  /** HTTP status, if there was an answer. */
  readonly status: number | undefined;
  /** Whole seconds from 0 to 24 h, also if the provider asked for more. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * True if the answer was lost after the request may have reached the provider, and the request used a one-time
   * credential (a code, a rotating refresh token). That credential then counts as spent. Never true for a revoke or a
   * read, because both are safe to repeat.
   */
  readonly outcomeUnknown: boolean;
  /** The code of a request without a complete answer: `TIMEOUT`, `ABORTED`, or the network's, such as `ECONNREFUSED`. */
  readonly networkCode: string | undefined;
  readonly #platformCode: string | undefined;
  /** The call that failed, as in the metrics: set by the wrapper of all calls, so that an operator sees which one it was. */
  call: string | undefined;
  /** True if the failed call spent nothing and may be sent again, also after an answer in an unknown format. */
  readonly isRepeatable: boolean;
  /** True if we wait for ourselves, such as for another call's refresh. The provider has not failed. */
  readonly isOurs: boolean;
  /** True if the platform's refusal is believed only if it is repeated: the call is made once more, after `retryAfterSeconds`. */
  readonly isUnconfirmed: boolean;

  constructor(
    type: ProviderErrorType,
    message: string,
    options: {
      status?: number | undefined;
      retryAfterSeconds?: number | undefined;
      outcomeUnknown?: boolean;
      networkCode?: string | undefined;
      platformCode?: string | undefined;
      call?: string | undefined;
      isRepeatable?: boolean;
      isOurs?: boolean;
      isUnconfirmed?: boolean;
    } = {},
  ) {
    super(message);
    this.type = type;
    this.status = options.status;
    this.retryAfterSeconds = boundSeconds(options.retryAfterSeconds);
    this.outcomeUnknown = options.outcomeUnknown ?? false;
    this.networkCode = options.networkCode;
    this.#platformCode = options.platformCode || undefined;
    this.call = options.call;
    this.isRepeatable = options.isRepeatable ?? false;
    this.isOurs = options.isOurs ?? false;
    this.isUnconfirmed = options.isUnconfirmed ?? false;
  }

  /** Copies the error of a call that spends nothing. */
  asRepeatable(): ProviderError {
    return new ProviderError(this.type, this.message, {
      ...this,
      platformCode: this.platformCode,
      isRepeatable: true,
    });
  }

  /** Copies the error with the status and codes of the platform's answer that is its reason. */
  withAnswer(answer: unknown): ProviderError {
    if (!(answer instanceof ProviderError)) return this;
    return new ProviderError(this.type, this.message, {
      ...this,
      status: answer.status,
      platformCode: answer.platformCode,
    });
  }

  /**
   * The platform's own error codes, joined by slashes. It chooses them: they are stored with an attempt, never enter Temporal's
   * history, and enter the log only with the answer to a test of our client. Hidden from code that prints the error.
   */
  get platformCode(): string | undefined {
    return this.#platformCode;
  }
}

/** Our OAuth client at a provider. */
export interface Client {
  readonly clientId: string;
  readonly clientSecret: Secret;
}

/** The tokens of one grant, as the provider last issued them. */
export interface Tokens {
  readonly accessToken: Secret;
  readonly accessExpiresAt: Date | null;
  /** Null for a provider without refresh tokens (PROVIDER_C refreshes the access token itself). */
  readonly refreshToken: Secret | null;
  /** When the grant expires unless we refresh it. Null for a grant without a fixed end. */
  readonly refreshExpiresAt: Date | null;
  /** The granted permissions, as the provider's own strings. */
  readonly permissions: readonly string[];
  /** The account that the answer to a refresh names. Undefined if it names none. */
  readonly accountId?: string | undefined;
}

/** The result of a code exchange. */
export interface Exchanged {
  readonly tokens: Tokens;
  /**
   * The account that a revoke at the provider affects as a whole: the Google account's `sub` for PROVIDER_A, the open_id
   * for PROVIDER_B, the app-scoped user id for PROVIDER_C. Null only if the provider did not send it.
   */
  readonly principal: string | null;
}

/** Tokens that another system obtained, as it hands them over. Their expiries and permissions are its own words. */
export interface ForeignTokens extends Omit<Tokens, 'accessToken'> {
  /** Null if the other system kept only the refresh token. Never null for PROVIDER_C. */
  readonly accessToken: Secret | null;
}

/**
 * Whose tokens they are, by a call to the provider. `OTHERS`: another client's. `UNPROVEN`: they work, but the provider
 * does not reveal whose they are.
 */
export type AdoptedTokens = ({ readonly client: 'OURS' | 'UNPROVEN' } & Exchanged) | { readonly client: 'OTHERS' };

export interface ProviderProfile {
  readonly displayName: string | null;
  readonly handle: string | null;
  readonly avatarUrl: string | null;
  readonly profileUrl: string | null;
  readonly description: string | null;
}

/** The account behind a grant. */
export interface Account {
  readonly providerAccountId: string;
  /** Other ids that the platform's own callbacks may use for this account. */
  readonly aliasIds: readonly string[];
  readonly profile: ProviderProfile;
  /** True if the platform refused fields of the profile without naming them. Then a missing one proves nothing. */
  readonly isPartial?: boolean;
}

export interface Metric {
  readonly name: MetricName;
  /** A non-negative integer in decimal digits; may exceed 2^53. */
  readonly value: string | null;
  readonly availability: Availability;
  readonly reason: string | null;
  readonly sourceField: string | null;
}

export interface Content extends PostDetails {
  readonly providerContentId: string;
  /**
   * The account that the answer names as the post's owner; null if it names none although the platform always does. Undefined where
   * the platform's answers name none.
   */
  readonly ownerId?: string | null;
  readonly kind: ContentKind;
  readonly canonicalUrl: string | null;
  readonly publishedAt: Date | null;
  /** All four names, or empty if the caller did not ask for metrics. */
  readonly metrics: readonly Metric[];
}

/** Half open: publishedAfter <= t < publishedBefore. */
export interface Window {
  readonly publishedAfter: Date;
  readonly publishedBefore: Date;
}

export interface ContentListing {
  /** Posts inside the window, newest first as far as the provider sorts them. */
  readonly items: readonly Content[];
  /** Pass it to the next call for the next page. Null if there is no next page. */
  readonly cursor: string | null;
  /**
   * True if the whole window has been read: every post that the provider listed from the first page to the last is among
   * the items. False with a null cursor: the provider lists no further, or the listing cannot be read without gaps.
   */
  readonly reachedEnd: boolean;
}

/**
 * The result of a client probe with a made-up credential: does the provider accept our client? `UNCLEAR`: its answer does
 * not show it.
 */
export type ClientVerdict =
  | { readonly verdict: 'TAKEN' | 'UNCLEAR' }
  | { readonly verdict: 'REFUSED'; readonly refusal: ProviderError };

declare const issued: unique symbol;
/** The right to send one request, issued in the transaction just before it. Only `src/domain/access/may-call.ts` makes one. */
export interface Permit {
  readonly [issued]: true;
}

declare const endsNobody: unique symbol;
/**
 * The right to send a request that revokes a grant: it ends no other grant in use, or its owner wants it all the same. Only
 * `src/domain/access/may-call.ts` makes one.
 */
export interface RevokePermit extends Permit {
  readonly [endsNobody]: true;
}

/** The cost of one HTTP request to its registration. */
export interface RequestCost {
  /** Units of the provider's daily quota. 0 for OAuth endpoints and web pages. */
  readonly quotaUnits: number;
  /** True if the previous step spent a code: delaying this request would lose the grant. */
  readonly cannotWait: boolean;
}

/** The context that every call needs. */
export interface Call<Granted extends Permit = Permit> {
  readonly signal: AbortSignal;
  /**
   * Runs before every HTTP request (one call may make several): counts the request, waits for its slot, and asks whether
   * it may still be sent.
   * @throws ProviderError if the request must not be sent now. Nothing has been sent then.
   */
  readonly admit: (cost: RequestCost) => Promise<Granted>;
}

/** Access to one account: its live access token, permissions and id. */
export interface Access {
  readonly accessToken: Secret;
  readonly permissions: readonly string[];
  readonly providerAccountId: string;
  /** Whether an id is another one of the same account. See `Account.aliasIds`. */
  readonly isAlias?: (accountId: string) => boolean;
}

export interface LookupInput {
  readonly url: string;
  /** Null on the first call. */
  readonly cursor: string | null;
  readonly withMetrics: boolean;
  /** Finds the id of a stored post of this account by the code in its URL, which saves a search. */
  readonly known?: (code: string) => Promise<string | undefined>;
}

/** The state of a lookup by URL after one call. */
export type LookupStep =
  | { readonly kind: 'found'; readonly content: Content }
  /** Not found so far. Continue from the cursor. */
  | { readonly kind: 'searching'; readonly cursor: string }
  /** Not this account's, or deleted. Has the id if the URL contains it. */
  | { readonly kind: 'absent'; readonly providerContentId?: string }
  /** Not among the posts that a lookup can search. The account may have it. */
  | { readonly kind: 'beyondSearch' };

/**
 * One interface for every platform's wire format. Adapters keep no state and no secrets. Every method makes a bounded
 * number of requests and throws only `ProviderError`; an aborted call throws `RetryLater`.
 */
export interface Provider {
  readonly name: ProviderName;

  /**
   * Sends the access token request (RFC 6749, section 4.1.3).
   * @throws ProviderError `GrantDead` for an invalid, expired or used code. With `outcomeUnknown` the code counts as spent
   * and a grant may exist at the provider.
   */
  exchangeCode(
    client: Client,
    input: { code: Secret; redirectUri: string; codeVerifier: Secret | null },
    call: Call,
  ): Promise<Exchanged>;

  /**
   * Sends the refresh request (RFC 6749, section 6). Keeps the token in `tokens` if the answer has no new one.
   * @throws ProviderError `GrantDead` if the grant has ended. With `outcomeUnknown`, which only an adapter with rotating
   * refresh tokens sets, the token counts as spent.
   */
  refresh(client: Client, tokens: Tokens, call: Call): Promise<Tokens>;

  /**
   * Asks the provider whether another system's tokens work and belong to our client, and takes them over. A provider with
   * rotating refresh tokens spends the given one: only the returned tokens are valid then.
   * @throws ProviderError `GrantDead` if they have ended. With `outcomeUnknown` the given refresh token counts as spent.
   */
  adoptTokens(client: Client, tokens: ForeignTokens, call: Call): Promise<AdoptedTokens>;

  /**
   * Sends the revocation request (RFC 7009, section 2.1), which ends the grant at the provider. `alreadyEnded` counts as
   * success. `impossible`: the platform has no revoke call.
   * @throws ProviderError `TokenStale` if the provider needs a fresh access token first
   */
  revoke(client: Client, tokens: Tokens, call: Call<RevokePermit>): Promise<'revoked' | 'alreadyEnded' | 'impossible'>;

  /**
   * Asks whether the provider accepts our client. Sends a token request with a made-up code or refresh token, so that
   * neither a caller nor a person can influence the answer. Spends nothing. @throws ProviderError `RetryLater`
   */
  probeClient(client: Client, input: { redirectUri: string }, call: Call): Promise<ClientVerdict>;

  /** @throws ProviderError `AccountUnusable`, `PermissionMissing`, `TokenStale` … */
  readAccount(access: Omit<Access, 'providerAccountId'>, call: Call): Promise<Account>;

  /** Reads one page of the account's posts in the window. `limit` (1 to 100) bounds the items returned. */
  listContent(
    access: Access,
    input: { window: Window; cursor: string | null; limit: number; withMetrics: boolean },
    call: Call,
  ): Promise<ContentListing>;

  /** Reads posts by id, at most `readBatchSize`. Deleted and hidden posts are missing from the result. */
  readContent(
    access: Access,
    input: { providerContentIds: readonly string[]; withMetrics: boolean },
    call: Call,
  ): Promise<readonly Content[]>;
  readonly readBatchSize: number;

  /** @throws ProviderError `UnsupportedUrl` for a URL that is not the URL of a post at this provider */
  lookUp(access: Access, input: LookupInput, call: Call): Promise<LookupStep>;
}
