/** All providers of the sandbox: the platforms and the OpenID provider. */
export const SANDBOX_PROVIDERS = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C', 'IDP'] as const;
export type SandboxProvider = (typeof SANDBOX_PROVIDERS)[number];
export const PLATFORMS = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** The names that people know, for the pages of the sandbox. */
export const PUBLIC_NAMES: Readonly<Record<SandboxProvider, string>> = {
  PROVIDER_A: 'YouTube',
  PROVIDER_B: 'TikTok',
  PROVIDER_C: 'Instagram',
  IDP: 'the OpenID provider',
};

export type Trait =
  /** PROVIDER_A: a Google account that never made a channel. */
  | 'noChannel'
  /** PROVIDER_A: a channel of a Brand Account. */
  | 'brand'
  /** Omits optional profile fields: the handle at PROVIDER_A; name, picture and biography at PROVIDER_C. */
  | 'sparse'
  /** PROVIDER_B: short pages, and one empty page with `has_more`. */
  | 'shortPages'
  /** PROVIDER_C: neither Business nor Creator, so the platform refuses it. */
  | 'personal'
  /** PROVIDER_C: a Creator instead of a Business. */
  | 'creator'
  /** PROVIDER_C: an old pinned post comes first in the listing. */
  | 'pinnedFirst';

/** One choice on a consent page: a channel or an account. */
export interface SandboxAccount {
  /** The platform's id: channel id, open_id, or professional account id. */
  readonly id: string;
  readonly platform: Platform;
  /** The owner of a consent: the Google account's `sub`, the open_id, or the app-scoped user id. */
  readonly principal: string;
  readonly handle: string;
  readonly name: string;
  readonly bio: string;
  /** The e-mail address of the Google account; PROVIDER_A only. */
  readonly email: string | null;
  /** One line on the consent page that describes the account's use in tests. */
  readonly note: string;
  readonly traits: readonly Trait[];
}

export type PostKind = 'video' | 'image' | 'carousel';

export interface Post {
  readonly id: string;
  readonly accountId: string;
  readonly kind: PostKind;
  /** PROVIDER_B: the code of its short link. PROVIDER_C: its shortcode. PROVIDER_A: unused. */
  readonly code: string;
  readonly uploadedAt: number;
  /** Null for a scheduled post. */
  readonly publishedAt: number | null;
  readonly title: string;
  readonly caption: string;
  /** Decimal digits. Null if the owner hides the count or the platform has none. */
  readonly views: string | null;
  readonly likes: string | null;
  readonly comments: string | null;
  readonly shares: string | null;
  readonly isPublic: boolean;
  readonly isPinned: boolean;
  /** How PROVIDER_C answers a request for this post's insights. */
  readonly insights: 'given' | 'empty' | 'beforeProfessional' | 'sharesRefused';
  readonly seconds: number;
}

/** An OAuth client. Without `redirectUris` it may use any loopback callback of a connect flow. */
export interface SandboxClient {
  readonly platform: Platform;
  readonly clientId: string;
  /** The application's own name, as its consent pages show it. Without one they show the id. */
  readonly name?: string | undefined;
  readonly clientSecret: string;
  /** Whether the platform has disabled the client and refuses all its requests. */
  readonly isRefused?: boolean | undefined;
  /** PROVIDER_C has a second secret, the Meta app's; callbacks may be signed with either. */
  readonly metaSecret: string | null;
  readonly redirectUris: readonly string[] | null;
  /** PROVIDER_A: grants are kept per Cloud project, and so is the quota. */
  readonly project: string;
  /** PROVIDER_B: URL for events. PROVIDER_C: URL for deauthorizations. */
  readonly webhookUrl: string | null;
  /** PROVIDER_C. */
  readonly dataDeletionUrl: string | null;
}

/** One consent. */
export interface SandboxGrant {
  readonly id: string;
  readonly platform: Platform;
  readonly clientId: string;
  readonly accountId: string;
  readonly principal: string;
  readonly grantedAt: number;
  permissions: readonly string[];
  endedAt: number | null;
}

export interface Token {
  readonly value: string;
  readonly kind: 'access' | 'refresh' | 'short';
  readonly grantId: string;
  readonly issuedAt: number;
  /** Null if it does not expire. */
  expiresAt: number | null;
  /** Rotated, dropped, or expired by the control API. */
  isSpent: boolean;
}

/** An authorization code. */
export interface Code {
  readonly value: string;
  readonly grantId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly challengeMethod: string | null;
  readonly withRefreshToken: boolean;
  readonly expiresAt: number;
  isSpent: boolean;
}

/** The settings of the control API. Lifetimes are in seconds and apply to tokens issued afterwards. */
export interface SandboxSettings {
  a: {
    accessSeconds: number;
    /** A time-limited consent; null for a refresh token without a fixed end. */
    refreshSeconds: number | null;
    unitsPerDay: number;
    /** The reason in the answer to a used-up quota: of 2026, a rate limit that only its message calls a daily one. */
    quotaAnswer: 'quotaExceeded' | 'rateLimitExceeded';
    /** The error code of every refresh, such as `admin_policy_enforced` for accounts with a policy. Null for none. */
    refreshRefusal: string | null;
    /** Whether the platform has suspended the Cloud projects: every call of the API is forbidden. */
    projectSuspended: boolean;
    /** Whose `sub` a brand channel's id_token has: its owner's, or one of its own. Clients report both. */
    brandSubject: 'owner' | 'own';
    /** Whether the consent page hangs for a brand channel if `openid` is requested. */
    brandConsentHangs: boolean;
  };
  b: {
    accessSeconds: number;
    refreshSeconds: number;
    pkce: 'none' | 'base64url' | 'hex';
    callsPerMinute: number;
    /** The scopes that the platform has approved for the clients. Null for all. One other fails the whole request. */
    approvedScopes: readonly string[] | null;
    /** Whether short links redirect, or lead a server to a page that wants a person. */
    shortLinks: 'redirect' | 'page';
  };
  c: {
    shortSeconds: number;
    longSeconds: number;
    tokenAnswer: 'flat' | 'wrapped';
    permissionsAs: 'text' | 'list';
    refusedFields: readonly string[];
    refusedMetrics: readonly string[];
    callsPerDay: number;
    /** Whether it refuses an `appsecret_proof` of another client's secret. */
    checksSecretProofs: boolean;
    /** Accounts without an accepted tester invitation or a professional profile: consent works, and then no call. */
    accountsNotServed: readonly string[];
    /** Blocked or deactivated by the platform, or set to demand a proof of its secret: every call with a token fails. */
    appState: 'live' | 'blocked' | 'deactivated' | 'proofRequired';
    /** The largest page that it delivers. A larger one is too much data. */
    mostPerPage: number;
  };
}

export const DEFAULT_SETTINGS: SandboxSettings = {
  a: {
    accessSeconds: 3599,
    refreshSeconds: null,
    unitsPerDay: 10_000,
    quotaAnswer: 'quotaExceeded',
    refreshRefusal: null,
    projectSuspended: false,
    brandSubject: 'owner',
    brandConsentHangs: false,
  },
  b: {
    accessSeconds: 7200,
    refreshSeconds: 15_552_000,
    pkce: 'base64url',
    callsPerMinute: 600,
    approvedScopes: null,
    shortLinks: 'redirect',
  },
  c: {
    shortSeconds: 3600,
    longSeconds: 5_183_944,
    tokenAnswer: 'flat',
    permissionsAs: 'text',
    refusedFields: [],
    refusedMetrics: [],
    callsPerDay: 20_000,
    checksSecretProofs: true,
    accountsNotServed: [],
    appState: 'live',
    mostPerPage: 100,
  },
};
