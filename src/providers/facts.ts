import {
  CAPABILITIES,
  type Capability,
  type ContentKind,
  forEachProvider,
  type ProviderName,
} from '../basics/codes.ts';
import type { Secret } from '../basics/secret.ts';
import type { AuthorizationResponse } from './authorization-response.ts';

/** The units a day of a client with the default quota, and the time zone in which the day ends. */
export interface PlatformQuota {
  readonly units: number;
  readonly timeZone: string;
}

/** The data that another system can have of a grant. A platform without refresh tokens takes none. */
export type ImportedField = 'accessToken' | 'accessExpiresAt' | 'refreshToken' | 'permissions';

/** Facts about a platform that need no request: it builds and reads URLs and names permissions. Pure. */
export interface ProviderFacts {
  readonly name: ProviderName;
  /** Last segment of the callback's path: `{connect_url}/api/connect/callback/{slug}`. */
  readonly slug: string;
  readonly capabilities: readonly Capability[];
  /** The permission strings to request so that we can serve all of these capabilities. */
  permissionsFor(capabilities: readonly Capability[]): readonly string[];
  /** The permissions without which the service can do nothing at this platform. */
  readonly neededPermissions: readonly string[];
  /** Whether the granted permissions suffice for the capability. */
  isGranted(capability: Capability, permissions: readonly string[]): boolean;
  /** How the platform encodes the PKCE challenge (RFC 7636, section 4.2). Null for a platform without PKCE. */
  readonly pkce: 'base64url' | 'hex' | null;
  /** Null for a platform without a daily quota. */
  readonly dailyQuota: PlatformQuota | null;
  /**
   * HTTP calls of a refresh of 100 posts with metrics, rounded up: the planner divides the rate limit and the quota by it. The
   * meter counts the real calls of a refresh.
   */
  readonly callsPerRefresh: number;
  /** The kinds of posts that the platform distinguishes. */
  readonly contentKinds: readonly ContentKind[];
  /** Whether the answer to a code exchange names the account that a revoke affects. */
  readonly tokensNameAccount: boolean;
  /** The data of each grant that another system must hand over. */
  readonly importedFields: readonly ImportedField[];
  /** Reads how a post's URL names it, without a request: by the API's id, or by a code that is only in URLs. */
  readPostUrl(href: string): { readonly id: string } | { readonly code: string } | undefined;
  /** An id of the right form that no post has. */
  readonly unusedPostId: string;
  /** Whether revoking one grant at the platform can affect the subject's other connections there. */
  readonly holdsSiblingsOnDisconnect: boolean;
  /** Documents that the platform's terms require on our pages about it. */
  readonly terms: readonly { readonly name: string; readonly url: string }[];
  /** For how many days data may be kept at most after a grant was last proven alive. Null without such a term. */
  readonly longestUnprovenDays: number | null;
  /** Whether the platform's terms allow one product one client or project only, and one client one product only. */
  readonly oneClientForEachProduct: boolean;
  /** False for a platform without a revoke call: only the person can remove the app. */
  readonly canRevoke: boolean;
  /**
   * The reach of a revoke with this client beyond the client itself: a name that all clients share whose grants it ends,
   * such as a project's. Null if it ends only grants to this client.
   */
  readonly reachOf: (clientId: string) => string | null;
  /** True if each refresh spends the refresh token, so that tokens can be in use at one place only. */
  readonly rotatesRefreshTokens: boolean;
  /** For how long a token that another system holds can work without a refresh. Null if it has no end. */
  readonly tokenLifeDays: number | null;
  /** Builds the URL of the authorization request (RFC 6749, section 4.1.1). */
  buildAuthorizationRequest(input: {
    clientId: string;
    redirectUri: string;
    permissions: readonly string[];
    state: string;
    /** In the encoding of `pkce`. */
    codeChallenge: string | null;
  }): string;
  /** Reads the authorization response (RFC 6749, section 4.1.2) from the callback's query. */
  readAuthorizationResponse(query: URLSearchParams): AuthorizationResponse;
  /** The `iss` (RFC 9207) that the platform's authorization responses carry. If a response has one, it must be equal. */
  readonly issuer: string | null;
  /** The endpoints that the platform's servers call when a person removes the app or asks for deletion of their data. */
  readonly platformCallbacks: readonly PlatformCallback[];
}

/**
 * The permissions to request for the capabilities.
 * @param approved those that the platform has approved for our client; null for all
 */
export const choosePermissions = (
  { permissionsFor }: Pick<ProviderFacts, 'permissionsFor'>,
  capabilities: readonly Capability[],
  approved: readonly string[] | null,
): readonly string[] => permissionsFor(capabilities).filter((name) => approved?.includes(name) ?? true);
/** Lists the capabilities that need the same permission: a person who withdraws it withdraws them all. */
export function listOfSamePermission(facts: ProviderFacts, capability: Capability): Capability[] {
  const all = facts.permissionsFor(CAPABILITIES);
  const needs = (one: Capability) =>
    all.filter(
      (permission) =>
        !facts.isGranted(
          one,
          all.filter((other) => other !== permission),
        ),
    );
  const needed = needs(capability);
  return facts.capabilities.filter((other) => needs(other).some((permission) => needed.includes(permission)));
}

export type Catalog = Readonly<Record<ProviderName, ProviderFacts>>;

/** One URL that a platform's servers call. Pure: it verifies the signature and reads the notification. */
export interface PlatformCallback {
  /** Last segment of its path: `{connect_url}/api/platform/{slug}/{registrationId}/{path}`. */
  readonly path: string;
  /** Label of the field for this URL on the platform's own configuration page. */
  readonly enteredAs: string;
  /** @returns undefined unless the signature proves that the platform sent the request, for this client */
  read(request: PlatformRequest): PlatformNotice | undefined;
  /** Builds the response body with which the platform wants a deletion request confirmed. */
  confirm?(confirmation: { readonly code: string; readonly url: string }): Readonly<Record<string, string>>;
}

export interface PlatformRequest {
  /** The raw bytes of the body: the signature covers them. */
  readonly body: Buffer;
  /** Takes the lower-case name. */
  header(name: string): string | undefined;
  readonly clientId: string;
  /** One of the secrets that the platform may sign with. */
  readonly secret: Secret;
  readonly now: Date;
}

/**
 * A platform's notification about an account. `happenedAt` is by the platform's clock, to the second.
 * - `removal`: the grant ended at the platform. `byUs` is true if the platform attributes it to our own revoke.
 * - `deletion`: the person asks us to delete everything we hold about the account.
 * - `unrelated`: a genuine notification that does not concern us.
 */
export type PlatformNotice =
  | { readonly kind: 'removal'; readonly accountId: string; readonly happenedAt: Date; readonly byUs: boolean }
  | { readonly kind: 'deletion'; readonly accountId: string; readonly happenedAt: Date }
  | { readonly kind: 'unrelated' };

/** Lists the daily quota of each platform, and the time zone at whose midnight the count of units restarts. */
export const listDailyQuotas = (facts: Readonly<Record<ProviderName, Pick<ProviderFacts, 'dailyQuota'>>>) =>
  forEachProvider((name) => facts[name].dailyQuota ?? { units: null, timeZone: 'UTC' });
