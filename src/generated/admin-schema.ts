// Generated from admin.graphql by `npm run codegen`; do not edit.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { AdminContext } from '../api/admin/context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /**
   * An ISO 8601 date-time with a zone, such as `2026-01-31T09:30:00.000Z`. Inputs may have any offset (`Z`, `+02:00`, `+0200`
   * or `+02`) and omit the seconds or give them with up to nine decimals, of which three count. Outputs are in UTC with
   * milliseconds.
   */
  DateTime: { input: Date; output: Date; }
  /** A non-negative integer of any size, as a string of decimal digits. */
  DecimalCount: { input: string; output: string; }
};

/** What a token may do; each role may do what the ones before it may. */
export type AdminRole =
  /** Reads everything but secrets. */
  | 'VIEWER'
  /** Also mends: pushes jobs, calls attempts off, pauses registrations, revokes keys, erases a person. */
  | 'OPERATOR'
  /** Also sets up: apps, keys, registrations, policies, and disconnects many at once. */
  | 'ADMIN';

/** What a job does. The first three read; the others let go. */
export type JobKind =
  /** Reads a window of posts. */
  | 'SCAN'
  /** Reads one post's metrics again. */
  | 'METRICS'
  /** Looks one post up by its URL. */
  | 'LOOKUP'
  /** Ends the grant of a disconnected connection at the provider. */
  | 'REVOKE'
  /** Deletes what is held of a disconnected connection. */
  | 'ERASE'
  /** Gives back a grant that came to nothing. */
  | 'COMPENSATION';

/** How far a grant has come. */
export type GrantStatus =
  /** Exchanged, not yet a connection's. */
  | 'PENDING'
  /** What its connection is read with. */
  | 'LIVE'
  /** Waits to be revoked. */
  | 'REVOKING'
  /** Ended; its tokens are destroyed. */
  | 'DEAD';

/** How our client authenticates at an OpenID issuer's token endpoint. */
export type TokenAuthMethod =
  /** In the body. */
  | 'CLIENT_SECRET_POST'
  /** In the Authorization header. */
  | 'CLIENT_SECRET_BASIC';

/** What becomes of a removed tenant's connections. */
export type TenantConnections =
  /** They stay stored and unreadable (`FORBIDDEN`), until the tenant is added again. */
  | 'KEEP'
  /** They are disconnected: revoked and erased. */
  | 'DISCONNECT_ALL';

/** What a credential about to expire is. */
export type CredentialKind =
  /** An app's key. */
  | 'APP_KEY'
  /** The client secret of a provider registration. */
  | 'REGISTRATION_SECRET'
  /** The client secret at an OpenID issuer. */
  | 'ISSUER_SECRET'
  /** An admin token. */
  | 'ADMIN_TOKEN';

/** What can be read. */
export type Query = {
  /** VIEWER. Who is asking. */
  me: AdminToken;
  /** VIEWER. Where callers and browsers reach this service, and what providers have to know of it. */
  service: Service;
  /** VIEWER. What there is, what is stuck, and how the providers do. */
  overview: Overview;
  /** VIEWER. Apps, newest first. */
  apps: AppPage;
  /** VIEWER. One app. `NOT_FOUND`. */
  app: App;
  /** VIEWER. An app's tenants, by key. `NOT_FOUND` for an unknown app. */
  tenants: TenantPage;
  /** VIEWER. All our clients at providers, oldest first. */
  registrations: Array<Registration>;
  /** VIEWER. One of our clients at a provider. `NOT_FOUND`. */
  registration: Registration;
  /** VIEWER. All OpenID issuers that apps may sign people in with, oldest first. */
  identityIssuers: Array<IdentityIssuer>;
  /** VIEWER. Connections, newest first. */
  connections: ConnectionPage;
  /**
   * VIEWER. All there is to tell of one connection, also for 7 days after it is gone: then by its receipts. `NOT_FOUND` when
   * nothing is left of it.
   */
  connection: ConnectionStory;
  /** VIEWER. Connect attempts, newest first. */
  attempts: AttemptPage;
  /** VIEWER. One Connect attempt. `NOT_FOUND`. */
  attempt: Attempt;
  /** VIEWER. Jobs, newest first; with `stuck`, those that have been so longest come first. */
  jobs: JobPage;
  /** VIEWER. What is stuck, counted by app, provider, kind and reason. */
  stuckWork: StuckWork;
  /** VIEWER. One job. `NOT_FOUND`. */
  job: Job;
  /** VIEWER. How far a disconnect of many has come. `NOT_FOUND`. */
  bulkDisconnect: BulkDisconnect;
  /** VIEWER. Disconnects of many, newest first, the last 50. */
  bulkDisconnects: Array<BulkDisconnect>;
  /** VIEWER. The receipt of an erasure. `NOT_FOUND`. */
  erasure: Erasure;
  /**
   * VIEWER. States, over our keyed hash, what was deleted of a connection and when, and under `kept` what was not, and until
   * when: the receipts (7 days); results of attempts to connect, with the ids your app gave (24 hours at most); the tokens of
   * a revoke that has failed; grants of earlier attempts that are still to be revoked. A later proof names less. To be
   * exported within 7 days of the disconnect. Holds random ids and instants only. `NOT_FOUND` when its receipts are gone, `BAD_USER_INPUT` while the
   * erase has not ended.
   */
  proofOfDeletion: ProofOfDeletion;
  /** VIEWER. Whether a proof of deletion was made by this service and not altered since. */
  verifyProofOfDeletion: Scalars['Boolean']['output'];
  /** VIEWER. Keys, secrets and tokens that expire soon or have expired and are still in use, soonest first. */
  expiringCredentials: Array<ExpiringCredential>;
  /** VIEWER. The audit log, newest first. */
  auditLog: AuditPage;
  /** ADMIN. All admin tokens that have not expired, newest first; those of one session while it lives. */
  adminTokens: Array<AdminToken>;
};


/** What can be read. */
export type QueryAppsArgs = {
  filter: InputMaybe<AppFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** What can be read. */
export type QueryAppArgs = {
  id: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryTenantsArgs = {
  appId: Scalars['ID']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** What can be read. */
export type QueryRegistrationArgs = {
  id: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryConnectionsArgs = {
  filter: InputMaybe<ConnectionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** What can be read. */
export type QueryConnectionArgs = {
  id: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryAttemptsArgs = {
  filter: InputMaybe<AttemptFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** What can be read. */
export type QueryAttemptArgs = {
  id: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryJobsArgs = {
  filter: InputMaybe<JobFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** What can be read. */
export type QueryStuckWorkArgs = {
  filter: InputMaybe<JobFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** What can be read. */
export type QueryJobArgs = {
  id: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryBulkDisconnectArgs = {
  id: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryErasureArgs = {
  id: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryProofOfDeletionArgs = {
  connectionId: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryVerifyProofOfDeletionArgs = {
  document: Scalars['String']['input'];
  signature: Scalars['String']['input'];
};


/** What can be read. */
export type QueryExpiringCredentialsArgs = {
  withinDays?: InputMaybe<Scalars['Int']['input']>;
};


/** What can be read. */
export type QueryAuditLogArgs = {
  filter: InputMaybe<AuditFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};

/** What can be done. */
export type Mutation = {
  /** ADMIN. Registers a customer application. It can do nothing until it has a key, a tenant, a return URL and a policy. */
  createApp: App;
  /** ADMIN. Changes an app's name or rate; what is left out stays. `NOT_FOUND`. */
  changeApp: App;
  /** OPERATOR. Refuses an app's requests from now on. Its connections stay. `NOT_FOUND`. */
  disableApp: App;
  /** OPERATOR. Lets a disabled app go on. `NOT_FOUND`. */
  enableApp: App;
  /** ADMIN. Issues a key. `NOT_FOUND`; `BAD_USER_INPUT` while the app has two active keys. */
  issueKey: IssuedKey;
  /** OPERATOR. Ends a key at once. `NOT_FOUND` for one unknown or revoked before. */
  revokeKey: AppKey;
  /** ADMIN. Registers a tenant of an app; one registered before stays as it is. `NOT_FOUND`. */
  addTenant: Tenant;
  /** ADMIN. Removes a tenant. `NOT_FOUND`. */
  removeTenant: RemovedTenant;
  /**
   * ADMIN. Registers where browsers go back to, compared to the letter: HTTPS (in development also HTTP on loopback), without fragment,
   * credentials and query parameters beginning with `ss_`. `NOT_FOUND`.
   */
  addReturnUrl: App;
  /** ADMIN. Removes a return URL; attempts under way are still sent there. `NOT_FOUND`. */
  removeReturnUrl: App;
  /** ADMIN. Registers an origin, besides those of the return URLs, whose pages may post a launch token. `NOT_FOUND`. */
  addLaunchOrigin: App;
  /** ADMIN. Removes a launch origin. `NOT_FOUND`. */
  removeLaunchOrigin: App;
  /** ADMIN. Says what an app may ask for at a provider; no capability forbids the provider. `NOT_FOUND`. */
  setPolicy: App;
  /** ADMIN. Lets an app sign people in with an issuer, or with `enabled: false` no longer. `NOT_FOUND`. */
  setIdentity: App;
  /** ADMIN. Stores our client at a provider. The secret is sealed at once: no operation shows it again. */
  createRegistration: Registration;
  /** ADMIN. Replaces a registration's client secret; calls from now on use the new one. `NOT_FOUND`. */
  rotateRegistrationSecret: Registration;
  /**
   * OPERATOR. Stops reads and new attempts through a registration. Its connections stay CONNECTED, answering
   * `AUTHORIZATION_SUSPENDED`; revokes go on. `NOT_FOUND`.
   */
  pauseRegistration: RegistrationChange;
  /** OPERATOR. Lets a paused registration go on. `NOT_FOUND`. */
  resumeRegistration: Registration;
  /**
   * OPERATOR. Uses a registration again at once whose client the provider has refused, once that has been mended. One
   * that was not refused stays as it is. `NOT_FOUND`.
   */
  retryRegistration: Registration;
  /**
   * OPERATOR. Reads with a registration again before its quota resets, such as when the provider has raised it. Jobs that
   * wait are not woken by it: push them. `NOT_FOUND`.
   */
  clearSpentQuota: Registration;
  /**
   * ADMIN. Says how many units a day the provider has granted this client, which apps' shares are counted from.
   * `NOT_FOUND`; `BAD_USER_INPUT` for a provider without a daily quota.
   */
  setDailyQuota: Registration;
  /**
   * ADMIN. Stores a secret with which the platform signs what it tells us of its own accord; all of a registration's are
   * tried. Sealed at once: no operation shows it again. `NOT_FOUND`; `BAD_USER_INPUT` where the provider sends nothing.
   */
  addCallbackSecret: Registration;
  /** ADMIN. Takes a callback secret back, at once: what is signed with it is refused. `NOT_FOUND`. */
  removeCallbackSecret: Registration;
  /** ADMIN. Lets a registration serve an app. `NOT_FOUND`. */
  serveApp: Registration;
  /** ADMIN. Has a registration serve an app no longer: its connections answer `CAPABILITY_UNAVAILABLE`. `NOT_FOUND`. */
  stopServingApp: RegistrationChange;
  /** ADMIN. Stores our client at an OpenID issuer. The secret is sealed at once. */
  createIdentityIssuer: IdentityIssuer;
  /** ADMIN. Replaces our client secret at an issuer. `NOT_FOUND`. */
  rotateIdentityIssuerSecret: IdentityIssuer;
  /**
   * OPERATOR. Has a waiting job try now, whatever its back-off, or a FAILED revoke try again for up to 72 hours. One that
   * is trying already is left alone. `NOT_FOUND`; `BAD_USER_INPUT` for a job that has ended, and for a revoke with nothing
   * left to revoke with.
   */
  retryJob: Job;
  /** OPERATOR. The same for all jobs of a filter that wait or are revokes that FAILED, at most 1,000 at a time. */
  retryJobs: RetriedJobs;
  /** OPERATOR. Calls an unfinished attempt off; a grant that comes of it is given back. `NOT_FOUND`; `BAD_USER_INPUT` for one that has ended. */
  cancelAttempt: Attempt;
  /** OPERATOR. Disconnects one connection as its app would: access stops, grant revoked, data erased. `NOT_FOUND`. */
  disconnectConnection: ConnectionStory;
  /**
   * ADMIN. Disconnects all connections of a tenant, or of a registration, in the background. A run in progress over the
   * same is not begun twice. `NOT_FOUND`.
   */
  disconnectAll: DisconnectedAll;
  /**
   * OPERATOR. Erases a person: the subject's id is forgotten at once, all connections are disconnected, unfinished attempts
   * called off, and tokens kept of revokes that FAILED destroyed, so that only the person can end those grants. Revokes still
   * being tried go on, and keep no tokens should they fail. Asking again answers with the same receipt. `NOT_FOUND` for an
   * unknown app, and for a subject of whom nothing is held.
   */
  eraseSubject: ErasedSubject;
  /** ADMIN. Ends an admin token, and the sessions begun with it, at once. `NOT_FOUND`. */
  revokeAdminToken: AdminToken;
};


/** What can be done. */
export type MutationCreateAppArgs = {
  input: CreateAppInput;
};


/** What can be done. */
export type MutationChangeAppArgs = {
  id: Scalars['ID']['input'];
  name: InputMaybe<Scalars['String']['input']>;
  requestsPerSecond: InputMaybe<Scalars['Int']['input']>;
};


/** What can be done. */
export type MutationDisableAppArgs = {
  id: Scalars['ID']['input'];
};


/** What can be done. */
export type MutationEnableAppArgs = {
  id: Scalars['ID']['input'];
};


/** What can be done. */
export type MutationIssueKeyArgs = {
  input: IssueKeyInput;
};


/** What can be done. */
export type MutationRevokeKeyArgs = {
  id: Scalars['ID']['input'];
};


/** What can be done. */
export type MutationAddTenantArgs = {
  appId: Scalars['ID']['input'];
  tenantKey: Scalars['String']['input'];
};


/** What can be done. */
export type MutationRemoveTenantArgs = {
  appId: Scalars['ID']['input'];
  tenantKey: Scalars['String']['input'];
  connections: TenantConnections;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** What can be done. */
export type MutationAddReturnUrlArgs = {
  appId: Scalars['ID']['input'];
  url: Scalars['String']['input'];
};


/** What can be done. */
export type MutationRemoveReturnUrlArgs = {
  appId: Scalars['ID']['input'];
  url: Scalars['String']['input'];
};


/** What can be done. */
export type MutationAddLaunchOriginArgs = {
  appId: Scalars['ID']['input'];
  origin: Scalars['String']['input'];
};


/** What can be done. */
export type MutationRemoveLaunchOriginArgs = {
  appId: Scalars['ID']['input'];
  origin: Scalars['String']['input'];
};


/** What can be done. */
export type MutationSetPolicyArgs = {
  appId: Scalars['ID']['input'];
  provider: SocialProvider;
  capabilities: Array<Capability>;
  quotaPercent: InputMaybe<Scalars['Int']['input']>;
};


/** What can be done. */
export type MutationSetIdentityArgs = {
  appId: Scalars['ID']['input'];
  issuerId: Scalars['ID']['input'];
  returnUrl: Scalars['String']['input'];
  enabled?: InputMaybe<Scalars['Boolean']['input']>;
};


/** What can be done. */
export type MutationCreateRegistrationArgs = {
  input: CreateRegistrationInput;
};


/** What can be done. */
export type MutationRotateRegistrationSecretArgs = {
  id: Scalars['ID']['input'];
  clientSecret: Scalars['String']['input'];
  secretExpiresAt: InputMaybe<Scalars['DateTime']['input']>;
};


/** What can be done. */
export type MutationPauseRegistrationArgs = {
  id: Scalars['ID']['input'];
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** What can be done. */
export type MutationResumeRegistrationArgs = {
  id: Scalars['ID']['input'];
};


/** What can be done. */
export type MutationRetryRegistrationArgs = {
  id: Scalars['ID']['input'];
};


/** What can be done. */
export type MutationClearSpentQuotaArgs = {
  id: Scalars['ID']['input'];
};


/** What can be done. */
export type MutationSetDailyQuotaArgs = {
  id: Scalars['ID']['input'];
  calls: InputMaybe<Scalars['Int']['input']>;
};


/** What can be done. */
export type MutationAddCallbackSecretArgs = {
  registrationId: Scalars['ID']['input'];
  secret: Scalars['String']['input'];
  idempotencyKey: InputMaybe<Scalars['String']['input']>;
};


/** What can be done. */
export type MutationRemoveCallbackSecretArgs = {
  id: Scalars['ID']['input'];
};


/** What can be done. */
export type MutationServeAppArgs = {
  registrationId: Scalars['ID']['input'];
  appId: Scalars['ID']['input'];
};


/** What can be done. */
export type MutationStopServingAppArgs = {
  registrationId: Scalars['ID']['input'];
  appId: Scalars['ID']['input'];
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** What can be done. */
export type MutationCreateIdentityIssuerArgs = {
  input: CreateIdentityIssuerInput;
};


/** What can be done. */
export type MutationRotateIdentityIssuerSecretArgs = {
  id: Scalars['ID']['input'];
  clientSecret: Scalars['String']['input'];
  secretExpiresAt: InputMaybe<Scalars['DateTime']['input']>;
};


/** What can be done. */
export type MutationRetryJobArgs = {
  id: Scalars['ID']['input'];
};


/** What can be done. */
export type MutationRetryJobsArgs = {
  filter: JobFilter;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** What can be done. */
export type MutationCancelAttemptArgs = {
  id: Scalars['ID']['input'];
};


/** What can be done. */
export type MutationDisconnectConnectionArgs = {
  id: Scalars['ID']['input'];
};


/** What can be done. */
export type MutationDisconnectAllArgs = {
  input: DisconnectAllInput;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** What can be done. */
export type MutationEraseSubjectArgs = {
  input: EraseSubjectInput;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** What can be done. */
export type MutationRevokeAdminTokenArgs = {
  id: Scalars['ID']['input'];
};

/** Where a page ends. */
export type PageInfo = {
  /** To be passed as `after`; null on an empty page. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** Whether there is more. */
  hasNextPage: Scalars['Boolean']['output'];
};

/** How this service is reached from outside. */
export type Service = {
  /** Where apps send their requests: on the host that browsers come to for Connect, unless a proxy puts it elsewhere. */
  graphqlUrl: Scalars['String']['output'];
  /** One for each provider. */
  redirectUris: Array<RedirectUri>;
};

/** Where a provider sends browsers back to; to be registered there to the letter. */
export type RedirectUri = {
  /** The provider it is at. */
  provider: SocialProvider;
  /** Compared to the letter. */
  url: Scalars['String']['output'];
};

/** An admin token, without its secret. */
export type AdminToken = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** Whose it is, or what for. */
  label: Scalars['String']['output'];
  /** What it may do. */
  role: AdminRole;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When it stops working. */
  expiresAt: Scalars['DateTime']['output'];
  /** Set once it is revoked. */
  revokedAt: Maybe<Scalars['DateTime']['output']>;
  /** The last time it was used, to within a minute. */
  lastUsedAt: Maybe<Scalars['DateTime']['output']>;
  /** Whether it is that of one session, begun through OpenID Connect: nobody holds it, and it ends with the session. */
  sessionOnly: Scalars['Boolean']['output'];
};

/** A page of apps. */
export type AppPage = {
  /** In the order that the list promises. */
  items: Array<App>;
  /** Where the page ends. */
  pageInfo: PageInfo;
};

/** A customer application and what it may do. */
export type App = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** What people read on our pages. */
  name: Scalars['String']['output'];
  /** A disabled app's requests are refused. */
  enabled: Scalars['Boolean']['output'];
  /** Requests a second that it may send. */
  requestsPerSecond: Scalars['Int']['output'];
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Newest first; revoked and expired ones too. */
  keys: Array<AppKey>;
  /** How many there are; `tenants` lists them. */
  tenantCount: Scalars['Int']['output'];
  /** Where browsers may go back to. */
  returnUrls: Array<Scalars['String']['output']>;
  /** Besides the origins of the return URLs. */
  launchOrigins: Array<Scalars['String']['output']>;
  /** One for each provider that it may use. */
  policies: Array<Policy>;
  /** The registrations that serve it. A new attempt takes the one that has served longest of those not paused. */
  registrations: Array<Registration>;
  /** How it signs people in, where it may. */
  identity: Maybe<AppIdentity>;
  /** Whether it could connect an account now, and if not, what is missing; in words. */
  missing: Array<Scalars['String']['output']>;
};

/** An app's key, without its secret. */
export type AppKey = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Null for one without end. */
  expiresAt: Maybe<Scalars['DateTime']['output']>;
  /** Set once it is revoked. */
  revokedAt: Maybe<Scalars['DateTime']['output']>;
  /** Neither revoked nor expired. An app has at most two active keys. */
  active: Scalars['Boolean']['output'];
};

/** What an app may ask for at a provider. */
export type Policy = {
  /** The provider it is at. */
  provider: SocialProvider;
  /** What may be read. */
  capabilities: Array<Capability>;
  /**
   * The most of a registration's daily quota that the app may use, in percent. Null is the default: all of it while the
   * registration serves no other app, otherwise half.
   */
  quotaPercent: Maybe<Scalars['Int']['output']>;
};

/** How an app signs people in. */
export type AppIdentity = {
  /** Exactly as the issuer writes itself. */
  issuer: IdentityIssuer;
  /** Where browsers go back to. */
  returnUrl: Scalars['String']['output'];
  /** Whether it is in use. */
  enabled: Scalars['Boolean']['output'];
};

/** A new key. */
export type IssuedKey = {
  /** The key without its secret. */
  key: AppKey;
  /**
   * `<key-id>.<secret>`, shown this once and stored nowhere. Null when a repeated request is answered: if the first answer
   * was lost, revoke the key and issue another.
   */
  secret: Maybe<Scalars['String']['output']>;
};

/** A page of tenants. */
export type TenantPage = {
  /** In the order that the list promises. */
  items: Array<Tenant>;
  /** Where the page ends. */
  pageInfo: PageInfo;
};

/** A tenant of an app, in the app's own words. */
export type Tenant = {
  /** The tenant's key, in the app's own words. */
  tenantKey: Scalars['String']['output'];
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Connections in it, in any status. */
  connectionCount: Scalars['Int']['output'];
};

/** What removing a tenant did, or would do. */
export type RemovedTenant = {
  /** Whether nothing was changed. */
  dryRun: Scalars['Boolean']['output'];
  /** Its connections that could still be disconnected. */
  connectionCount: Scalars['Int']['output'];
  /** The disconnect that was begun; null with KEEP, on a dry run, and where there was nothing to disconnect. */
  bulkDisconnect: Maybe<BulkDisconnect>;
};

/** Our OAuth client at one provider, without its secret. */
export type Registration = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The provider it is at. */
  provider: SocialProvider;
  /** What we call it. */
  label: Scalars['String']['output'];
  /** As the provider knows it. */
  clientId: Scalars['String']['output'];
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When the secret in use was stored. */
  secretSetAt: Scalars['DateTime']['output'];
  /** When the provider will stop taking the secret, where known. */
  secretExpiresAt: Maybe<Scalars['DateTime']['output']>;
  /** Set while it is paused. */
  pausedAt: Maybe<Scalars['DateTime']['output']>;
  /** Set while it is proven that the provider refuses our client itself: its id, secret or set-up is wrong. */
  rejectedAt: Maybe<Scalars['DateTime']['output']>;
  /** How much of its quota is used. */
  usage: RegistrationUsage;
  /** Connections made with it that are CONNECTED, SUSPENDED or RECONNECT_REQUIRED. */
  connectionCount: Scalars['Int']['output'];
  /** Where the provider sends browsers back to; to be registered there to the letter. */
  redirectUri: Scalars['String']['output'];
  /** Where the platform itself calls us, to be entered there to the letter; none where it never does. */
  callbackUrls: Array<CallbackUrl>;
  /** Secrets with which the platform may sign what it tells us, without their values; the oldest first. */
  callbackSecrets: Array<CallbackSecret>;
  /** The apps it serves, by the time they were added. */
  apps: Array<ServedApp>;
};

/** Where a platform tells us of its own accord that a person has removed our app there, or wants their data deleted. */
export type CallbackUrl = {
  /** What the platform calls the field of its own set-up page that the URL is entered in. */
  enteredAs: Scalars['String']['output'];
  /** Of this registration only. */
  url: Scalars['String']['output'];
};

/** A secret of a platform's callbacks, without its value. */
export type CallbackSecret = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** When it was stored. */
  createdAt: Scalars['DateTime']['output'];
};

/** An app that a registration serves. */
export type ServedApp = {
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** What people read on our pages. */
  name: Scalars['String']['output'];
  /** Since when. */
  since: Scalars['DateTime']['output'];
  /** Units of the daily quota that it has used on the day of `usage`. */
  callsUsed: Scalars['Int']['output'];
  /** The most that it may use of the daily quota, in percent: as its policy says, or the default. */
  quotaPercent: Scalars['Int']['output'];
  /** The same in units; null where nothing is held back from it. */
  callsAllowed: Maybe<Scalars['Int']['output']>;
};

/** How much of a registration's daily quota is used, as far as we can tell. */
export type RegistrationUsage = {
  /** The provider's quota day, such as `2026-01-31`, in the zone in which its quota is reset. */
  day: Scalars['String']['output'];
  /** Units used on that day. Each HTTP call to the provider's API is one unit. */
  callsUsed: Scalars['Int']['output'];
  /** Units a day: as set with `setDailyQuota`, or as the provider documents; null where it has no daily quota. */
  callsAllowed: Maybe<Scalars['Int']['output']>;
  /** What is left of them, at least 0. */
  callsLeft: Maybe<Scalars['Int']['output']>;
  /** Set once the provider has said that the quota is used up: until then nothing is asked of it. */
  spentUntil: Maybe<Scalars['DateTime']['output']>;
};

/** What pausing a registration, or its no longer serving an app, did or would do. */
export type RegistrationChange = {
  /** Whether nothing was changed. */
  dryRun: Scalars['Boolean']['output'];
  /** The registration as it is now. */
  registration: Registration;
  /** Live connections that cannot be read after it. */
  connectionCount: Scalars['Int']['output'];
  /** Jobs that will wait, or fail, because of it. */
  openJobCount: Scalars['Int']['output'];
};

/** An OpenID provider that apps may sign people in with, without our secret there. */
export type IdentityIssuer = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** Exactly as the issuer writes itself. */
  issuer: Scalars['String']['output'];
  /** As the provider knows it. */
  clientId: Scalars['String']['output'];
  /** How our client authenticates there. */
  tokenAuthMethod: TokenAuthMethod;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When the secret in use was stored. */
  secretSetAt: Scalars['DateTime']['output'];
  /** When the issuer will stop taking the secret, where known. */
  secretExpiresAt: Maybe<Scalars['DateTime']['output']>;
  /** Where it sends browsers back to; to be registered there to the letter. */
  redirectUri: Scalars['String']['output'];
};

/** A page of connections. */
export type ConnectionPage = {
  /** In the order that the list promises. */
  items: Array<Connection>;
  /** Where the page ends. */
  pageInfo: PageInfo;
};

/** The standing link of a subject to an account. */
export type Connection = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** The name of the app. */
  appName: Scalars['String']['output'];
  /** In the app's own words. */
  tenantKey: Scalars['String']['output'];
  /** In the app's own words. */
  externalSubjectId: Scalars['String']['output'];
  /** The provider it is at. */
  provider: SocialProvider;
  /** Our client that it was made with. */
  registrationId: Scalars['ID']['output'];
  /** How far it has come. */
  status: ConnectionStatus;
  /** What its app is answered on a read: null where it may be read, else the code. */
  readFault: Maybe<Scalars['String']['output']>;
  /** How fresh its posts are. */
  syncStatus: SyncStatus;
  /** What may be read. */
  capabilities: Array<CapabilityState>;
  /** When the last successful scan asked for its first page. */
  lastSuccessfulSyncAt: Maybe<Scalars['DateTime']['output']>;
  /** Set while a failed scan waits for its next try. */
  nextRetryAt: Maybe<Scalars['DateTime']['output']>;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When its status last changed. */
  changedAt: Scalars['DateTime']['output'];
  /** Its workflows in the Temporal UI, where that is configured. */
  workflowsUrl: Maybe<Scalars['String']['output']>;
};

/** One capability granted when last connected, as it stands today. */
export type CapabilityState = {
  /** Which. */
  capability: Capability;
  /** Whether it can be had. */
  availability: Availability;
  /** Why it is not AVAILABLE. */
  reason: Maybe<Scalars['String']['output']>;
};

/** All there is to tell of one connection. */
export type ConnectionStory = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** Null once it is erased. */
  connection: Maybe<Connection>;
  /** Those that made or renewed it, or were to, newest first; the last 50. */
  attempts: Array<Attempt>;
  /** Newest first; the last 50. */
  grants: Array<Grant>;
  /** The two receipts of its disconnect: the revoke and the erase; none before. */
  receipts: Array<Job>;
  /** Its reads, newest first; the last 50. */
  jobs: Array<Job>;
  /** What operators did to it, alone or with many, and to its jobs and attempts, newest first; the last 50. */
  audit: Array<AuditEntry>;
};

/** One consent, without its tokens. */
export type Grant = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The attempt it came of. */
  attemptId: Scalars['ID']['output'];
  /** How far it has come. */
  status: GrantStatus;
  /** The provider's own permission strings, as granted. */
  permissions: Array<Scalars['String']['output']>;
  /** When the code was exchanged. */
  obtainedAt: Scalars['DateTime']['output'];
  /** When its access token lapses. */
  accessExpiresAt: Maybe<Scalars['DateTime']['output']>;
  /** When it lapses unless refreshed; null where it has no fixed end. */
  refreshExpiresAt: Maybe<Scalars['DateTime']['output']>;
  /** How many times its tokens have been refreshed. */
  refreshCount: Scalars['Int']['output'];
  /** Set while a refresh is under way, or its answer is lost. */
  refreshClaimedAt: Maybe<Scalars['DateTime']['output']>;
};

/** A page of attempts. */
export type AttemptPage = {
  /** In the order that the list promises. */
  items: Array<Attempt>;
  /** Where the page ends. */
  pageInfo: PageInfo;
};

/** One try to connect. */
export type Attempt = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** The name of the app. */
  appName: Scalars['String']['output'];
  /** The provider it is at. */
  provider: SocialProvider;
  /** Our client that it was made with. */
  registrationId: Scalars['ID']['output'];
  /** What may be read. */
  capabilities: Array<Capability>;
  /** EXPIRED also for one that its deadline has overtaken and nobody has read since. */
  status: ConnectSessionStatus;
  /** Why it ended so, as its app reads it. */
  resultCode: Maybe<Scalars['String']['output']>;
  /** `resultCode` in words. */
  resultMessage: Maybe<Scalars['String']['output']>;
  /** The connection it made or renewed. */
  connectionId: Maybe<Scalars['ID']['output']>;
  /** The connection it was to renew. */
  reconnectConnectionId: Maybe<Scalars['ID']['output']>;
  /** What the owner of the account has to do by hand. */
  creatorAction: Maybe<ConnectCreatorAction>;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When it stops working. */
  expiresAt: Scalars['DateTime']['output'];
  /** Set once it has ended. */
  finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** Of the request that created it; also in the log and in the workflow's memo. */
  correlationId: Scalars['ID']['output'];
  /** Of the workflow that does it. */
  workflowId: Scalars['ID']['output'];
  /** In the Temporal UI, where that is configured. */
  workflowUrl: Maybe<Scalars['String']['output']>;
};

/** A page of jobs. */
export type JobPage = {
  /** In the order that the list promises. */
  items: Array<Job>;
  /** Where the page ends. */
  pageInfo: PageInfo;
};

/** Work under way, or done. */
export type Job = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** What it is. */
  kind: JobKind;
  /** How far it has come. */
  status: JobStatus;
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** The name of the app. */
  appName: Scalars['String']['output'];
  /** In the app's own words. Null once its connection or attempt is gone. */
  tenantKey: Maybe<Scalars['String']['output']>;
  /** The provider it is at. */
  provider: SocialProvider;
  /** Our client that it was made with. */
  registrationId: Maybe<Scalars['ID']['output']>;
  /** The connection it is about. */
  connectionId: Maybe<Scalars['ID']['output']>;
  /** The attempt it came of. */
  attemptId: Maybe<Scalars['ID']['output']>;
  /**
   * Open and not getting on: at least one try has failed, or its own time is well past; or a revoke that FAILED and could be
   * tried again.
   */
  stuck: Scalars['Boolean']['output'];
  /** Since when it is stuck: its first failed try, or the last sign of life. Null while it is not. */
  stuckSince: Maybe<Scalars['DateTime']['output']>;
  /** Whether `retryJob` would do something. */
  retryable: Scalars['Boolean']['output'];
  /** Failed tries so far. */
  tries: Scalars['Int']['output'];
  /** Why the last try failed. */
  lastFailure: Maybe<Failure>;
  /** When a try first failed. */
  firstFailedAt: Maybe<Scalars['DateTime']['output']>;
  /** Null unless it waits for one. */
  nextTryAt: Maybe<Scalars['DateTime']['output']>;
  /** When a revoke gives up. */
  givesUpAt: Maybe<Scalars['DateTime']['output']>;
  /** Why it FAILED. */
  failure: Maybe<Failure>;
  /** What the owner of the account has to do by hand. */
  creatorAction: Maybe<ConnectCreatorAction>;
  /** Posts read so far by a scan. */
  itemCount: Maybe<Scalars['Int']['output']>;
  /** Why a scan ended before its window did. */
  incompleteReason: Maybe<Scalars['String']['output']>;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When it began. */
  startedAt: Maybe<Scalars['DateTime']['output']>;
  /** Set once it has ended. */
  finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** Of the request that asked for it; also in the log and in the workflow's memo. */
  correlationId: Scalars['ID']['output'];
  /** Of the workflow that does it. */
  workflowId: Scalars['ID']['output'];
  /** In the Temporal UI, where that is configured. */
  workflowUrl: Maybe<Scalars['String']['output']>;
};

/** Stuck jobs, counted. */
export type StuckWork = {
  /** Jobs that are stuck. */
  count: Scalars['Int']['output'];
  /** Of these, those that `retryJobs` would push: the others are being tried, or cannot be helped by a push. */
  retryableCount: Scalars['Int']['output'];
  /** How many groups there are. */
  groupCount: Scalars['Int']['output'];
  /** The largest first. */
  groups: Array<StuckGroup>;
};

/** Stuck jobs of one kind, of one app, at one provider, for one reason. */
export type StuckGroup = {
  /** The app they belong to. */
  appId: Scalars['ID']['output'];
  /** What people read on our pages. */
  appName: Scalars['String']['output'];
  /** The provider they are at. */
  provider: SocialProvider;
  /** What they are. */
  kind: JobKind;
  /** Why each has FAILED, or its last try did; null where nothing has failed and nothing has been heard of them. */
  lastFailure: Maybe<Failure>;
  /** How many there are. */
  count: Scalars['Int']['output'];
  /** Of these, revokes that have FAILED. */
  failedCount: Scalars['Int']['output'];
  /** Since when the first of them is stuck. */
  since: Scalars['DateTime']['output'];
};

/** Why something did not work: a closed code and our own words, never a provider's text. */
export type Failure = {
  /** A closed code. */
  code: Scalars['String']['output'];
  /** A sentence for a person. */
  message: Scalars['String']['output'];
};

/** What pushing many jobs did, or would do. */
export type RetriedJobs = {
  /** Whether nothing was changed. */
  dryRun: Scalars['Boolean']['output'];
  /** Jobs that were pushed, or would be. */
  count: Scalars['Int']['output'];
  /** Of these, revokes that had FAILED. */
  failedCount: Scalars['Int']['output'];
  /** Whether more match than one request pushes. */
  more: Scalars['Boolean']['output'];
};

/** What disconnecting many did, or would do. */
export type DisconnectedAll = {
  /** Whether nothing was changed. */
  dryRun: Scalars['Boolean']['output'];
  /** Connections that are to be disconnected. */
  connectionCount: Scalars['Int']['output'];
  /** Null on a dry run, and where there is nothing to disconnect. */
  run: Maybe<BulkDisconnect>;
};

/** A disconnect of many. */
export type BulkDisconnect = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Maybe<Scalars['ID']['output']>;
  /** The name of the app. */
  appName: Maybe<Scalars['String']['output']>;
  /** Whose connections, where it is a tenant's. */
  tenantKey: Maybe<Scalars['String']['output']>;
  /** Whose connections, where it is a registration's. */
  registrationId: Maybe<Scalars['ID']['output']>;
  /** When it began. */
  startedAt: Scalars['DateTime']['output'];
  /** Set once the last connection has been cut off. */
  finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** Connections when it began. */
  total: Scalars['Int']['output'];
  /** Cut off so far. */
  disconnected: Scalars['Int']['output'];
  /** Of these, still to be revoked or erased. */
  unsettled: Scalars['Int']['output'];
  /** Of these, revokes that FAILED. */
  revokesFailed: Scalars['Int']['output'];
  /** Of the workflow that does it. */
  workflowId: Scalars['ID']['output'];
  /** In the Temporal UI, where that is configured. */
  workflowUrl: Maybe<Scalars['String']['output']>;
};

/** What erasing a person did, or would do. */
export type ErasedSubject = {
  /** Whether nothing was changed. */
  dryRun: Scalars['Boolean']['output'];
  /** Connections it touches. */
  connectionCount: Scalars['Int']['output'];
  /** Unfinished attempts, which are called off. */
  attemptCount: Scalars['Int']['output'];
  /** Tokens still kept of revokes that FAILED. */
  keptTokenCount: Scalars['Int']['output'];
  /** The receipt; on a dry run null, unless the subject has been erased before. */
  erasure: Maybe<Erasure>;
};

/** The receipt of an erasure. Holds random ids only. */
export type Erasure = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** When it was first asked for. */
  requestedAt: Scalars['DateTime']['output'];
  /** Set once nothing is left but receipts: no connection, no grant, no kept token, no job under way. */
  completedAt: Maybe<Scalars['DateTime']['output']>;
  /** Connections it covers, also those of which only the kept tokens of a failed revoke were left. */
  connectionIds: Array<Scalars['ID']['output']>;
  /** Of these, those not yet erased. */
  remaining: Scalars['Int']['output'];
  /** The receipts: revokes and erases, and the revokes of grants that came to nothing. */
  jobs: Array<Job>;
};

/** A statement of what was deleted, for whoever asks for one. */
export type ProofOfDeletion = {
  /** The connection it is about. */
  connectionId: Scalars['ID']['output'];
  /** JSON: ids, what was deleted, and instants. */
  document: Scalars['String']['output'];
  /** Our keyed hash over the document; `verifyProofOfDeletion` checks it for as long as the key is configured. */
  signature: Scalars['String']['output'];
};

/** Something that will stop working on a date. */
export type ExpiringCredential = {
  /** What it is. */
  kind: CredentialKind;
  /** Of the key, registration, issuer or token. */
  id: Scalars['ID']['output'];
  /** What it is called: an app's name, a label, an issuer. */
  label: Scalars['String']['output'];
  /** The app it belongs to. */
  appId: Maybe<Scalars['ID']['output']>;
  /** When it stops working. */
  expiresAt: Scalars['DateTime']['output'];
  /** Whether that is past. */
  expired: Scalars['Boolean']['output'];
};

/** A page of the audit log. */
export type AuditPage = {
  /** In the order that the list promises. */
  items: Array<AuditEntry>;
  /** Where the page ends. */
  pageInfo: PageInfo;
};

/** One thing an operator did, or was refused. Names and ids, never other arguments. */
export type AuditEntry = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** When. */
  happenedAt: Scalars['DateTime']['output'];
  /** `token:<id>`, `openid:<the issuer's id of the operator>`, `command line`, or `unknown`. */
  actor: Scalars['String']['output'];
  /** The label of the token, also when it has been revoked or has expired; null for any other actor. */
  actorLabel: Maybe<Scalars['String']['output']>;
  /** The operation or command. */
  action: Scalars['String']['output'];
  /** The id it was about. */
  target: Maybe<Scalars['String']['output']>;
  /** Other ids: a receipt, a run of many or a key that has come of it, the jobs that were pushed. */
  related: Array<Scalars['ID']['output']>;
  /** DONE, DRY_RUN, FAILED, or the code it was refused with. */
  outcome: Scalars['String']['output'];
  /** Of the request; also in the log. */
  correlationId: Maybe<Scalars['ID']['output']>;
};

/** What there is, what is stuck, and how the providers do. */
export type Overview = {
  /** The instant it describes. */
  at: Scalars['DateTime']['output'];
  /** One for each status that occurs. */
  connections: Array<ConnectionCount>;
  /** Open and failed jobs, by kind and status. */
  jobs: Array<JobCount>;
  /** Connect attempts not finished and not expired. */
  openAttempts: Scalars['Int']['output'];
  /** Revokes that are stuck. */
  stuckRevokes: Scalars['Int']['output'];
  /** Since when the oldest of them is. */
  oldestStuckRevokeAt: Maybe<Scalars['DateTime']['output']>;
  /** All jobs that are stuck, revokes included. */
  stuckJobs: Scalars['Int']['output'];
  /** Since when the oldest of them is. */
  oldestStuckJobAt: Maybe<Scalars['DateTime']['output']>;
  /** Workflows waiting to be started: more than a few mean that Temporal cannot be reached. */
  outboxWaiting: Scalars['Int']['output'];
  /** Since when the oldest of them waits. */
  outboxOldestAt: Maybe<Scalars['DateTime']['output']>;
  /** One for each provider. */
  providers: Array<ProviderHealth>;
  /** Apps, keys and secrets that want attention within 30 days. */
  expiringCredentialCount: Scalars['Int']['output'];
};

/** How many connections are in a status. */
export type ConnectionCount = {
  /** The provider it is at. */
  provider: SocialProvider;
  /** How far it has come. */
  status: ConnectionStatus;
  /** How many. */
  count: Scalars['Int']['output'];
};

/** How many jobs of a kind are in a status. */
export type JobCount = {
  /** What it is. */
  kind: JobKind;
  /** How far it has come. */
  status: JobStatus;
  /** How many. */
  count: Scalars['Int']['output'];
};

/** How a provider does, as seen from the jobs that need it. */
export type ProviderHealth = {
  /** The provider it is at. */
  provider: SocialProvider;
  /** Jobs queued or under way. */
  openJobs: Scalars['Int']['output'];
  /** Open jobs whose last try failed, by why. */
  failing: Array<FailureCount>;
  /** Jobs that ended in the last hour, and how. */
  succeededLastHour: Scalars['Int']['output'];
  /** Jobs that failed in the last hour. */
  failedLastHour: Scalars['Int']['output'];
  /** Registrations that are paused. */
  pausedRegistrations: Scalars['Int']['output'];
  /** Registrations whose client the provider refuses. */
  rejectedRegistrations: Scalars['Int']['output'];
  /** Registrations whose quota is used up, until it resets. */
  spentRegistrations: Scalars['Int']['output'];
};

/** How many jobs wait for the same reason. */
export type FailureCount = {
  /** Why. */
  failure: Failure;
  /** How many. */
  count: Scalars['Int']['output'];
  /** Since when the oldest of them has been failing. */
  since: Scalars['DateTime']['output'];
};

/** Narrows the list of apps; what is left out does not. */
export type AppFilter = {
  /** Part of the name, in either case, or the beginning of the id. 1 to 200 characters. */
  search?: InputMaybe<Scalars['String']['input']>;
};

/** Narrows a list of connections; what is left out does not. */
export type ConnectionFilter = {
  /** The app it belongs to. */
  appId?: InputMaybe<Scalars['ID']['input']>;
  /** The provider it is at. */
  provider?: InputMaybe<SocialProvider>;
  /** Our client that it was made with. */
  registrationId?: InputMaybe<Scalars['ID']['input']>;
  /** In one of these. */
  statuses?: InputMaybe<Array<ConnectionStatus>>;
  /** Needs `appId`. */
  tenantKey?: InputMaybe<Scalars['String']['input']>;
  /** Needs `tenantKey`. */
  externalSubjectId?: InputMaybe<Scalars['String']['input']>;
};

/** Narrows a list of attempts; what is left out does not. */
export type AttemptFilter = {
  /** The app it belongs to. */
  appId?: InputMaybe<Scalars['ID']['input']>;
  /** The provider it is at. */
  provider?: InputMaybe<SocialProvider>;
  /** Our client that it was made with. */
  registrationId?: InputMaybe<Scalars['ID']['input']>;
  /** In one of these. */
  statuses?: InputMaybe<Array<ConnectSessionStatus>>;
  /** The connection it is about. */
  connectionId?: InputMaybe<Scalars['ID']['input']>;
};

/** Narrows a list of jobs; what is left out does not. */
export type JobFilter = {
  /** The app it belongs to. */
  appId?: InputMaybe<Scalars['ID']['input']>;
  /** The provider it is at. */
  provider?: InputMaybe<SocialProvider>;
  /** The connection it is about. */
  connectionId?: InputMaybe<Scalars['ID']['input']>;
  /** Of one of these. */
  kinds?: InputMaybe<Array<JobKind>>;
  /** In one of these. */
  statuses?: InputMaybe<Array<JobStatus>>;
  /** Only those with this code as their failure or, where they have none, as their last failure. */
  lastFailure?: InputMaybe<Scalars['String']['input']>;
  /** Only those with neither a failure nor a last failure, or only those with one. */
  neverFailed?: InputMaybe<Scalars['Boolean']['input']>;
  /** Only those that are stuck, or that are not. */
  stuck?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Narrows the audit log; what is left out does not. */
export type AuditFilter = {
  /** Exactly as in an entry. */
  actor?: InputMaybe<Scalars['String']['input']>;
  /** The operation or command. */
  action?: InputMaybe<Scalars['String']['input']>;
  /** An id that entries are about, or name besides. */
  target?: InputMaybe<Scalars['String']['input']>;
  /** DONE, or a code. */
  outcome?: InputMaybe<Scalars['String']['input']>;
};

/** A new app. */
export type CreateAppInput = {
  /** 1 to 100 characters in one line, to be read by people on our pages; spaces around it are taken off. */
  name: Scalars['String']['input'];
  /** Requests a second that it may send. 1 to 100,000; 500 by default. */
  requestsPerSecond?: InputMaybe<Scalars['Int']['input']>;
  /** 1 to 100 characters. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A new key. */
export type IssueKeyInput = {
  /** The app it belongs to. */
  appId: Scalars['ID']['input'];
  /** In the future; without end when left out. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** 1 to 100 characters. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A new client at a provider. */
export type CreateRegistrationInput = {
  /** The provider it is at. */
  provider: SocialProvider;
  /** 1 to 200 characters in one line; spaces around it are taken off. */
  label: Scalars['String']['input'];
  /** 1 to 200 characters in one line; spaces around it are taken off. */
  clientId: Scalars['String']['input'];
  /** 1 to 4,000 characters. */
  clientSecret: Scalars['String']['input'];
  /** When the provider will stop taking the secret, where it said so. In the future. */
  secretExpiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** 1 to 100 characters. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A new client at an OpenID issuer. */
export type CreateIdentityIssuerInput = {
  /** Exactly as the issuer writes itself: HTTPS (in development also HTTP on loopback), neither query nor fragment. 1 to 500 characters. */
  issuer: Scalars['String']['input'];
  /** 1 to 200 characters in one line; spaces around it are taken off. */
  clientId: Scalars['String']['input'];
  /** 1 to 4,000 characters. */
  clientSecret: Scalars['String']['input'];
  /** CLIENT_SECRET_BASIC by default. */
  tokenAuthMethod?: InputMaybe<TokenAuthMethod>;
  /** When the issuer will stop taking the secret, where it said so. In the future. */
  secretExpiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** 1 to 100 characters. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** Whose connections to disconnect: a tenant's, or a registration's. */
export type DisconnectAllInput = {
  /** With `tenantKey`. */
  appId?: InputMaybe<Scalars['ID']['input']>;
  /** With `appId`. */
  tenantKey?: InputMaybe<Scalars['String']['input']>;
  /** Alone. */
  registrationId?: InputMaybe<Scalars['ID']['input']>;
};

/** Whom to erase. */
export type EraseSubjectInput = {
  /** The app it belongs to. */
  appId: Scalars['ID']['input'];
  /** The tenant's key, in the app's own words. */
  tenantKey: Scalars['String']['input'];
  /** The subject, in the app's own words. */
  externalSubjectId: Scalars['String']['input'];
};

/** A social platform. */
export type SocialProvider =
  /** The first provider. Its account id is a channel ID. */
  | 'PROVIDER_A'
  /** The second provider. Its account id is an open_id. */
  | 'PROVIDER_B'
  /** The third provider. Its account id is a user ID. */
  | 'PROVIDER_C';

/** A kind of data that a connection may read. */
export type Capability =
  /** Read the account's profile. */
  | 'PROFILE'
  /** Scan the account's posts, and list the stored ones. */
  | 'CONTENT_LIST'
  /** Look up one post by its URL. */
  | 'CONTENT_LOOKUP'
  /** Read the metrics of stored posts. */
  | 'CONTENT_METRICS';

/** Says whether data or a capability is available, and if not, why. */
export type Availability =
  /** It is available. */
  | 'AVAILABLE'
  /** The provider does not offer it. */
  | 'UNSUPPORTED'
  /** The person has not granted it, or has withdrawn it. */
  | 'NOT_GRANTED'
  /** It is not available now, or no longer. */
  | 'UNAVAILABLE';

/** The name of a metric. */
export type MetricName =
  /** The number of views. */
  | 'VIEWS'
  /** The number of likes. */
  | 'LIKES'
  /** The number of comments. */
  | 'COMMENTS'
  /** The number of shares. */
  | 'SHARES';

/** The kind of a post. */
export type ContentKind =
  /** A video. */
  | 'VIDEO'
  /** One image. */
  | 'IMAGE'
  /** Several images or videos in one post. */
  | 'CAROUSEL'
  /** Another kind, or unknown. */
  | 'UNKNOWN';

/** A manual step for the owner of the account. */
export type ConnectCreatorAction =
  /** Remove the app in the account's settings at the provider: the grant may still exist there. */
  | 'REMOVE_APP_AT_PROVIDER';

/** The status of a Connect attempt. The first three are unfinished. */
export type ConnectSessionStatus =
  /** The browser has not yet posted the launch token. */
  | 'CREATED'
  /** The person is at the provider. */
  | 'AUTHORIZING'
  /** The person has returned, and the service exchanges the code for tokens. */
  | 'EXCHANGING'
  /** The account is connected; see `connectionId`. */
  | 'COMPLETED'
  /** The person or the provider denied access. */
  | 'DENIED'
  /** The attempt failed; see `resultCode`. */
  | 'FAILED'
  /** The attempt did not finish within 10 minutes. */
  | 'EXPIRED'
  /** The attempt was canceled; see `resultCode`. */
  | 'CANCELED';

/** The status of a connection. */
export type ConnectionStatus =
  /** The connection works. */
  | 'CONNECTED'
  /** Suspended until a disconnect that may also have ended its grant has settled. */
  | 'SUSPENDED'
  /** Its grant has ended. Connect again with it as `reconnectConnectionId`. */
  | 'RECONNECT_REQUIRED'
  /** Access has ended. The service revokes the grant. */
  | 'DISCONNECTED'
  /** The service erases the remaining data. */
  | 'DELETING';

/** Says how fresh a connection's stored posts are. */
export type SyncStatus =
  /** Not yet scanned. */
  | 'PENDING'
  /** A scan is running, or waits for its next try at `nextRetryAt`. */
  | 'RUNNING'
  /** The last scan was complete, or the connection lacks CONTENT_LIST and needs no scan. */
  | 'READY'
  /** The last scan did not read its whole window. */
  | 'PARTIAL'
  /** `lastSuccessfulSyncAt` is 24 hours ago or longer. */
  | 'STALE'
  /** The last scan failed and will not retry by itself. */
  | 'FAILED';

/** The status of a job. The last three are final. */
export type JobStatus =
  /** Not yet started. */
  | 'QUEUED'
  /** Running, or waiting to retry. */
  | 'RUNNING'
  /** The job succeeded. */
  | 'SUCCEEDED'
  /** The job gave up; see `errorCode`. */
  | 'FAILED'
  /** The job was canceled. */
  | 'CANCELED';

/** The status of a sign-in. */
export type IdpIdentityStatus =
  /** Not finished. Redeeming now does not spend the proof. */
  | 'PENDING'
  /** The person signed in. */
  | 'COMPLETED'
  /** The person or the identity provider denied access. */
  | 'DENIED'
  /** The sign-in failed. */
  | 'FAILED'
  /** The sign-in did not finish within 10 minutes. */
  | 'EXPIRED';



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AdminRole: AdminRole;
  JobKind: JobKind;
  GrantStatus: GrantStatus;
  TokenAuthMethod: TokenAuthMethod;
  TenantConnections: TenantConnections;
  CredentialKind: CredentialKind;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Service: ResolverTypeWrapper<Service>;
  RedirectUri: ResolverTypeWrapper<RedirectUri>;
  AdminToken: ResolverTypeWrapper<AdminToken>;
  AppPage: ResolverTypeWrapper<AppPage>;
  App: ResolverTypeWrapper<App>;
  AppKey: ResolverTypeWrapper<AppKey>;
  Policy: ResolverTypeWrapper<Policy>;
  AppIdentity: ResolverTypeWrapper<AppIdentity>;
  IssuedKey: ResolverTypeWrapper<IssuedKey>;
  TenantPage: ResolverTypeWrapper<TenantPage>;
  Tenant: ResolverTypeWrapper<Tenant>;
  RemovedTenant: ResolverTypeWrapper<RemovedTenant>;
  Registration: ResolverTypeWrapper<Registration>;
  CallbackUrl: ResolverTypeWrapper<CallbackUrl>;
  CallbackSecret: ResolverTypeWrapper<CallbackSecret>;
  ServedApp: ResolverTypeWrapper<ServedApp>;
  RegistrationUsage: ResolverTypeWrapper<RegistrationUsage>;
  RegistrationChange: ResolverTypeWrapper<RegistrationChange>;
  IdentityIssuer: ResolverTypeWrapper<IdentityIssuer>;
  ConnectionPage: ResolverTypeWrapper<ConnectionPage>;
  Connection: ResolverTypeWrapper<Connection>;
  CapabilityState: ResolverTypeWrapper<CapabilityState>;
  ConnectionStory: ResolverTypeWrapper<ConnectionStory>;
  Grant: ResolverTypeWrapper<Grant>;
  AttemptPage: ResolverTypeWrapper<AttemptPage>;
  Attempt: ResolverTypeWrapper<Attempt>;
  JobPage: ResolverTypeWrapper<JobPage>;
  Job: ResolverTypeWrapper<Job>;
  StuckWork: ResolverTypeWrapper<StuckWork>;
  StuckGroup: ResolverTypeWrapper<StuckGroup>;
  Failure: ResolverTypeWrapper<Failure>;
  RetriedJobs: ResolverTypeWrapper<RetriedJobs>;
  DisconnectedAll: ResolverTypeWrapper<DisconnectedAll>;
  BulkDisconnect: ResolverTypeWrapper<BulkDisconnect>;
  ErasedSubject: ResolverTypeWrapper<ErasedSubject>;
  Erasure: ResolverTypeWrapper<Erasure>;
  ProofOfDeletion: ResolverTypeWrapper<ProofOfDeletion>;
  ExpiringCredential: ResolverTypeWrapper<ExpiringCredential>;
  AuditPage: ResolverTypeWrapper<AuditPage>;
  AuditEntry: ResolverTypeWrapper<AuditEntry>;
  Overview: ResolverTypeWrapper<Overview>;
  ConnectionCount: ResolverTypeWrapper<ConnectionCount>;
  JobCount: ResolverTypeWrapper<JobCount>;
  ProviderHealth: ResolverTypeWrapper<ProviderHealth>;
  FailureCount: ResolverTypeWrapper<FailureCount>;
  AppFilter: AppFilter;
  ConnectionFilter: ConnectionFilter;
  AttemptFilter: AttemptFilter;
  JobFilter: JobFilter;
  AuditFilter: AuditFilter;
  CreateAppInput: CreateAppInput;
  IssueKeyInput: IssueKeyInput;
  CreateRegistrationInput: CreateRegistrationInput;
  CreateIdentityIssuerInput: CreateIdentityIssuerInput;
  DisconnectAllInput: DisconnectAllInput;
  EraseSubjectInput: EraseSubjectInput;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  DecimalCount: ResolverTypeWrapper<Scalars['DecimalCount']['output']>;
  SocialProvider: SocialProvider;
  Capability: Capability;
  Availability: Availability;
  MetricName: MetricName;
  ContentKind: ContentKind;
  ConnectCreatorAction: ConnectCreatorAction;
  ConnectSessionStatus: ConnectSessionStatus;
  ConnectionStatus: ConnectionStatus;
  SyncStatus: SyncStatus;
  JobStatus: JobStatus;
  IdpIdentityStatus: IdpIdentityStatus;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Query: Record<PropertyKey, never>;
  Int: Scalars['Int']['output'];
  String: Scalars['String']['output'];
  ID: Scalars['ID']['output'];
  Boolean: Scalars['Boolean']['output'];
  Mutation: Record<PropertyKey, never>;
  PageInfo: PageInfo;
  Service: Service;
  RedirectUri: RedirectUri;
  AdminToken: AdminToken;
  AppPage: AppPage;
  App: App;
  AppKey: AppKey;
  Policy: Policy;
  AppIdentity: AppIdentity;
  IssuedKey: IssuedKey;
  TenantPage: TenantPage;
  Tenant: Tenant;
  RemovedTenant: RemovedTenant;
  Registration: Registration;
  CallbackUrl: CallbackUrl;
  CallbackSecret: CallbackSecret;
  ServedApp: ServedApp;
  RegistrationUsage: RegistrationUsage;
  RegistrationChange: RegistrationChange;
  IdentityIssuer: IdentityIssuer;
  ConnectionPage: ConnectionPage;
  Connection: Connection;
  CapabilityState: CapabilityState;
  ConnectionStory: ConnectionStory;
  Grant: Grant;
  AttemptPage: AttemptPage;
  Attempt: Attempt;
  JobPage: JobPage;
  Job: Job;
  StuckWork: StuckWork;
  StuckGroup: StuckGroup;
  Failure: Failure;
  RetriedJobs: RetriedJobs;
  DisconnectedAll: DisconnectedAll;
  BulkDisconnect: BulkDisconnect;
  ErasedSubject: ErasedSubject;
  Erasure: Erasure;
  ProofOfDeletion: ProofOfDeletion;
  ExpiringCredential: ExpiringCredential;
  AuditPage: AuditPage;
  AuditEntry: AuditEntry;
  Overview: Overview;
  ConnectionCount: ConnectionCount;
  JobCount: JobCount;
  ProviderHealth: ProviderHealth;
  FailureCount: FailureCount;
  AppFilter: AppFilter;
  ConnectionFilter: ConnectionFilter;
  AttemptFilter: AttemptFilter;
  JobFilter: JobFilter;
  AuditFilter: AuditFilter;
  CreateAppInput: CreateAppInput;
  IssueKeyInput: IssueKeyInput;
  CreateRegistrationInput: CreateRegistrationInput;
  CreateIdentityIssuerInput: CreateIdentityIssuerInput;
  DisconnectAllInput: DisconnectAllInput;
  EraseSubjectInput: EraseSubjectInput;
  DateTime: Scalars['DateTime']['output'];
  DecimalCount: Scalars['DecimalCount']['output'];
};

export type QueryResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  me: Resolver<ResolversTypes['AdminToken'], ParentType, ContextType>;
  service: Resolver<ResolversTypes['Service'], ParentType, ContextType>;
  overview: Resolver<ResolversTypes['Overview'], ParentType, ContextType>;
  apps: Resolver<ResolversTypes['AppPage'], ParentType, ContextType, RequireFields<QueryAppsArgs, 'first'>>;
  app: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<QueryAppArgs, 'id'>>;
  tenants: Resolver<ResolversTypes['TenantPage'], ParentType, ContextType, RequireFields<QueryTenantsArgs, 'appId' | 'first'>>;
  registrations: Resolver<Array<ResolversTypes['Registration']>, ParentType, ContextType>;
  registration: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<QueryRegistrationArgs, 'id'>>;
  identityIssuers: Resolver<Array<ResolversTypes['IdentityIssuer']>, ParentType, ContextType>;
  connections: Resolver<ResolversTypes['ConnectionPage'], ParentType, ContextType, RequireFields<QueryConnectionsArgs, 'first'>>;
  connection: Resolver<ResolversTypes['ConnectionStory'], ParentType, ContextType, RequireFields<QueryConnectionArgs, 'id'>>;
  attempts: Resolver<ResolversTypes['AttemptPage'], ParentType, ContextType, RequireFields<QueryAttemptsArgs, 'first'>>;
  attempt: Resolver<ResolversTypes['Attempt'], ParentType, ContextType, RequireFields<QueryAttemptArgs, 'id'>>;
  jobs: Resolver<ResolversTypes['JobPage'], ParentType, ContextType, RequireFields<QueryJobsArgs, 'first'>>;
  stuckWork: Resolver<ResolversTypes['StuckWork'], ParentType, ContextType, RequireFields<QueryStuckWorkArgs, 'first'>>;
  job: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<QueryJobArgs, 'id'>>;
  bulkDisconnect: Resolver<ResolversTypes['BulkDisconnect'], ParentType, ContextType, RequireFields<QueryBulkDisconnectArgs, 'id'>>;
  bulkDisconnects: Resolver<Array<ResolversTypes['BulkDisconnect']>, ParentType, ContextType>;
  erasure: Resolver<ResolversTypes['Erasure'], ParentType, ContextType, RequireFields<QueryErasureArgs, 'id'>>;
  proofOfDeletion: Resolver<ResolversTypes['ProofOfDeletion'], ParentType, ContextType, RequireFields<QueryProofOfDeletionArgs, 'connectionId'>>;
  verifyProofOfDeletion: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<QueryVerifyProofOfDeletionArgs, 'document' | 'signature'>>;
  expiringCredentials: Resolver<Array<ResolversTypes['ExpiringCredential']>, ParentType, ContextType, RequireFields<QueryExpiringCredentialsArgs, 'withinDays'>>;
  auditLog: Resolver<ResolversTypes['AuditPage'], ParentType, ContextType, RequireFields<QueryAuditLogArgs, 'first'>>;
  adminTokens: Resolver<Array<ResolversTypes['AdminToken']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createApp: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationCreateAppArgs, 'input'>>;
  changeApp: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationChangeAppArgs, 'id'>>;
  disableApp: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationDisableAppArgs, 'id'>>;
  enableApp: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationEnableAppArgs, 'id'>>;
  issueKey: Resolver<ResolversTypes['IssuedKey'], ParentType, ContextType, RequireFields<MutationIssueKeyArgs, 'input'>>;
  revokeKey: Resolver<ResolversTypes['AppKey'], ParentType, ContextType, RequireFields<MutationRevokeKeyArgs, 'id'>>;
  addTenant: Resolver<ResolversTypes['Tenant'], ParentType, ContextType, RequireFields<MutationAddTenantArgs, 'appId' | 'tenantKey'>>;
  removeTenant: Resolver<ResolversTypes['RemovedTenant'], ParentType, ContextType, RequireFields<MutationRemoveTenantArgs, 'appId' | 'tenantKey' | 'connections' | 'dryRun'>>;
  addReturnUrl: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationAddReturnUrlArgs, 'appId' | 'url'>>;
  removeReturnUrl: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationRemoveReturnUrlArgs, 'appId' | 'url'>>;
  addLaunchOrigin: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationAddLaunchOriginArgs, 'appId' | 'origin'>>;
  removeLaunchOrigin: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationRemoveLaunchOriginArgs, 'appId' | 'origin'>>;
  setPolicy: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationSetPolicyArgs, 'appId' | 'provider' | 'capabilities'>>;
  setIdentity: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationSetIdentityArgs, 'appId' | 'issuerId' | 'returnUrl' | 'enabled'>>;
  createRegistration: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationCreateRegistrationArgs, 'input'>>;
  rotateRegistrationSecret: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationRotateRegistrationSecretArgs, 'id' | 'clientSecret'>>;
  pauseRegistration: Resolver<ResolversTypes['RegistrationChange'], ParentType, ContextType, RequireFields<MutationPauseRegistrationArgs, 'id' | 'dryRun'>>;
  resumeRegistration: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationResumeRegistrationArgs, 'id'>>;
  retryRegistration: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationRetryRegistrationArgs, 'id'>>;
  clearSpentQuota: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationClearSpentQuotaArgs, 'id'>>;
  setDailyQuota: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationSetDailyQuotaArgs, 'id'>>;
  addCallbackSecret: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationAddCallbackSecretArgs, 'registrationId' | 'secret'>>;
  removeCallbackSecret: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationRemoveCallbackSecretArgs, 'id'>>;
  serveApp: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationServeAppArgs, 'registrationId' | 'appId'>>;
  stopServingApp: Resolver<ResolversTypes['RegistrationChange'], ParentType, ContextType, RequireFields<MutationStopServingAppArgs, 'registrationId' | 'appId' | 'dryRun'>>;
  createIdentityIssuer: Resolver<ResolversTypes['IdentityIssuer'], ParentType, ContextType, RequireFields<MutationCreateIdentityIssuerArgs, 'input'>>;
  rotateIdentityIssuerSecret: Resolver<ResolversTypes['IdentityIssuer'], ParentType, ContextType, RequireFields<MutationRotateIdentityIssuerSecretArgs, 'id' | 'clientSecret'>>;
  retryJob: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationRetryJobArgs, 'id'>>;
  retryJobs: Resolver<ResolversTypes['RetriedJobs'], ParentType, ContextType, RequireFields<MutationRetryJobsArgs, 'filter' | 'dryRun'>>;
  cancelAttempt: Resolver<ResolversTypes['Attempt'], ParentType, ContextType, RequireFields<MutationCancelAttemptArgs, 'id'>>;
  disconnectConnection: Resolver<ResolversTypes['ConnectionStory'], ParentType, ContextType, RequireFields<MutationDisconnectConnectionArgs, 'id'>>;
  disconnectAll: Resolver<ResolversTypes['DisconnectedAll'], ParentType, ContextType, RequireFields<MutationDisconnectAllArgs, 'input' | 'dryRun'>>;
  eraseSubject: Resolver<ResolversTypes['ErasedSubject'], ParentType, ContextType, RequireFields<MutationEraseSubjectArgs, 'input' | 'dryRun'>>;
  revokeAdminToken: Resolver<ResolversTypes['AdminToken'], ParentType, ContextType, RequireFields<MutationRevokeAdminTokenArgs, 'id'>>;
};

export type PageInfoResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ServiceResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Service'] = ResolversParentTypes['Service']> = {
  graphqlUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  redirectUris?: Resolver<Array<ResolversTypes['RedirectUri']>, ParentType, ContextType>;
};

export type RedirectUriResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['RedirectUri'] = ResolversParentTypes['RedirectUri']> = {
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AdminTokenResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['AdminToken'] = ResolversParentTypes['AdminToken']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['AdminRole'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  revokedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  sessionOnly?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type AppPageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['AppPage'] = ResolversParentTypes['AppPage']> = {
  items?: Resolver<Array<ResolversTypes['App']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type AppResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['App'] = ResolversParentTypes['App']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  enabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  requestsPerSecond?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  keys?: Resolver<Array<ResolversTypes['AppKey']>, ParentType, ContextType>;
  tenantCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  returnUrls?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  launchOrigins?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  policies?: Resolver<Array<ResolversTypes['Policy']>, ParentType, ContextType>;
  registrations?: Resolver<Array<ResolversTypes['Registration']>, ParentType, ContextType>;
  identity?: Resolver<Maybe<ResolversTypes['AppIdentity']>, ParentType, ContextType>;
  missing?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AppKeyResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['AppKey'] = ResolversParentTypes['AppKey']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  revokedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  active?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type PolicyResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Policy'] = ResolversParentTypes['Policy']> = {
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  capabilities?: Resolver<Array<ResolversTypes['Capability']>, ParentType, ContextType>;
  quotaPercent?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type AppIdentityResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['AppIdentity'] = ResolversParentTypes['AppIdentity']> = {
  issuer?: Resolver<ResolversTypes['IdentityIssuer'], ParentType, ContextType>;
  returnUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  enabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type IssuedKeyResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['IssuedKey'] = ResolversParentTypes['IssuedKey']> = {
  key?: Resolver<ResolversTypes['AppKey'], ParentType, ContextType>;
  secret?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type TenantPageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['TenantPage'] = ResolversParentTypes['TenantPage']> = {
  items?: Resolver<Array<ResolversTypes['Tenant']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type TenantResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Tenant'] = ResolversParentTypes['Tenant']> = {
  tenantKey?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  connectionCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RemovedTenantResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['RemovedTenant'] = ResolversParentTypes['RemovedTenant']> = {
  dryRun?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  connectionCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  bulkDisconnect?: Resolver<Maybe<ResolversTypes['BulkDisconnect']>, ParentType, ContextType>;
};

export type RegistrationResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Registration'] = ResolversParentTypes['Registration']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  clientId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  secretSetAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  secretExpiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  pausedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  rejectedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  usage?: Resolver<ResolversTypes['RegistrationUsage'], ParentType, ContextType>;
  connectionCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  redirectUri?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  callbackUrls?: Resolver<Array<ResolversTypes['CallbackUrl']>, ParentType, ContextType>;
  callbackSecrets?: Resolver<Array<ResolversTypes['CallbackSecret']>, ParentType, ContextType>;
  apps?: Resolver<Array<ResolversTypes['ServedApp']>, ParentType, ContextType>;
};

export type CallbackUrlResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['CallbackUrl'] = ResolversParentTypes['CallbackUrl']> = {
  enteredAs?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CallbackSecretResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['CallbackSecret'] = ResolversParentTypes['CallbackSecret']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ServedAppResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['ServedApp'] = ResolversParentTypes['ServedApp']> = {
  appId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  callsUsed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  quotaPercent?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  callsAllowed?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type RegistrationUsageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['RegistrationUsage'] = ResolversParentTypes['RegistrationUsage']> = {
  day?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  callsUsed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  callsAllowed?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  callsLeft?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  spentUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type RegistrationChangeResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['RegistrationChange'] = ResolversParentTypes['RegistrationChange']> = {
  dryRun?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  registration?: Resolver<ResolversTypes['Registration'], ParentType, ContextType>;
  connectionCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  openJobCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type IdentityIssuerResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['IdentityIssuer'] = ResolversParentTypes['IdentityIssuer']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  issuer?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  clientId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tokenAuthMethod?: Resolver<ResolversTypes['TokenAuthMethod'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  secretSetAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  secretExpiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  redirectUri?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ConnectionPageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['ConnectionPage'] = ResolversParentTypes['ConnectionPage']> = {
  items?: Resolver<Array<ResolversTypes['Connection']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ConnectionResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Connection'] = ResolversParentTypes['Connection']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tenantKey?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  externalSubjectId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  registrationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ConnectionStatus'], ParentType, ContextType>;
  readFault?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  syncStatus?: Resolver<ResolversTypes['SyncStatus'], ParentType, ContextType>;
  capabilities?: Resolver<Array<ResolversTypes['CapabilityState']>, ParentType, ContextType>;
  lastSuccessfulSyncAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  nextRetryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  changedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  workflowsUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CapabilityStateResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['CapabilityState'] = ResolversParentTypes['CapabilityState']> = {
  capability?: Resolver<ResolversTypes['Capability'], ParentType, ContextType>;
  availability?: Resolver<ResolversTypes['Availability'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ConnectionStoryResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['ConnectionStory'] = ResolversParentTypes['ConnectionStory']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  connection?: Resolver<Maybe<ResolversTypes['Connection']>, ParentType, ContextType>;
  attempts?: Resolver<Array<ResolversTypes['Attempt']>, ParentType, ContextType>;
  grants?: Resolver<Array<ResolversTypes['Grant']>, ParentType, ContextType>;
  receipts?: Resolver<Array<ResolversTypes['Job']>, ParentType, ContextType>;
  jobs?: Resolver<Array<ResolversTypes['Job']>, ParentType, ContextType>;
  audit?: Resolver<Array<ResolversTypes['AuditEntry']>, ParentType, ContextType>;
};

export type GrantResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Grant'] = ResolversParentTypes['Grant']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  attemptId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['GrantStatus'], ParentType, ContextType>;
  permissions?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  obtainedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  accessExpiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  refreshExpiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  refreshCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  refreshClaimedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type AttemptPageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['AttemptPage'] = ResolversParentTypes['AttemptPage']> = {
  items?: Resolver<Array<ResolversTypes['Attempt']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type AttemptResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Attempt'] = ResolversParentTypes['Attempt']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  registrationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  capabilities?: Resolver<Array<ResolversTypes['Capability']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ConnectSessionStatus'], ParentType, ContextType>;
  resultCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  resultMessage?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  connectionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  reconnectConnectionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  creatorAction?: Resolver<Maybe<ResolversTypes['ConnectCreatorAction']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  correlationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  workflowId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  workflowUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type JobPageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['JobPage'] = ResolversParentTypes['JobPage']> = {
  items?: Resolver<Array<ResolversTypes['Job']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type JobResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Job'] = ResolversParentTypes['Job']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['JobKind'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['JobStatus'], ParentType, ContextType>;
  appId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tenantKey?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  registrationId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  connectionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  attemptId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  stuck?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  stuckSince?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  tries?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lastFailure?: Resolver<Maybe<ResolversTypes['Failure']>, ParentType, ContextType>;
  firstFailedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  nextTryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  givesUpAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  failure?: Resolver<Maybe<ResolversTypes['Failure']>, ParentType, ContextType>;
  creatorAction?: Resolver<Maybe<ResolversTypes['ConnectCreatorAction']>, ParentType, ContextType>;
  itemCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  incompleteReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  correlationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  workflowId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  workflowUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type StuckWorkResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['StuckWork'] = ResolversParentTypes['StuckWork']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  retryableCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  groupCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  groups?: Resolver<Array<ResolversTypes['StuckGroup']>, ParentType, ContextType>;
};

export type StuckGroupResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['StuckGroup'] = ResolversParentTypes['StuckGroup']> = {
  appId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['JobKind'], ParentType, ContextType>;
  lastFailure?: Resolver<Maybe<ResolversTypes['Failure']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failedCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type FailureResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Failure'] = ResolversParentTypes['Failure']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RetriedJobsResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['RetriedJobs'] = ResolversParentTypes['RetriedJobs']> = {
  dryRun?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failedCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  more?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type DisconnectedAllResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['DisconnectedAll'] = ResolversParentTypes['DisconnectedAll']> = {
  dryRun?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  connectionCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  run?: Resolver<Maybe<ResolversTypes['BulkDisconnect']>, ParentType, ContextType>;
};

export type BulkDisconnectResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['BulkDisconnect'] = ResolversParentTypes['BulkDisconnect']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  appName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  tenantKey?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  registrationId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  disconnected?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  unsettled?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  revokesFailed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  workflowId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  workflowUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ErasedSubjectResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['ErasedSubject'] = ResolversParentTypes['ErasedSubject']> = {
  dryRun?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  connectionCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  attemptCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  keptTokenCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  erasure?: Resolver<Maybe<ResolversTypes['Erasure']>, ParentType, ContextType>;
};

export type ErasureResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Erasure'] = ResolversParentTypes['Erasure']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  completedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  connectionIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  remaining?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  jobs?: Resolver<Array<ResolversTypes['Job']>, ParentType, ContextType>;
};

export type ProofOfDeletionResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['ProofOfDeletion'] = ResolversParentTypes['ProofOfDeletion']> = {
  connectionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  signature?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ExpiringCredentialResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['ExpiringCredential'] = ResolversParentTypes['ExpiringCredential']> = {
  kind?: Resolver<ResolversTypes['CredentialKind'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  appId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expired?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type AuditPageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['AuditPage'] = ResolversParentTypes['AuditPage']> = {
  items?: Resolver<Array<ResolversTypes['AuditEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type AuditEntryResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['AuditEntry'] = ResolversParentTypes['AuditEntry']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  happenedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  actor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  actorLabel?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  action?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  target?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  related?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  correlationId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type OverviewResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Overview'] = ResolversParentTypes['Overview']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  connections?: Resolver<Array<ResolversTypes['ConnectionCount']>, ParentType, ContextType>;
  jobs?: Resolver<Array<ResolversTypes['JobCount']>, ParentType, ContextType>;
  openAttempts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  stuckRevokes?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  oldestStuckRevokeAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  stuckJobs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  oldestStuckJobAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  outboxWaiting?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  outboxOldestAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  providers?: Resolver<Array<ResolversTypes['ProviderHealth']>, ParentType, ContextType>;
  expiringCredentialCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ConnectionCountResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['ConnectionCount'] = ResolversParentTypes['ConnectionCount']> = {
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ConnectionStatus'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type JobCountResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['JobCount'] = ResolversParentTypes['JobCount']> = {
  kind?: Resolver<ResolversTypes['JobKind'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['JobStatus'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ProviderHealthResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['ProviderHealth'] = ResolversParentTypes['ProviderHealth']> = {
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  openJobs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failing?: Resolver<Array<ResolversTypes['FailureCount']>, ParentType, ContextType>;
  succeededLastHour?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  failedLastHour?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  pausedRegistrations?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  rejectedRegistrations?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  spentRegistrations?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type FailureCountResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['FailureCount'] = ResolversParentTypes['FailureCount']> = {
  failure?: Resolver<ResolversTypes['Failure'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface DecimalCountScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DecimalCount'], any> {
  name: 'DecimalCount';
}

export type Resolvers<ContextType = AdminContext> = {
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Service?: ServiceResolvers<ContextType>;
  RedirectUri?: RedirectUriResolvers<ContextType>;
  AdminToken?: AdminTokenResolvers<ContextType>;
  AppPage?: AppPageResolvers<ContextType>;
  App?: AppResolvers<ContextType>;
  AppKey?: AppKeyResolvers<ContextType>;
  Policy?: PolicyResolvers<ContextType>;
  AppIdentity?: AppIdentityResolvers<ContextType>;
  IssuedKey?: IssuedKeyResolvers<ContextType>;
  TenantPage?: TenantPageResolvers<ContextType>;
  Tenant?: TenantResolvers<ContextType>;
  RemovedTenant?: RemovedTenantResolvers<ContextType>;
  Registration?: RegistrationResolvers<ContextType>;
  CallbackUrl?: CallbackUrlResolvers<ContextType>;
  CallbackSecret?: CallbackSecretResolvers<ContextType>;
  ServedApp?: ServedAppResolvers<ContextType>;
  RegistrationUsage?: RegistrationUsageResolvers<ContextType>;
  RegistrationChange?: RegistrationChangeResolvers<ContextType>;
  IdentityIssuer?: IdentityIssuerResolvers<ContextType>;
  ConnectionPage?: ConnectionPageResolvers<ContextType>;
  Connection?: ConnectionResolvers<ContextType>;
  CapabilityState?: CapabilityStateResolvers<ContextType>;
  ConnectionStory?: ConnectionStoryResolvers<ContextType>;
  Grant?: GrantResolvers<ContextType>;
  AttemptPage?: AttemptPageResolvers<ContextType>;
  Attempt?: AttemptResolvers<ContextType>;
  JobPage?: JobPageResolvers<ContextType>;
  Job?: JobResolvers<ContextType>;
  StuckWork?: StuckWorkResolvers<ContextType>;
  StuckGroup?: StuckGroupResolvers<ContextType>;
  Failure?: FailureResolvers<ContextType>;
  RetriedJobs?: RetriedJobsResolvers<ContextType>;
  DisconnectedAll?: DisconnectedAllResolvers<ContextType>;
  BulkDisconnect?: BulkDisconnectResolvers<ContextType>;
  ErasedSubject?: ErasedSubjectResolvers<ContextType>;
  Erasure?: ErasureResolvers<ContextType>;
  ProofOfDeletion?: ProofOfDeletionResolvers<ContextType>;
  ExpiringCredential?: ExpiringCredentialResolvers<ContextType>;
  AuditPage?: AuditPageResolvers<ContextType>;
  AuditEntry?: AuditEntryResolvers<ContextType>;
  Overview?: OverviewResolvers<ContextType>;
  ConnectionCount?: ConnectionCountResolvers<ContextType>;
  JobCount?: JobCountResolvers<ContextType>;
  ProviderHealth?: ProviderHealthResolvers<ContextType>;
  FailureCount?: FailureCountResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  DecimalCount?: GraphQLScalarType;
};
/** admin.graphql, word for word, and the scalars and enums of schema.graphql. */
export const schemaText = [
  "\"\"\"",
  "Operates the service: who may use it, what it is doing, and what is stuck.",
  "",
  "One endpoint, `POST /api/admin/graphql`, for operators and their tools. Every operation needs either",
  "`Authorization: Bearer <token-id>.<secret>` with an admin token, which `admin token create` issues at the command line",
  "and shows once, or the cookie of a session. A session begins with `POST /api/admin/session` and the JSON body",
  "`{\"token\": \"<token-id>.<secret>\"}`, from a page of this origin; it answers 204 and the cookie, and ends with",
  "`DELETE /api/admin/session`, after 30 minutes of rest, after 8 hours, or with its token. With a cookie the request's",
  "`Origin` must be this origin.",
  "",
  "A token has one of three roles: a VIEWER reads, an OPERATOR also mends, an ADMIN also sets up. Each operation's",
  "description begins with the least role it takes. Every mutation, and every refusal, is written to the audit log; the",
  "refusals of those who have not proven who they are only as far as a burst from one address, then one a minute, and none",
  "where neither token nor session was sent.",
  "",
  "Errors look like those of the callers' schema, and use its codes: `UNAUTHENTICATED` (no token, or one that is malformed,",
  "unknown, revoked or expired; no session, or one that has ended; an address that keeps failing is answered after a while),",
  "`FORBIDDEN` (the role does not suffice), `NOT_FOUND`, `BAD_USER_INPUT` (HTTP 400) and `UPSTREAM_UNAVAILABLE` (we failed).",
  "One code is of this schema only: `FRESH_SIGN_IN_REQUIRED` answers `issueKey`, `disconnectAll`, `eraseSubject`, and",
  "`removeTenant` with its connections, in a session that has not begun, or been begun anew, within the last five minutes. Send",
  "the token to `POST /api/admin/session` again, or open `GET /api/admin/sign-in?again=1&from=/admin/...`, and repeat the",
  "request. A token in the request's own header is fresh.",
  "",
  "Limits of a request: one operation, 40 aliases, fields nested 16 deep, a cost of 500 (each root field costs 10, each",
  "field below it 1), 2,000 tokens, 1,000 lines, a JSON body of 64 KiB, no batching. Page sizes are 1 to 100.",
  "",
  "Mutations that create something take an `idempotencyKey`: the same key with the same input within 24 hours answers with",
  "what the first request made, and with another input is refused as `BAD_USER_INPUT`.",
  "",
  "Scalars and the enums of accounts, attempts and jobs are those of the callers' schema.",
  "\"\"\"",
  "schema {",
  "  query: Query",
  "  mutation: Mutation",
  "}",
  "",
  "\"What a token may do; each role may do what the ones before it may.\"",
  "enum AdminRole {",
  "  \"Reads everything but secrets.\"",
  "  VIEWER",
  "  \"Also mends: pushes jobs, calls attempts off, pauses registrations, revokes keys, erases a person.\"",
  "  OPERATOR",
  "  \"Also sets up: apps, keys, registrations, policies, and disconnects many at once.\"",
  "  ADMIN",
  "}",
  "",
  "\"What a job does. The first three read; the others let go.\"",
  "enum JobKind {",
  "  \"Reads a window of posts.\"",
  "  SCAN",
  "  \"Reads one post's metrics again.\"",
  "  METRICS",
  "  \"Looks one post up by its URL.\"",
  "  LOOKUP",
  "  \"Ends the grant of a disconnected connection at the provider.\"",
  "  REVOKE",
  "  \"Deletes what is held of a disconnected connection.\"",
  "  ERASE",
  "  \"Gives back a grant that came to nothing.\"",
  "  COMPENSATION",
  "}",
  "",
  "\"How far a grant has come.\"",
  "enum GrantStatus {",
  "  \"Exchanged, not yet a connection's.\"",
  "  PENDING",
  "  \"What its connection is read with.\"",
  "  LIVE",
  "  \"Waits to be revoked.\"",
  "  REVOKING",
  "  \"Ended; its tokens are destroyed.\"",
  "  DEAD",
  "}",
  "",
  "\"How our client authenticates at an OpenID issuer's token endpoint.\"",
  "enum TokenAuthMethod {",
  "  \"In the body.\"",
  "  CLIENT_SECRET_POST",
  "  \"In the Authorization header.\"",
  "  CLIENT_SECRET_BASIC",
  "}",
  "",
  "\"What becomes of a removed tenant's connections.\"",
  "enum TenantConnections {",
  "  \"They stay stored and unreadable (`FORBIDDEN`), until the tenant is added again.\"",
  "  KEEP",
  "  \"They are disconnected: revoked and erased.\"",
  "  DISCONNECT_ALL",
  "}",
  "",
  "\"What a credential about to expire is.\"",
  "enum CredentialKind {",
  "  \"An app's key.\"",
  "  APP_KEY",
  "  \"The client secret of a provider registration.\"",
  "  REGISTRATION_SECRET",
  "  \"The client secret at an OpenID issuer.\"",
  "  ISSUER_SECRET",
  "  \"An admin token.\"",
  "  ADMIN_TOKEN",
  "}",
  "",
  "\"What can be read.\"",
  "type Query {",
  "  \"VIEWER. Who is asking.\"",
  "  me: AdminToken!",
  "",
  "  \"VIEWER. Where callers and browsers reach this service, and what providers have to know of it.\"",
  "  service: Service!",
  "",
  "  \"VIEWER. What there is, what is stuck, and how the providers do.\"",
  "  overview: Overview!",
  "",
  "  \"VIEWER. Apps, newest first.\"",
  "  apps(",
  "    \"Narrows the list; everything when left out.\"",
  "    filter: AppFilter",
  "    \"At most so many. 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the page before, with the same filter.\"",
  "    after: String",
  "  ): AppPage!",
  "",
  "  \"VIEWER. One app. `NOT_FOUND`.\"",
  "  app(\"Its id.\" id: ID!): App!",
  "",
  "  \"VIEWER. An app's tenants, by key. `NOT_FOUND` for an unknown app.\"",
  "  tenants(",
  "    \"Of the app.\"",
  "    appId: ID!",
  "    \"At most so many. 1 to 100.\"",
  "    first: Int = 50",
  "    \"`pageInfo.endCursor` of the page before.\"",
  "    after: String",
  "  ): TenantPage!",
  "",
  "  \"VIEWER. All our clients at providers, oldest first.\"",
  "  registrations: [Registration!]!",
  "",
  "  \"VIEWER. One of our clients at a provider. `NOT_FOUND`.\"",
  "  registration(\"Its id.\" id: ID!): Registration!",
  "",
  "  \"VIEWER. All OpenID issuers that apps may sign people in with, oldest first.\"",
  "  identityIssuers: [IdentityIssuer!]!",
  "",
  "  \"VIEWER. Connections, newest first.\"",
  "  connections(",
  "    \"Narrows the list; everything when left out.\"",
  "    filter: ConnectionFilter",
  "    \"At most so many. 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the page before, with the same filter.\"",
  "    after: String",
  "  ): ConnectionPage!",
  "",
  "  \"\"\"",
  "  VIEWER. All there is to tell of one connection, also for 7 days after it is gone: then by its receipts. `NOT_FOUND` when",
  "  nothing is left of it.",
  "  \"\"\"",
  "  connection(\"Its id.\" id: ID!): ConnectionStory!",
  "",
  "  \"VIEWER. Connect attempts, newest first.\"",
  "  attempts(",
  "    \"Narrows the list; everything when left out.\"",
  "    filter: AttemptFilter",
  "    \"At most so many. 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the page before, with the same filter.\"",
  "    after: String",
  "  ): AttemptPage!",
  "",
  "  \"VIEWER. One Connect attempt. `NOT_FOUND`.\"",
  "  attempt(\"Its id.\" id: ID!): Attempt!",
  "",
  "  \"VIEWER. Jobs, newest first; with `stuck`, those that have been so longest come first.\"",
  "  jobs(",
  "    \"Narrows the list; everything when left out.\"",
  "    filter: JobFilter",
  "    \"At most so many. 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the page before, with the same filter.\"",
  "    after: String",
  "  ): JobPage!",
  "",
  "  \"VIEWER. What is stuck, counted by app, provider, kind and reason.\"",
  "  stuckWork(",
  "    \"Narrows what is counted; everything that is stuck when left out.\"",
  "    filter: JobFilter",
  "    \"At most so many groups. 1 to 100.\"",
  "    first: Int = 20",
  "  ): StuckWork!",
  "",
  "  \"VIEWER. One job. `NOT_FOUND`.\"",
  "  job(\"Its id.\" id: ID!): Job!",
  "",
  "  \"VIEWER. How far a disconnect of many has come. `NOT_FOUND`.\"",
  "  bulkDisconnect(\"Its id.\" id: ID!): BulkDisconnect!",
  "",
  "  \"VIEWER. Disconnects of many, newest first, the last 50.\"",
  "  bulkDisconnects: [BulkDisconnect!]!",
  "",
  "  \"VIEWER. The receipt of an erasure. `NOT_FOUND`.\"",
  "  erasure(\"Its id.\" id: ID!): Erasure!",
  "",
  "  \"\"\"",
  "  VIEWER. States, over our keyed hash, what was deleted of a connection and when, and under `kept` what was not, and until",
  "  when: the receipts (7 days); results of attempts to connect, with the ids your app gave (24 hours at most); the tokens of",
  "  a revoke that has failed; grants of earlier attempts that are still to be revoked. A later proof names less. To be",
  "  exported within 7 days of the disconnect. Holds random ids and instants only. `NOT_FOUND` when its receipts are gone, `BAD_USER_INPUT` while the",
  "  erase has not ended.",
  "  \"\"\"",
  "  proofOfDeletion(\"Of the connection.\" connectionId: ID!): ProofOfDeletion!",
  "",
  "  \"VIEWER. Whether a proof of deletion was made by this service and not altered since.\"",
  "  verifyProofOfDeletion(",
  "    \"`ProofOfDeletion.document`, to the letter.\"",
  "    document: String!",
  "    \"`ProofOfDeletion.signature`.\"",
  "    signature: String!",
  "  ): Boolean!",
  "",
  "  \"VIEWER. Keys, secrets and tokens that expire soon or have expired and are still in use, soonest first.\"",
  "  expiringCredentials(\"From now on. 1 to 365.\" withinDays: Int = 30): [ExpiringCredential!]!",
  "",
  "  \"VIEWER. The audit log, newest first.\"",
  "  auditLog(",
  "    \"Narrows the list; everything when left out.\"",
  "    filter: AuditFilter",
  "    \"At most so many. 1 to 100.\"",
  "    first: Int = 50",
  "    \"`pageInfo.endCursor` of the page before, with the same filter.\"",
  "    after: String",
  "  ): AuditPage!",
  "",
  "  \"ADMIN. All admin tokens that have not expired, newest first; those of one session while it lives.\"",
  "  adminTokens: [AdminToken!]!",
  "}",
  "",
  "\"What can be done.\"",
  "type Mutation {",
  "  \"ADMIN. Registers a customer application. It can do nothing until it has a key, a tenant, a return URL and a policy.\"",
  "  createApp(\"What is asked for.\" input: CreateAppInput!): App!",
  "",
  "  \"ADMIN. Changes an app's name or rate; what is left out stays. `NOT_FOUND`.\"",
  "  changeApp(",
  "    \"Its id.\"",
  "    id: ID!",
  "    \"As of a new app.\"",
  "    name: String",
  "    \"Requests a second that it may send. 1 to 100,000.\"",
  "    requestsPerSecond: Int",
  "  ): App!",
  "",
  "  \"OPERATOR. Refuses an app's requests from now on. Its connections stay. `NOT_FOUND`.\"",
  "  disableApp(\"Its id.\" id: ID!): App!",
  "",
  "  \"OPERATOR. Lets a disabled app go on. `NOT_FOUND`.\"",
  "  enableApp(\"Its id.\" id: ID!): App!",
  "",
  "  \"ADMIN. Issues a key. `NOT_FOUND`; `BAD_USER_INPUT` while the app has two active keys.\"",
  "  issueKey(\"What is asked for.\" input: IssueKeyInput!): IssuedKey!",
  "",
  "  \"OPERATOR. Ends a key at once. `NOT_FOUND` for one unknown or revoked before.\"",
  "  revokeKey(\"Its id.\" id: ID!): AppKey!",
  "",
  "  \"ADMIN. Registers a tenant of an app; one registered before stays as it is. `NOT_FOUND`.\"",
  "  addTenant(\"Of the app.\" appId: ID!, \"1 to 128 characters.\" tenantKey: String!): Tenant!",
  "",
  "  \"ADMIN. Removes a tenant. `NOT_FOUND`.\"",
  "  removeTenant(",
  "    \"Of the app.\"",
  "    appId: ID!",
  "    \"1 to 128 characters.\"",
  "    tenantKey: String!",
  "    \"What becomes of its connections.\"",
  "    connections: TenantConnections!",
  "    \"Only says what would happen.\"",
  "    dryRun: Boolean = false",
  "  ): RemovedTenant!",
  "",
  "  \"\"\"",
  "  ADMIN. Registers where browsers go back to, compared to the letter: HTTPS (in development also HTTP on loopback), without fragment,",
  "  credentials and query parameters beginning with `ss_`. `NOT_FOUND`.",
  "  \"\"\"",
  "  addReturnUrl(\"Of the app.\" appId: ID!, \"Compared to the letter.\" url: String!): App!",
  "",
  "  \"ADMIN. Removes a return URL; attempts under way are still sent there. `NOT_FOUND`.\"",
  "  removeReturnUrl(\"Of the app.\" appId: ID!, \"Compared to the letter.\" url: String!): App!",
  "",
  "  \"ADMIN. Registers an origin, besides those of the return URLs, whose pages may post a launch token. `NOT_FOUND`.\"",
  "  addLaunchOrigin(",
  "    \"Of the app.\"",
  "    appId: ID!",
  "    \"Scheme, host and port only, such as `https://app.example`.\"",
  "    origin: String!",
  "  ): App!",
  "",
  "  \"ADMIN. Removes a launch origin. `NOT_FOUND`.\"",
  "  removeLaunchOrigin(\"Of the app.\" appId: ID!, \"Compared to the letter.\" origin: String!): App!",
  "",
  "  \"ADMIN. Says what an app may ask for at a provider; no capability forbids the provider. `NOT_FOUND`.\"",
  "  setPolicy(",
  "    \"Of the app.\"",
  "    appId: ID!",
  "    \"At which provider.\"",
  "    provider: SocialProvider!",
  "    \"None twice.\"",
  "    capabilities: [Capability!]!",
  "    \"1 to 100, or null for the default. Left out, it stays as it is.\"",
  "    quotaPercent: Int",
  "  ): App!",
  "",
  "  \"ADMIN. Lets an app sign people in with an issuer, or with `enabled: false` no longer. `NOT_FOUND`.\"",
  "  setIdentity(",
  "    \"Of the app.\"",
  "    appId: ID!",
  "    \"Of the issuer.\"",
  "    issuerId: ID!",
  "    \"As a return URL: compared to the letter.\"",
  "    returnUrl: String!",
  "    \"Whether it may.\"",
  "    enabled: Boolean = true",
  "  ): App!",
  "",
  "  \"ADMIN. Stores our client at a provider. The secret is sealed at once: no operation shows it again.\"",
  "  createRegistration(\"What is asked for.\" input: CreateRegistrationInput!): Registration!",
  "",
  "  \"ADMIN. Replaces a registration's client secret; calls from now on use the new one. `NOT_FOUND`.\"",
  "  rotateRegistrationSecret(",
  "    \"Its id.\"",
  "    id: ID!",
  "    \"1 to 4,000 characters. Sealed at once.\"",
  "    clientSecret: String!",
  "    \"When the provider will stop taking it, where it said so. In the future.\"",
  "    secretExpiresAt: DateTime",
  "  ): Registration!",
  "",
  "  \"\"\"",
  "  OPERATOR. Stops reads and new attempts through a registration. Its connections stay CONNECTED, answering",
  "  `AUTHORIZATION_SUSPENDED`; revokes go on. `NOT_FOUND`.",
  "  \"\"\"",
  "  pauseRegistration(\"Its id.\" id: ID!, \"Only says what would happen.\" dryRun: Boolean = false): RegistrationChange!",
  "",
  "  \"OPERATOR. Lets a paused registration go on. `NOT_FOUND`.\"",
  "  resumeRegistration(\"Its id.\" id: ID!): Registration!",
  "",
  "  \"\"\"",
  "  OPERATOR. Uses a registration again at once whose client the provider has refused, once that has been mended. One",
  "  that was not refused stays as it is. `NOT_FOUND`.",
  "  \"\"\"",
  "  retryRegistration(\"Its id.\" id: ID!): Registration!",
  "",
  "  \"\"\"",
  "  OPERATOR. Reads with a registration again before its quota resets, such as when the provider has raised it. Jobs that",
  "  wait are not woken by it: push them. `NOT_FOUND`.",
  "  \"\"\"",
  "  clearSpentQuota(\"Its id.\" id: ID!): Registration!",
  "",
  "  \"\"\"",
  "  ADMIN. Says how many units a day the provider has granted this client, which apps' shares are counted from.",
  "  `NOT_FOUND`; `BAD_USER_INPUT` for a provider without a daily quota.",
  "  \"\"\"",
  "  setDailyQuota(\"Its id.\" id: ID!, \"At least 1; null for what the provider documents.\" calls: Int): Registration!",
  "",
  "  \"\"\"",
  "  ADMIN. Stores a secret with which the platform signs what it tells us of its own accord; all of a registration's are",
  "  tried. Sealed at once: no operation shows it again. `NOT_FOUND`; `BAD_USER_INPUT` where the provider sends nothing.",
  "  \"\"\"",
  "  addCallbackSecret(",
  "    \"Of the registration.\"",
  "    registrationId: ID!",
  "    \"1 to 4,000 characters.\"",
  "    secret: String!",
  "    \"1 to 100 characters.\"",
  "    idempotencyKey: String",
  "  ): Registration!",
  "",
  "  \"ADMIN. Takes a callback secret back, at once: what is signed with it is refused. `NOT_FOUND`.\"",
  "  removeCallbackSecret(\"Its id.\" id: ID!): Registration!",
  "",
  "  \"ADMIN. Lets a registration serve an app. `NOT_FOUND`.\"",
  "  serveApp(\"Of the registration.\" registrationId: ID!, \"Of the app.\" appId: ID!): Registration!",
  "",
  "  \"ADMIN. Has a registration serve an app no longer: its connections answer `CAPABILITY_UNAVAILABLE`. `NOT_FOUND`.\"",
  "  stopServingApp(",
  "    \"Of the registration.\"",
  "    registrationId: ID!",
  "    \"Of the app.\"",
  "    appId: ID!",
  "    \"Only says what would happen.\"",
  "    dryRun: Boolean = false",
  "  ): RegistrationChange!",
  "",
  "  \"ADMIN. Stores our client at an OpenID issuer. The secret is sealed at once.\"",
  "  createIdentityIssuer(\"What is asked for.\" input: CreateIdentityIssuerInput!): IdentityIssuer!",
  "",
  "  \"ADMIN. Replaces our client secret at an issuer. `NOT_FOUND`.\"",
  "  rotateIdentityIssuerSecret(",
  "    \"Its id.\"",
  "    id: ID!",
  "    \"1 to 4,000 characters. Sealed at once.\"",
  "    clientSecret: String!",
  "    \"When the issuer will stop taking it, where it said so. In the future.\"",
  "    secretExpiresAt: DateTime",
  "  ): IdentityIssuer!",
  "",
  "  \"\"\"",
  "  OPERATOR. Has a waiting job try now, whatever its back-off, or a FAILED revoke try again for up to 72 hours. One that",
  "  is trying already is left alone. `NOT_FOUND`; `BAD_USER_INPUT` for a job that has ended, and for a revoke with nothing",
  "  left to revoke with.",
  "  \"\"\"",
  "  retryJob(\"Its id.\" id: ID!): Job!",
  "",
  "  \"OPERATOR. The same for all jobs of a filter that wait or are revokes that FAILED, at most 1,000 at a time.\"",
  "  retryJobs(",
  "    \"Narrows the list; everything when left out.\"",
  "    filter: JobFilter!",
  "    \"Only says how many.\"",
  "    dryRun: Boolean = false",
  "  ): RetriedJobs!",
  "",
  "  \"OPERATOR. Calls an unfinished attempt off; a grant that comes of it is given back. `NOT_FOUND`; `BAD_USER_INPUT` for one that has ended.\"",
  "  cancelAttempt(\"Its id.\" id: ID!): Attempt!",
  "",
  "  \"OPERATOR. Disconnects one connection as its app would: access stops, grant revoked, data erased. `NOT_FOUND`.\"",
  "  disconnectConnection(\"Its id.\" id: ID!): ConnectionStory!",
  "",
  "  \"\"\"",
  "  ADMIN. Disconnects all connections of a tenant, or of a registration, in the background. A run in progress over the",
  "  same is not begun twice. `NOT_FOUND`.",
  "  \"\"\"",
  "  disconnectAll(",
  "    \"What is asked for.\"",
  "    input: DisconnectAllInput!",
  "    \"Only says how many.\"",
  "    dryRun: Boolean = false",
  "  ): DisconnectedAll!",
  "",
  "  \"\"\"",
  "  OPERATOR. Erases a person: the subject's id is forgotten at once, all connections are disconnected, unfinished attempts",
  "  called off, and tokens kept of revokes that FAILED destroyed, so that only the person can end those grants. Revokes still",
  "  being tried go on, and keep no tokens should they fail. Asking again answers with the same receipt. `NOT_FOUND` for an",
  "  unknown app, and for a subject of whom nothing is held.",
  "  \"\"\"",
  "  eraseSubject(",
  "    \"What is asked for.\"",
  "    input: EraseSubjectInput!",
  "    \"Only says what would happen.\"",
  "    dryRun: Boolean = false",
  "  ): ErasedSubject!",
  "",
  "  \"ADMIN. Ends an admin token, and the sessions begun with it, at once. `NOT_FOUND`.\"",
  "  revokeAdminToken(\"Its id.\" id: ID!): AdminToken!",
  "}",
  "",
  "\"Where a page ends.\"",
  "type PageInfo {",
  "  \"To be passed as `after`; null on an empty page.\"",
  "  endCursor: String",
  "  \"Whether there is more.\"",
  "  hasNextPage: Boolean!",
  "}",
  "",
  "\"How this service is reached from outside.\"",
  "type Service {",
  "  \"Where apps send their requests: on the host that browsers come to for Connect, unless a proxy puts it elsewhere.\"",
  "  graphqlUrl: String!",
  "  \"One for each provider.\"",
  "  redirectUris: [RedirectUri!]!",
  "}",
  "",
  "\"Where a provider sends browsers back to; to be registered there to the letter.\"",
  "type RedirectUri {",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider!",
  "  \"Compared to the letter.\"",
  "  url: String!",
  "}",
  "",
  "\"An admin token, without its secret.\"",
  "type AdminToken {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"Whose it is, or what for.\"",
  "  label: String!",
  "  \"What it may do.\"",
  "  role: AdminRole!",
  "  \"When it was made.\"",
  "  createdAt: DateTime!",
  "  \"When it stops working.\"",
  "  expiresAt: DateTime!",
  "  \"Set once it is revoked.\"",
  "  revokedAt: DateTime",
  "  \"The last time it was used, to within a minute.\"",
  "  lastUsedAt: DateTime",
  "  \"Whether it is that of one session, begun through OpenID Connect: nobody holds it, and it ends with the session.\"",
  "  sessionOnly: Boolean!",
  "}",
  "",
  "\"A page of apps.\"",
  "type AppPage {",
  "  \"In the order that the list promises.\"",
  "  items: [App!]!",
  "  \"Where the page ends.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"A customer application and what it may do.\"",
  "type App {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"What people read on our pages.\"",
  "  name: String!",
  "  \"A disabled app's requests are refused.\"",
  "  enabled: Boolean!",
  "  \"Requests a second that it may send.\"",
  "  requestsPerSecond: Int!",
  "  \"When it was made.\"",
  "  createdAt: DateTime!",
  "  \"Newest first; revoked and expired ones too.\"",
  "  keys: [AppKey!]!",
  "  \"How many there are; `tenants` lists them.\"",
  "  tenantCount: Int!",
  "  \"Where browsers may go back to.\"",
  "  returnUrls: [String!]!",
  "  \"Besides the origins of the return URLs.\"",
  "  launchOrigins: [String!]!",
  "  \"One for each provider that it may use.\"",
  "  policies: [Policy!]!",
  "  \"The registrations that serve it. A new attempt takes the one that has served longest of those not paused.\"",
  "  registrations: [Registration!]!",
  "  \"How it signs people in, where it may.\"",
  "  identity: AppIdentity",
  "  \"Whether it could connect an account now, and if not, what is missing; in words.\"",
  "  missing: [String!]!",
  "}",
  "",
  "\"An app's key, without its secret.\"",
  "type AppKey {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"When it was made.\"",
  "  createdAt: DateTime!",
  "  \"Null for one without end.\"",
  "  expiresAt: DateTime",
  "  \"Set once it is revoked.\"",
  "  revokedAt: DateTime",
  "  \"Neither revoked nor expired. An app has at most two active keys.\"",
  "  active: Boolean!",
  "}",
  "",
  "\"What an app may ask for at a provider.\"",
  "type Policy {",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider!",
  "  \"What may be read.\"",
  "  capabilities: [Capability!]!",
  "  \"\"\"",
  "  The most of a registration's daily quota that the app may use, in percent. Null is the default: all of it while the",
  "  registration serves no other app, otherwise half.",
  "  \"\"\"",
  "  quotaPercent: Int",
  "}",
  "",
  "\"How an app signs people in.\"",
  "type AppIdentity {",
  "  \"Exactly as the issuer writes itself.\"",
  "  issuer: IdentityIssuer!",
  "  \"Where browsers go back to.\"",
  "  returnUrl: String!",
  "  \"Whether it is in use.\"",
  "  enabled: Boolean!",
  "}",
  "",
  "\"A new key.\"",
  "type IssuedKey {",
  "  \"The key without its secret.\"",
  "  key: AppKey!",
  "  \"\"\"",
  "  `<key-id>.<secret>`, shown this once and stored nowhere. Null when a repeated request is answered: if the first answer",
  "  was lost, revoke the key and issue another.",
  "  \"\"\"",
  "  secret: String",
  "}",
  "",
  "\"A page of tenants.\"",
  "type TenantPage {",
  "  \"In the order that the list promises.\"",
  "  items: [Tenant!]!",
  "  \"Where the page ends.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"A tenant of an app, in the app's own words.\"",
  "type Tenant {",
  "  \"The tenant's key, in the app's own words.\"",
  "  tenantKey: String!",
  "  \"When it was made.\"",
  "  createdAt: DateTime!",
  "  \"Connections in it, in any status.\"",
  "  connectionCount: Int!",
  "}",
  "",
  "\"What removing a tenant did, or would do.\"",
  "type RemovedTenant {",
  "  \"Whether nothing was changed.\"",
  "  dryRun: Boolean!",
  "  \"Its connections that could still be disconnected.\"",
  "  connectionCount: Int!",
  "  \"The disconnect that was begun; null with KEEP, on a dry run, and where there was nothing to disconnect.\"",
  "  bulkDisconnect: BulkDisconnect",
  "}",
  "",
  "\"Our OAuth client at one provider, without its secret.\"",
  "type Registration {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider!",
  "  \"What we call it.\"",
  "  label: String!",
  "  \"As the provider knows it.\"",
  "  clientId: String!",
  "  \"When it was made.\"",
  "  createdAt: DateTime!",
  "  \"When the secret in use was stored.\"",
  "  secretSetAt: DateTime!",
  "  \"When the provider will stop taking the secret, where known.\"",
  "  secretExpiresAt: DateTime",
  "  \"Set while it is paused.\"",
  "  pausedAt: DateTime",
  "  \"Set while it is proven that the provider refuses our client itself: its id, secret or set-up is wrong.\"",
  "  rejectedAt: DateTime",
  "  \"How much of its quota is used.\"",
  "  usage: RegistrationUsage!",
  "  \"Connections made with it that are CONNECTED, SUSPENDED or RECONNECT_REQUIRED.\"",
  "  connectionCount: Int!",
  "  \"Where the provider sends browsers back to; to be registered there to the letter.\"",
  "  redirectUri: String!",
  "  \"Where the platform itself calls us, to be entered there to the letter; none where it never does.\"",
  "  callbackUrls: [CallbackUrl!]!",
  "  \"Secrets with which the platform may sign what it tells us, without their values; the oldest first.\"",
  "  callbackSecrets: [CallbackSecret!]!",
  "  \"The apps it serves, by the time they were added.\"",
  "  apps: [ServedApp!]!",
  "}",
  "",
  "\"Where a platform tells us of its own accord that a person has removed our app there, or wants their data deleted.\"",
  "type CallbackUrl {",
  "  \"What the platform calls the field of its own set-up page that the URL is entered in.\"",
  "  enteredAs: String!",
  "  \"Of this registration only.\"",
  "  url: String!",
  "}",
  "",
  "\"A secret of a platform's callbacks, without its value.\"",
  "type CallbackSecret {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"When it was stored.\"",
  "  createdAt: DateTime!",
  "}",
  "",
  "\"An app that a registration serves.\"",
  "type ServedApp {",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"What people read on our pages.\"",
  "  name: String!",
  "  \"Since when.\"",
  "  since: DateTime!",
  "  \"Units of the daily quota that it has used on the day of `usage`.\"",
  "  callsUsed: Int!",
  "  \"The most that it may use of the daily quota, in percent: as its policy says, or the default.\"",
  "  quotaPercent: Int!",
  "  \"The same in units; null where nothing is held back from it.\"",
  "  callsAllowed: Int",
  "}",
  "",
  "\"How much of a registration's daily quota is used, as far as we can tell.\"",
  "type RegistrationUsage {",
  "  \"The provider's quota day, such as `2026-01-31`, in the zone in which its quota is reset.\"",
  "  day: String!",
  "  \"Units used on that day. Each HTTP call to the provider's API is one unit.\"",
  "  callsUsed: Int!",
  "  \"Units a day: as set with `setDailyQuota`, or as the provider documents; null where it has no daily quota.\"",
  "  callsAllowed: Int",
  "  \"What is left of them, at least 0.\"",
  "  callsLeft: Int",
  "  \"Set once the provider has said that the quota is used up: until then nothing is asked of it.\"",
  "  spentUntil: DateTime",
  "}",
  "",
  "\"What pausing a registration, or its no longer serving an app, did or would do.\"",
  "type RegistrationChange {",
  "  \"Whether nothing was changed.\"",
  "  dryRun: Boolean!",
  "  \"The registration as it is now.\"",
  "  registration: Registration!",
  "  \"Live connections that cannot be read after it.\"",
  "  connectionCount: Int!",
  "  \"Jobs that will wait, or fail, because of it.\"",
  "  openJobCount: Int!",
  "}",
  "",
  "\"An OpenID provider that apps may sign people in with, without our secret there.\"",
  "type IdentityIssuer {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"Exactly as the issuer writes itself.\"",
  "  issuer: String!",
  "  \"As the provider knows it.\"",
  "  clientId: String!",
  "  \"How our client authenticates there.\"",
  "  tokenAuthMethod: TokenAuthMethod!",
  "  \"When it was made.\"",
  "  createdAt: DateTime!",
  "  \"When the secret in use was stored.\"",
  "  secretSetAt: DateTime!",
  "  \"When the issuer will stop taking the secret, where known.\"",
  "  secretExpiresAt: DateTime",
  "  \"Where it sends browsers back to; to be registered there to the letter.\"",
  "  redirectUri: String!",
  "}",
  "",
  "\"A page of connections.\"",
  "type ConnectionPage {",
  "  \"In the order that the list promises.\"",
  "  items: [Connection!]!",
  "  \"Where the page ends.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"The standing link of a subject to an account.\"",
  "type Connection {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"The name of the app.\"",
  "  appName: String!",
  "  \"In the app's own words.\"",
  "  tenantKey: String!",
  "  \"In the app's own words.\"",
  "  externalSubjectId: String!",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider!",
  "  \"Our client that it was made with.\"",
  "  registrationId: ID!",
  "  \"How far it has come.\"",
  "  status: ConnectionStatus!",
  "  \"What its app is answered on a read: null where it may be read, else the code.\"",
  "  readFault: String",
  "  \"How fresh its posts are.\"",
  "  syncStatus: SyncStatus!",
  "  \"What may be read.\"",
  "  capabilities: [CapabilityState!]!",
  "  \"When the last successful scan asked for its first page.\"",
  "  lastSuccessfulSyncAt: DateTime",
  "  \"Set while a failed scan waits for its next try.\"",
  "  nextRetryAt: DateTime",
  "  \"When it was made.\"",
  "  createdAt: DateTime!",
  "  \"When its status last changed.\"",
  "  changedAt: DateTime!",
  "  \"Its workflows in the Temporal UI, where that is configured.\"",
  "  workflowsUrl: String",
  "}",
  "",
  "\"One capability granted when last connected, as it stands today.\"",
  "type CapabilityState {",
  "  \"Which.\"",
  "  capability: Capability!",
  "  \"Whether it can be had.\"",
  "  availability: Availability!",
  "  \"Why it is not AVAILABLE.\"",
  "  reason: String",
  "}",
  "",
  "\"All there is to tell of one connection.\"",
  "type ConnectionStory {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"Null once it is erased.\"",
  "  connection: Connection",
  "  \"Those that made or renewed it, or were to, newest first; the last 50.\"",
  "  attempts: [Attempt!]!",
  "  \"Newest first; the last 50.\"",
  "  grants: [Grant!]!",
  "  \"The two receipts of its disconnect: the revoke and the erase; none before.\"",
  "  receipts: [Job!]!",
  "  \"Its reads, newest first; the last 50.\"",
  "  jobs: [Job!]!",
  "  \"What operators did to it, alone or with many, and to its jobs and attempts, newest first; the last 50.\"",
  "  audit: [AuditEntry!]!",
  "}",
  "",
  "\"One consent, without its tokens.\"",
  "type Grant {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"The attempt it came of.\"",
  "  attemptId: ID!",
  "  \"How far it has come.\"",
  "  status: GrantStatus!",
  "  \"The provider's own permission strings, as granted.\"",
  "  permissions: [String!]!",
  "  \"When the code was exchanged.\"",
  "  obtainedAt: DateTime!",
  "  \"When its access token lapses.\"",
  "  accessExpiresAt: DateTime",
  "  \"When it lapses unless refreshed; null where it has no fixed end.\"",
  "  refreshExpiresAt: DateTime",
  "  \"How many times its tokens have been refreshed.\"",
  "  refreshCount: Int!",
  "  \"Set while a refresh is under way, or its answer is lost.\"",
  "  refreshClaimedAt: DateTime",
  "}",
  "",
  "\"A page of attempts.\"",
  "type AttemptPage {",
  "  \"In the order that the list promises.\"",
  "  items: [Attempt!]!",
  "  \"Where the page ends.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"One try to connect.\"",
  "type Attempt {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"The name of the app.\"",
  "  appName: String!",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider!",
  "  \"Our client that it was made with.\"",
  "  registrationId: ID!",
  "  \"What may be read.\"",
  "  capabilities: [Capability!]!",
  "  \"EXPIRED also for one that its deadline has overtaken and nobody has read since.\"",
  "  status: ConnectSessionStatus!",
  "  \"Why it ended so, as its app reads it.\"",
  "  resultCode: String",
  "  \"`resultCode` in words.\"",
  "  resultMessage: String",
  "  \"The connection it made or renewed.\"",
  "  connectionId: ID",
  "  \"The connection it was to renew.\"",
  "  reconnectConnectionId: ID",
  "  \"What the owner of the account has to do by hand.\"",
  "  creatorAction: ConnectCreatorAction",
  "  \"When it was made.\"",
  "  createdAt: DateTime!",
  "  \"When it stops working.\"",
  "  expiresAt: DateTime!",
  "  \"Set once it has ended.\"",
  "  finishedAt: DateTime",
  "  \"Of the request that created it; also in the log and in the workflow's memo.\"",
  "  correlationId: ID!",
  "  \"Of the workflow that does it.\"",
  "  workflowId: ID!",
  "  \"In the Temporal UI, where that is configured.\"",
  "  workflowUrl: String",
  "}",
  "",
  "\"A page of jobs.\"",
  "type JobPage {",
  "  \"In the order that the list promises.\"",
  "  items: [Job!]!",
  "  \"Where the page ends.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"Work under way, or done.\"",
  "type Job {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"What it is.\"",
  "  kind: JobKind!",
  "  \"How far it has come.\"",
  "  status: JobStatus!",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"The name of the app.\"",
  "  appName: String!",
  "  \"In the app's own words. Null once its connection or attempt is gone.\"",
  "  tenantKey: String",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider!",
  "  \"Our client that it was made with.\"",
  "  registrationId: ID",
  "  \"The connection it is about.\"",
  "  connectionId: ID",
  "  \"The attempt it came of.\"",
  "  attemptId: ID",
  "  \"\"\"",
  "  Open and not getting on: at least one try has failed, or its own time is well past; or a revoke that FAILED and could be",
  "  tried again.",
  "  \"\"\"",
  "  stuck: Boolean!",
  "  \"Since when it is stuck: its first failed try, or the last sign of life. Null while it is not.\"",
  "  stuckSince: DateTime",
  "  \"Whether `retryJob` would do something.\"",
  "  retryable: Boolean!",
  "  \"Failed tries so far.\"",
  "  tries: Int!",
  "  \"Why the last try failed.\"",
  "  lastFailure: Failure",
  "  \"When a try first failed.\"",
  "  firstFailedAt: DateTime",
  "  \"Null unless it waits for one.\"",
  "  nextTryAt: DateTime",
  "  \"When a revoke gives up.\"",
  "  givesUpAt: DateTime",
  "  \"Why it FAILED.\"",
  "  failure: Failure",
  "  \"What the owner of the account has to do by hand.\"",
  "  creatorAction: ConnectCreatorAction",
  "  \"Posts read so far by a scan.\"",
  "  itemCount: Int",
  "  \"Why a scan ended before its window did.\"",
  "  incompleteReason: String",
  "  \"When it was made.\"",
  "  createdAt: DateTime!",
  "  \"When it began.\"",
  "  startedAt: DateTime",
  "  \"Set once it has ended.\"",
  "  finishedAt: DateTime",
  "  \"Of the request that asked for it; also in the log and in the workflow's memo.\"",
  "  correlationId: ID!",
  "  \"Of the workflow that does it.\"",
  "  workflowId: ID!",
  "  \"In the Temporal UI, where that is configured.\"",
  "  workflowUrl: String",
  "}",
  "",
  "\"Stuck jobs, counted.\"",
  "type StuckWork {",
  "  \"Jobs that are stuck.\"",
  "  count: Int!",
  "  \"Of these, those that `retryJobs` would push: the others are being tried, or cannot be helped by a push.\"",
  "  retryableCount: Int!",
  "  \"How many groups there are.\"",
  "  groupCount: Int!",
  "  \"The largest first.\"",
  "  groups: [StuckGroup!]!",
  "}",
  "",
  "\"Stuck jobs of one kind, of one app, at one provider, for one reason.\"",
  "type StuckGroup {",
  "  \"The app they belong to.\"",
  "  appId: ID!",
  "  \"What people read on our pages.\"",
  "  appName: String!",
  "  \"The provider they are at.\"",
  "  provider: SocialProvider!",
  "  \"What they are.\"",
  "  kind: JobKind!",
  "  \"Why each has FAILED, or its last try did; null where nothing has failed and nothing has been heard of them.\"",
  "  lastFailure: Failure",
  "  \"How many there are.\"",
  "  count: Int!",
  "  \"Of these, revokes that have FAILED.\"",
  "  failedCount: Int!",
  "  \"Since when the first of them is stuck.\"",
  "  since: DateTime!",
  "}",
  "",
  "\"Why something did not work: a closed code and our own words, never a provider's text.\"",
  "type Failure {",
  "  \"A closed code.\"",
  "  code: String!",
  "  \"A sentence for a person.\"",
  "  message: String!",
  "}",
  "",
  "\"What pushing many jobs did, or would do.\"",
  "type RetriedJobs {",
  "  \"Whether nothing was changed.\"",
  "  dryRun: Boolean!",
  "  \"Jobs that were pushed, or would be.\"",
  "  count: Int!",
  "  \"Of these, revokes that had FAILED.\"",
  "  failedCount: Int!",
  "  \"Whether more match than one request pushes.\"",
  "  more: Boolean!",
  "}",
  "",
  "\"What disconnecting many did, or would do.\"",
  "type DisconnectedAll {",
  "  \"Whether nothing was changed.\"",
  "  dryRun: Boolean!",
  "  \"Connections that are to be disconnected.\"",
  "  connectionCount: Int!",
  "  \"Null on a dry run, and where there is nothing to disconnect.\"",
  "  run: BulkDisconnect",
  "}",
  "",
  "\"A disconnect of many.\"",
  "type BulkDisconnect {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"The name of the app.\"",
  "  appName: String",
  "  \"Whose connections, where it is a tenant's.\"",
  "  tenantKey: String",
  "  \"Whose connections, where it is a registration's.\"",
  "  registrationId: ID",
  "  \"When it began.\"",
  "  startedAt: DateTime!",
  "  \"Set once the last connection has been cut off.\"",
  "  finishedAt: DateTime",
  "  \"Connections when it began.\"",
  "  total: Int!",
  "  \"Cut off so far.\"",
  "  disconnected: Int!",
  "  \"Of these, still to be revoked or erased.\"",
  "  unsettled: Int!",
  "  \"Of these, revokes that FAILED.\"",
  "  revokesFailed: Int!",
  "  \"Of the workflow that does it.\"",
  "  workflowId: ID!",
  "  \"In the Temporal UI, where that is configured.\"",
  "  workflowUrl: String",
  "}",
  "",
  "\"What erasing a person did, or would do.\"",
  "type ErasedSubject {",
  "  \"Whether nothing was changed.\"",
  "  dryRun: Boolean!",
  "  \"Connections it touches.\"",
  "  connectionCount: Int!",
  "  \"Unfinished attempts, which are called off.\"",
  "  attemptCount: Int!",
  "  \"Tokens still kept of revokes that FAILED.\"",
  "  keptTokenCount: Int!",
  "  \"The receipt; on a dry run null, unless the subject has been erased before.\"",
  "  erasure: Erasure",
  "}",
  "",
  "\"The receipt of an erasure. Holds random ids only.\"",
  "type Erasure {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"When it was first asked for.\"",
  "  requestedAt: DateTime!",
  "  \"Set once nothing is left but receipts: no connection, no grant, no kept token, no job under way.\"",
  "  completedAt: DateTime",
  "  \"Connections it covers, also those of which only the kept tokens of a failed revoke were left.\"",
  "  connectionIds: [ID!]!",
  "  \"Of these, those not yet erased.\"",
  "  remaining: Int!",
  "  \"The receipts: revokes and erases, and the revokes of grants that came to nothing.\"",
  "  jobs: [Job!]!",
  "}",
  "",
  "\"A statement of what was deleted, for whoever asks for one.\"",
  "type ProofOfDeletion {",
  "  \"The connection it is about.\"",
  "  connectionId: ID!",
  "  \"JSON: ids, what was deleted, and instants.\"",
  "  document: String!",
  "  \"Our keyed hash over the document; `verifyProofOfDeletion` checks it for as long as the key is configured.\"",
  "  signature: String!",
  "}",
  "",
  "\"Something that will stop working on a date.\"",
  "type ExpiringCredential {",
  "  \"What it is.\"",
  "  kind: CredentialKind!",
  "  \"Of the key, registration, issuer or token.\"",
  "  id: ID!",
  "  \"What it is called: an app's name, a label, an issuer.\"",
  "  label: String!",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"When it stops working.\"",
  "  expiresAt: DateTime!",
  "  \"Whether that is past.\"",
  "  expired: Boolean!",
  "}",
  "",
  "\"A page of the audit log.\"",
  "type AuditPage {",
  "  \"In the order that the list promises.\"",
  "  items: [AuditEntry!]!",
  "  \"Where the page ends.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"One thing an operator did, or was refused. Names and ids, never other arguments.\"",
  "type AuditEntry {",
  "  \"Its id.\"",
  "  id: ID!",
  "  \"When.\"",
  "  happenedAt: DateTime!",
  "  \"`token:<id>`, `openid:<the issuer's id of the operator>`, `command line`, or `unknown`.\"",
  "  actor: String!",
  "  \"The label of the token, also when it has been revoked or has expired; null for any other actor.\"",
  "  actorLabel: String",
  "  \"The operation or command.\"",
  "  action: String!",
  "  \"The id it was about.\"",
  "  target: String",
  "  \"Other ids: a receipt, a run of many or a key that has come of it, the jobs that were pushed.\"",
  "  related: [ID!]!",
  "  \"DONE, DRY_RUN, FAILED, or the code it was refused with.\"",
  "  outcome: String!",
  "  \"Of the request; also in the log.\"",
  "  correlationId: ID",
  "}",
  "",
  "\"What there is, what is stuck, and how the providers do.\"",
  "type Overview {",
  "  \"The instant it describes.\"",
  "  at: DateTime!",
  "  \"One for each status that occurs.\"",
  "  connections: [ConnectionCount!]!",
  "  \"Open and failed jobs, by kind and status.\"",
  "  jobs: [JobCount!]!",
  "  \"Connect attempts not finished and not expired.\"",
  "  openAttempts: Int!",
  "  \"Revokes that are stuck.\"",
  "  stuckRevokes: Int!",
  "  \"Since when the oldest of them is.\"",
  "  oldestStuckRevokeAt: DateTime",
  "  \"All jobs that are stuck, revokes included.\"",
  "  stuckJobs: Int!",
  "  \"Since when the oldest of them is.\"",
  "  oldestStuckJobAt: DateTime",
  "  \"Workflows waiting to be started: more than a few mean that Temporal cannot be reached.\"",
  "  outboxWaiting: Int!",
  "  \"Since when the oldest of them waits.\"",
  "  outboxOldestAt: DateTime",
  "  \"One for each provider.\"",
  "  providers: [ProviderHealth!]!",
  "  \"Apps, keys and secrets that want attention within 30 days.\"",
  "  expiringCredentialCount: Int!",
  "}",
  "",
  "\"How many connections are in a status.\"",
  "type ConnectionCount {",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider!",
  "  \"How far it has come.\"",
  "  status: ConnectionStatus!",
  "  \"How many.\"",
  "  count: Int!",
  "}",
  "",
  "\"How many jobs of a kind are in a status.\"",
  "type JobCount {",
  "  \"What it is.\"",
  "  kind: JobKind!",
  "  \"How far it has come.\"",
  "  status: JobStatus!",
  "  \"How many.\"",
  "  count: Int!",
  "}",
  "",
  "\"How a provider does, as seen from the jobs that need it.\"",
  "type ProviderHealth {",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider!",
  "  \"Jobs queued or under way.\"",
  "  openJobs: Int!",
  "  \"Open jobs whose last try failed, by why.\"",
  "  failing: [FailureCount!]!",
  "  \"Jobs that ended in the last hour, and how.\"",
  "  succeededLastHour: Int!",
  "  \"Jobs that failed in the last hour.\"",
  "  failedLastHour: Int!",
  "  \"Registrations that are paused.\"",
  "  pausedRegistrations: Int!",
  "  \"Registrations whose client the provider refuses.\"",
  "  rejectedRegistrations: Int!",
  "  \"Registrations whose quota is used up, until it resets.\"",
  "  spentRegistrations: Int!",
  "}",
  "",
  "\"How many jobs wait for the same reason.\"",
  "type FailureCount {",
  "  \"Why.\"",
  "  failure: Failure!",
  "  \"How many.\"",
  "  count: Int!",
  "  \"Since when the oldest of them has been failing.\"",
  "  since: DateTime!",
  "}",
  "",
  "\"Narrows the list of apps; what is left out does not.\"",
  "input AppFilter {",
  "  \"Part of the name, in either case, or the beginning of the id. 1 to 200 characters.\"",
  "  search: String",
  "}",
  "",
  "\"Narrows a list of connections; what is left out does not.\"",
  "input ConnectionFilter {",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider",
  "  \"Our client that it was made with.\"",
  "  registrationId: ID",
  "  \"In one of these.\"",
  "  statuses: [ConnectionStatus!]",
  "  \"Needs `appId`.\"",
  "  tenantKey: String",
  "  \"Needs `tenantKey`.\"",
  "  externalSubjectId: String",
  "}",
  "",
  "\"Narrows a list of attempts; what is left out does not.\"",
  "input AttemptFilter {",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider",
  "  \"Our client that it was made with.\"",
  "  registrationId: ID",
  "  \"In one of these.\"",
  "  statuses: [ConnectSessionStatus!]",
  "  \"The connection it is about.\"",
  "  connectionId: ID",
  "}",
  "",
  "\"Narrows a list of jobs; what is left out does not.\"",
  "input JobFilter {",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider",
  "  \"The connection it is about.\"",
  "  connectionId: ID",
  "  \"Of one of these.\"",
  "  kinds: [JobKind!]",
  "  \"In one of these.\"",
  "  statuses: [JobStatus!]",
  "  \"Only those with this code as their failure or, where they have none, as their last failure.\"",
  "  lastFailure: String",
  "  \"Only those with neither a failure nor a last failure, or only those with one.\"",
  "  neverFailed: Boolean",
  "  \"Only those that are stuck, or that are not.\"",
  "  stuck: Boolean",
  "}",
  "",
  "\"Narrows the audit log; what is left out does not.\"",
  "input AuditFilter {",
  "  \"Exactly as in an entry.\"",
  "  actor: String",
  "  \"The operation or command.\"",
  "  action: String",
  "  \"An id that entries are about, or name besides.\"",
  "  target: String",
  "  \"DONE, or a code.\"",
  "  outcome: String",
  "}",
  "",
  "\"A new app.\"",
  "input CreateAppInput {",
  "  \"1 to 100 characters in one line, to be read by people on our pages; spaces around it are taken off.\"",
  "  name: String!",
  "  \"Requests a second that it may send. 1 to 100,000; 500 by default.\"",
  "  requestsPerSecond: Int",
  "  \"1 to 100 characters.\"",
  "  idempotencyKey: String",
  "}",
  "",
  "\"A new key.\"",
  "input IssueKeyInput {",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"In the future; without end when left out.\"",
  "  expiresAt: DateTime",
  "  \"1 to 100 characters.\"",
  "  idempotencyKey: String",
  "}",
  "",
  "\"A new client at a provider.\"",
  "input CreateRegistrationInput {",
  "  \"The provider it is at.\"",
  "  provider: SocialProvider!",
  "  \"1 to 200 characters in one line; spaces around it are taken off.\"",
  "  label: String!",
  "  \"1 to 200 characters in one line; spaces around it are taken off.\"",
  "  clientId: String!",
  "  \"1 to 4,000 characters.\"",
  "  clientSecret: String!",
  "  \"When the provider will stop taking the secret, where it said so. In the future.\"",
  "  secretExpiresAt: DateTime",
  "  \"1 to 100 characters.\"",
  "  idempotencyKey: String",
  "}",
  "",
  "\"A new client at an OpenID issuer.\"",
  "input CreateIdentityIssuerInput {",
  "  \"Exactly as the issuer writes itself: HTTPS (in development also HTTP on loopback), neither query nor fragment. 1 to 500 characters.\"",
  "  issuer: String!",
  "  \"1 to 200 characters in one line; spaces around it are taken off.\"",
  "  clientId: String!",
  "  \"1 to 4,000 characters.\"",
  "  clientSecret: String!",
  "  \"CLIENT_SECRET_BASIC by default.\"",
  "  tokenAuthMethod: TokenAuthMethod",
  "  \"When the issuer will stop taking the secret, where it said so. In the future.\"",
  "  secretExpiresAt: DateTime",
  "  \"1 to 100 characters.\"",
  "  idempotencyKey: String",
  "}",
  "",
  "\"Whose connections to disconnect: a tenant's, or a registration's.\"",
  "input DisconnectAllInput {",
  "  \"With `tenantKey`.\"",
  "  appId: ID",
  "  \"With `appId`.\"",
  "  tenantKey: String",
  "  \"Alone.\"",
  "  registrationId: ID",
  "}",
  "",
  "\"Whom to erase.\"",
  "input EraseSubjectInput {",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"The tenant's key, in the app's own words.\"",
  "  tenantKey: String!",
  "  \"The subject, in the app's own words.\"",
  "  externalSubjectId: String!",
  "}",
  "",
  "\"\"\"",
  "An ISO 8601 date-time with a zone, such as `2026-01-31T09:30:00.000Z`. Inputs may have any offset (`Z`, `+02:00`, `+0200`",
  "or `+02`) and omit the seconds or give them with up to nine decimals, of which three count. Outputs are in UTC with",
  "milliseconds.",
  "\"\"\"",
  "scalar DateTime",
  "",
  "\"A non-negative integer of any size, as a string of decimal digits.\"",
  "scalar DecimalCount",
  "",
  "\"A social platform.\"",
  "enum SocialProvider {",
  "  \"The first provider. Its account id is a channel ID.\"",
  "  PROVIDER_A",
  "  \"The second provider. Its account id is an open_id.\"",
  "  PROVIDER_B",
  "  \"The third provider. Its account id is a user ID.\"",
  "  PROVIDER_C",
  "}",
  "",
  "\"A kind of data that a connection may read.\"",
  "enum Capability {",
  "  \"Read the account's profile.\"",
  "  PROFILE",
  "  \"Scan the account's posts, and list the stored ones.\"",
  "  CONTENT_LIST",
  "  \"Look up one post by its URL.\"",
  "  CONTENT_LOOKUP",
  "  \"Read the metrics of stored posts.\"",
  "  CONTENT_METRICS",
  "}",
  "",
  "\"Says whether data or a capability is available, and if not, why.\"",
  "enum Availability {",
  "  \"It is available.\"",
  "  AVAILABLE",
  "  \"The provider does not offer it.\"",
  "  UNSUPPORTED",
  "  \"The person has not granted it, or has withdrawn it.\"",
  "  NOT_GRANTED",
  "  \"It is not available now, or no longer.\"",
  "  UNAVAILABLE",
  "}",
  "",
  "\"The name of a metric.\"",
  "enum MetricName {",
  "  \"The number of views.\"",
  "  VIEWS",
  "  \"The number of likes.\"",
  "  LIKES",
  "  \"The number of comments.\"",
  "  COMMENTS",
  "  \"The number of shares.\"",
  "  SHARES",
  "}",
  "",
  "\"The kind of a post.\"",
  "enum ContentKind {",
  "  \"A video.\"",
  "  VIDEO",
  "  \"One image.\"",
  "  IMAGE",
  "  \"Several images or videos in one post.\"",
  "  CAROUSEL",
  "  \"Another kind, or unknown.\"",
  "  UNKNOWN",
  "}",
  "",
  "\"A manual step for the owner of the account.\"",
  "enum ConnectCreatorAction {",
  "  \"Remove the app in the account's settings at the provider: the grant may still exist there.\"",
  "  REMOVE_APP_AT_PROVIDER",
  "}",
  "",
  "\"The status of a Connect attempt. The first three are unfinished.\"",
  "enum ConnectSessionStatus {",
  "  \"The browser has not yet posted the launch token.\"",
  "  CREATED",
  "  \"The person is at the provider.\"",
  "  AUTHORIZING",
  "  \"The person has returned, and the service exchanges the code for tokens.\"",
  "  EXCHANGING",
  "  \"The account is connected; see `connectionId`.\"",
  "  COMPLETED",
  "  \"The person or the provider denied access.\"",
  "  DENIED",
  "  \"The attempt failed; see `resultCode`.\"",
  "  FAILED",
  "  \"The attempt did not finish within 10 minutes.\"",
  "  EXPIRED",
  "  \"The attempt was canceled; see `resultCode`.\"",
  "  CANCELED",
  "}",
  "",
  "\"The status of a connection.\"",
  "enum ConnectionStatus {",
  "  \"The connection works.\"",
  "  CONNECTED",
  "  \"Suspended until a disconnect that may also have ended its grant has settled.\"",
  "  SUSPENDED",
  "  \"Its grant has ended. Connect again with it as `reconnectConnectionId`.\"",
  "  RECONNECT_REQUIRED",
  "  \"Access has ended. The service revokes the grant.\"",
  "  DISCONNECTED",
  "  \"The service erases the remaining data.\"",
  "  DELETING",
  "}",
  "",
  "\"Says how fresh a connection's stored posts are.\"",
  "enum SyncStatus {",
  "  \"Not yet scanned.\"",
  "  PENDING",
  "  \"A scan is running, or waits for its next try at `nextRetryAt`.\"",
  "  RUNNING",
  "  \"The last scan was complete, or the connection lacks CONTENT_LIST and needs no scan.\"",
  "  READY",
  "  \"The last scan did not read its whole window.\"",
  "  PARTIAL",
  "  \"`lastSuccessfulSyncAt` is 24 hours ago or longer.\"",
  "  STALE",
  "  \"The last scan failed and will not retry by itself.\"",
  "  FAILED",
  "}",
  "",
  "\"The status of a job. The last three are final.\"",
  "enum JobStatus {",
  "  \"Not yet started.\"",
  "  QUEUED",
  "  \"Running, or waiting to retry.\"",
  "  RUNNING",
  "  \"The job succeeded.\"",
  "  SUCCEEDED",
  "  \"The job gave up; see `errorCode`.\"",
  "  FAILED",
  "  \"The job was canceled.\"",
  "  CANCELED",
  "}",
  "",
  "\"The status of a sign-in.\"",
  "enum IdpIdentityStatus {",
  "  \"Not finished. Redeeming now does not spend the proof.\"",
  "  PENDING",
  "  \"The person signed in.\"",
  "  COMPLETED",
  "  \"The person or the identity provider denied access.\"",
  "  DENIED",
  "  \"The sign-in failed.\"",
  "  FAILED",
  "  \"The sign-in did not finish within 10 minutes.\"",
  "  EXPIRED",
  "}",
  ""
].join('\n');
