import type { Secret } from '../secret.ts';
import { type Capability, PROVIDER_NAMES, type ProviderName } from './provider.ts';

/** The calls a day that a client of default quota may make, and the zone in whose midnight the day ends. */
export interface PlatformQuota {
  readonly calls: number;
  readonly timeZone: string;
}

/** Null where the provider counts in no such way. */
export const DAILY_QUOTAS: Readonly<Record<ProviderName, PlatformQuota | null>> = {
  // YouTube Data API, quota costs: every call made here costs one of 10,000 units.
  PROVIDER_A: { calls: 10_000, timeZone: 'America/Los_Angeles' },
  PROVIDER_B: null,
  PROVIDER_C: null,
};

/** What the API needs to know of a platform without calling it. Pure: builds and reads URLs, names permissions. */
export interface ProviderFacts {
  readonly name: ProviderName;
  /** Last part of the callback's path: `{connect_url}/api/connect/callback/{slug}`. */
  readonly slug: string;
  readonly capabilities: readonly Capability[];
  /** The provider's permission strings to ask for so that all of these capabilities can be served. */
  permissionsFor(capabilities: readonly Capability[]): readonly string[];
  /** What can be served with what was granted. */
  isGranted(capability: Capability, permissions: readonly string[]): boolean;
  /** Null where the provider takes no PKCE; else how the challenge is written. */
  readonly pkce: 'base64url' | 'hex' | null;
  /** As in `DAILY_QUOTAS`. */
  readonly dailyQuota: PlatformQuota | null;
  /** Whether ending a grant at the provider touches the subject's other connections there. */
  readonly holdsSiblingsOnDisconnect: boolean;
  /** False where only the person can remove the app. */
  readonly canRevoke: boolean;
  /** The URL the browser is sent to. */
  buildAuthorizationRequest(input: {
    clientId: string;
    redirectUri: string;
    permissions: readonly string[];
    state: string;
    /** As `pkce` says. */
    codeChallenge: string | null;
  }): string;
  /** Reads the query of a callback. `issuer` is RFC 9207's `iss`. */
  readAuthorizationResponse(query: URLSearchParams): AuthorizationResponse;
  /** The `iss` the provider promises in its callbacks, if any: then one that is there must be equal. */
  readonly issuer: string | null;
  /** What the platform itself calls, server to server, when a person removes the app there or wants their data gone. */
  readonly platformCallbacks: readonly PlatformCallback[];
}

/** One URL that a platform calls. Pure: proves who is calling and reads what is said. */
export interface PlatformCallback {
  /** Last part of its path: `{connect_url}/api/platform/{slug}/{registrationId}/{path}`. */
  readonly path: string;
  /** What the platform calls the field of its own set-up page that this URL is entered in. */
  readonly enteredAs: string;
  /** Undefined unless it is proven that the platform sent it, about this very client. */
  read(request: PlatformRequest): PlatformNotice | undefined;
  /** How the platform wants a deletion request confirmed: the body of the answer. */
  confirm?(confirmation: { readonly code: string; readonly url: string }): Readonly<Record<string, string>>;
}

export interface PlatformRequest {
  /** As it came, byte by byte: that is what is signed. */
  readonly body: Buffer;
  /** By lower-case name. */
  header(name: string): string | undefined;
  readonly clientId: string;
  /** One of those the platform may sign with. */
  readonly secret: Secret;
  readonly now: Date;
}

/**
 * What a platform says has happened to an account, and when by its own clock, to the second.
 * - `removal`: the grant has ended there; `byUs` when the platform takes it for our own doing.
 * - `deletion`: the person wants everything we hold of the account deleted.
 * - `unrelated`: genuine, and nothing to us.
 */
export type PlatformNotice =
  | { readonly kind: 'removal'; readonly accountId: string; readonly happenedAt: Date; readonly byUs: boolean }
  | { readonly kind: 'deletion'; readonly accountId: string; readonly happenedAt: Date }
  | { readonly kind: 'unrelated' };

export type AuthorizationResponse =
  | { readonly kind: 'code'; readonly code: string; readonly issuer: string | null }
  | { readonly kind: 'denied'; readonly issuer: string | null }
  | { readonly kind: 'failed'; readonly issuer: string | null }
  | { readonly kind: 'malformed' };

/** By provider: what is known of its daily quota, and in whose midnight the day ends that calls are counted by. */
export const listDailyQuotas = (facts: Readonly<Record<ProviderName, Pick<ProviderFacts, 'dailyQuota'>>>) =>
  Object.fromEntries(
    PROVIDER_NAMES.map((name) => {
      const { calls: units, timeZone } = facts[name].dailyQuota ?? { calls: null, timeZone: 'UTC' };
      return [name, { units, timeZone }];
    }),
  ) as Readonly<Record<ProviderName, { readonly units: number | null; readonly timeZone: string }>>;
