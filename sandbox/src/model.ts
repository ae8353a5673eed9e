import { z } from 'zod';

/** The platforms that the sandbox emulates, with the names that people know and the colors of their pages. */
const LOOKS = {
  PROVIDER_A: { name: 'YouTube', color: '#c5221f' },
  PROVIDER_B: { name: 'TikTok', color: '#0b7285' },
  PROVIDER_C: { name: 'Instagram', color: '#8a2be2' },
} as const;
export type Platform = keyof typeof LOOKS;
export const PLATFORMS = Object.keys(LOOKS) as readonly Platform[];

/** Makes one value for each platform. */
export const forEachPlatform = <Value>(make: (platform: Platform) => Value): Readonly<Record<Platform, Value>> =>
  Object.fromEntries(PLATFORMS.map((platform) => [platform, make(platform)])) as Record<Platform, Value>;

/** All providers of the sandbox: the platforms and the OpenID provider. */
export type SandboxProvider = Platform | 'IDP';
export const SANDBOX_PROVIDERS: readonly SandboxProvider[] = [...PLATFORMS, 'IDP'];

const ALL_LOOKS = { ...LOOKS, IDP: { name: 'the OpenID provider', color: '#1a56c4' } } as const;
/** The name that people know, for the pages of the sandbox. */
export const getPublicName = (provider: SandboxProvider): string => ALL_LOOKS[provider].name;
/** The style sheet's rules for the colors of the providers' pages. */
export const COLOR_RULES = SANDBOX_PROVIDERS.map(
  (provider) => `.${provider} { --accent: ${ALL_LOOKS[provider].color}; }`,
).join(' ');

/** The letter by which paths, settings and ids name a platform. */
export type Letter<Name extends Platform = Platform> = Name extends `PROVIDER_${infer Last}` ? Lowercase<Last> : never;
export const letterOf = (platform: Platform) => platform.slice(-1).toLowerCase() as Letter;

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

const count = z.string().regex(/^\d+$/).nullable();

/** A post, as the control API takes it. The fields that a post may lack are optional. */
export const Post = z.strictObject({
  id: z.string().min(1),
  accountId: z.string(),
  kind: z.enum(['video', 'image', 'carousel']),
  /** PROVIDER_B: the code of its short link. PROVIDER_C: its shortcode. PROVIDER_A: unused. */
  code: z.string().min(1),
  /** Milliseconds since the epoch. */
  uploadedAt: z.int(),
  /** Null for a scheduled post. */
  publishedAt: z.int().nullable(),
  title: z.string(),
  caption: z.string(),
  /** Decimal digits. Null if the owner hides the count or the platform has none. */
  views: count,
  likes: count,
  comments: count,
  shares: count,
  isPublic: z.boolean(),
  isPinned: z.boolean(),
  /** How PROVIDER_C answers a request for this post's insights. */
  insights: z.enum(['given', 'empty', 'beforeProfessional', 'sharesRefused']),
  seconds: z.int().min(0),
});
export type Post = Readonly<z.infer<typeof Post>>;
export type PostKind = Post['kind'];

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
