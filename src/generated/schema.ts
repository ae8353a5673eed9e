// Generated from schema.graphql by `npm run codegen`; do not edit.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Context, PublicContext } from '../api/context.ts';
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
   * or `+02`), may omit the seconds, and may have up to nine decimals, of which the service keeps three. Outputs are in UTC
   * with milliseconds.
   */
  DateTime: { input: Date; output: Date | string; }
  /** A non-negative integer of any size, as a string of decimal digits. */
  DecimalCount: { input: string; output: string; }
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

/** A step that only the owner of the account can do. */
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
  /** On hold: a disconnect of another account may also have ended its grant. It resumes by itself. */
  | 'SUSPENDED'
  /** Its grant has ended. Connect again, with its id as `reconnectConnectionId`. */
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

/**
 * The user that an account belongs to, by your own ids. Derive both values on your server from your own signed-in session,
 * never from browser input: the service trusts them.
 */
export type SubjectScope = {
  /** One of the tenant keys registered for your app. 1 to 128 characters. */
  tenantKey: Scalars['String']['input'];
  /** Your own id of the user within the tenant. 1 to 128 characters. */
  externalSubjectId: Scalars['String']['input'];
};

/** The account to connect. */
export type ConnectInput = {
  /** The user that the account belongs to. The tenant must be registered. */
  scope: SubjectScope;
  /** A provider that your app may use. */
  provider: SocialProvider;
  /** At least one capability, without duplicates. Your app's policy must allow all of them. */
  capabilities: Array<Capability>;
  /**
   * The URL the browser returns to: exactly one of your app's registered return URLs, without a fragment and without a
   * query parameter whose name begins with `ss_`. The service adds `ss_session_id`.
   */
  returnUrl: Scalars['String']['input'];
  /**
   * The connection to reconnect. It keeps its id. It must be in the same scope and at the same provider, and CONNECTED,
   * SUSPENDED or RECONNECT_REQUIRED.
   */
  reconnectConnectionId?: InputMaybe<Scalars['ID']['input']>;
};

/** The tenant and return URL of a sign-in. */
export type IdpIdentityInput = {
  /** One of the tenant keys registered for your app. 1 to 128 characters. */
  tenantKey: Scalars['String']['input'];
  /** Exactly your app's registered identity return URL. */
  returnUrl: Scalars['String']['input'];
};

/** The posts to scan. */
export type SyncWindow = {
  /** Posts published at this instant or later. */
  publishedAfter: Scalars['DateTime']['input'];
  /**
   * Posts published before this instant, which is after `publishedAfter` and at most 90 days later. If the window ends now,
   * the scan reads up to the moment it requests its first page.
   */
  publishedBefore: Scalars['DateTime']['input'];
  /** The most posts to read. 1 to 100. */
  maxItems?: InputMaybe<Scalars['Int']['input']>;
};

/** The stored posts to list. */
export type ContentWindow = {
  /** Posts published at this instant or later. */
  publishedAfter: Scalars['DateTime']['input'];
  /** Posts published before this instant, which is after `publishedAfter` and at most 90 days later. */
  publishedBefore: Scalars['DateTime']['input'];
  /** The most posts on a page. 1 to 50. */
  first: Scalars['Int']['input'];
  /** `pageInfo.endCursor` of the previous page of the same window. */
  after?: InputMaybe<Scalars['String']['input']>;
};

/** A liveness check. */
export type ApiStatus = {
  /** Always true. */
  ok: Scalars['Boolean']['output'];
  /** A sentence for a person. */
  message: Scalars['String']['output'];
};

/** The flows that your app can start now, by policy and configuration. A consent can still fail. */
export type IntegrationReadiness = {
  /** One entry for each provider. */
  providers: Array<ProviderReadiness>;
  /** True if your app can start the identity flow. */
  idpIdentityAvailable: Scalars['Boolean']['output'];
};

/** Says whether your app can start a Connect attempt at a provider. */
export type ProviderReadiness = {
  /** PROVIDER_A, PROVIDER_B or PROVIDER_C. */
  provider: Scalars['String']['output'];
  /** True if your app's policy and the service's configuration allow an attempt. */
  available: Scalars['Boolean']['output'];
};

/** A new Connect attempt. */
export type ConnectSession = {
  /** Save it with the signed-in user's session before the browser leaves. */
  id: Scalars['ID']['output'];
  /** Post the launch token here, from a form in the browser. */
  launchUrl: Scalars['String']['output'];
  /** A one-use token of 64 hexadecimal characters. Send it only in the form field `launchToken`. */
  launchToken: Scalars['String']['output'];
  /** The attempt expires at this instant, 10 minutes after its creation. */
  expiresAt: Scalars['DateTime']['output'];
  /** You can read the result until this instant, 24 hours after the creation. */
  resultExpiresAt: Scalars['DateTime']['output'];
};

/** The status or result of a Connect attempt. */
export type ConnectSessionResult = {
  /** As `ConnectSession.id`. */
  id: Scalars['ID']['output'];
  /** The requested provider. */
  provider: SocialProvider;
  /** The status of the attempt. */
  status: ConnectSessionStatus;
  /**
   * The reason for the result: ACCESS_DENIED, MISSING_PERMISSION, PARTIAL_PERMISSION (completed with fewer capabilities
   * than requested), ACCOUNT_MISMATCH (a reconnect returned another account), ACCOUNT_DISCONNECTING, EXCHANGE_FAILED,
   * PROVIDER_UNAVAILABLE, REGISTRATION_PAUSED, POLICY_CHANGED, EXPIRED or CANCELED. Null while the attempt is unfinished
   * and if it completed in full. Future versions may add codes.
   */
  resultCode: Maybe<Scalars['String']['output']>;
  /** The connection, once COMPLETED. */
  connectionId: Maybe<Scalars['ID']['output']>;
  /**
   * A step for the account's owner at the provider, or null. On an EXPIRED or CANCELED attempt it may be set later, once,
   * if a grant may still exist at the provider. The rest of a result never changes.
   */
  creatorAction: Maybe<ConnectCreatorAction>;
  /** The attempt expires at this instant. */
  expiresAt: Scalars['DateTime']['output'];
  /** You can read the result until this instant. */
  resultExpiresAt: Scalars['DateTime']['output'];
};

/** A new sign-in. */
export type IdpIdentitySession = {
  /** Keep it with the browser's session. */
  id: Scalars['ID']['output'];
  /** Post the launch token here, from a form in the browser. */
  launchUrl: Scalars['String']['output'];
  /** A one-use token. Send it only in the form field `launchToken`. */
  launchToken: Scalars['String']['output'];
  /** Redeems the result. Keep it on your server. */
  resultProof: Scalars['String']['output'];
  /** The sign-in expires at this instant, 10 minutes after its creation. */
  expiresAt: Scalars['DateTime']['output'];
  /** You can redeem the result until this instant, 20 minutes after the creation. */
  resultExpiresAt: Scalars['DateTime']['output'];
};

/** The status or result of a sign-in. All fields except `status` are null unless it COMPLETED. */
export type IdpIdentityResult = {
  /** The status of the sign-in. */
  status: IdpIdentityStatus;
  /** The identity provider's issuer URL. */
  issuer: Maybe<Scalars['String']['output']>;
  /** The identity provider's stable id of the person. Find your user by `issuer` plus `idpSub`, never by the e-mail address. */
  idpSub: Maybe<Scalars['String']['output']>;
  /** The e-mail address, if the identity provider sent one. */
  email: Maybe<Scalars['String']['output']>;
  /** True if the identity provider says that it verified the address. */
  emailVerified: Maybe<Scalars['Boolean']['output']>;
  /** The person's name, if known. */
  name: Maybe<Scalars['String']['output']>;
  /** The URL of a picture, if known. */
  pictureUrl: Maybe<Scalars['String']['output']>;
};

/** The link between a scope and an account. It outlives its grants. */
export type Connection = {
  /** Stays the same across reconnects. */
  id: Scalars['ID']['output'];
  /** The account's provider. */
  provider: SocialProvider;
  /** The provider's own id of the account: a channel ID (PROVIDER_A), an open_id (PROVIDER_B), a user ID (PROVIDER_C). */
  providerAccountId: Scalars['String']['output'];
  /** The status of the connection. */
  status: ConnectionStatus;
  /** Says how fresh its stored posts are. */
  syncStatus: SyncStatus;
  /** One entry for each granted capability. */
  capabilities: Array<CapabilityState>;
  /** Null unless the connection is CONNECTED, PROFILE is available and the profile is under 30 days old. */
  profile: Maybe<Profile>;
  /**
   * The instant at which the last complete scan requested its first page. For a continued scan, the first scan of the chain
   * counts. Posts published later are not in the scan. A scan that ends incomplete does not change it. Null unless CONNECTED.
   */
  lastSuccessfulSyncAt: Maybe<Scalars['DateTime']['output']>;
  /** The instant, always in the future, at which a failed scan retries. Null unless CONNECTED and a scan waits. */
  nextRetryAt: Maybe<Scalars['DateTime']['output']>;
};

/** The state of one granted capability. */
export type CapabilityState = {
  /** The capability. */
  capability: Capability;
  /** Says whether it can be used. */
  availability: Availability;
  /** The reason if it is not AVAILABLE. */
  reason: Maybe<Scalars['String']['output']>;
};

/** An account's profile as last read. */
export type Profile = {
  /** The provider's own id of the account. */
  providerAccountId: Scalars['String']['output'];
  /** The displayed name. */
  displayName: Maybe<Scalars['String']['output']>;
  /** The handle, as the provider writes it: PROVIDER_A's begins with an @, the others' do not. */
  handle: Maybe<Scalars['String']['output']>;
  /** The URL of the picture. It may expire at the provider. */
  avatarUrl: Maybe<Scalars['String']['output']>;
  /** The URL of the account's page. */
  profileUrl: Maybe<Scalars['String']['output']>;
  /** The account's description of itself. */
  description: Maybe<Scalars['String']['output']>;
  /** The instant at which the service read the profile. */
  observedAt: Scalars['DateTime']['output'];
};

/** One metric of a post as last read. */
export type MetricObservation = {
  /** The name of the metric. */
  name: MetricName;
  /** The count. Null means unknown, not zero. */
  value: Maybe<Scalars['DecimalCount']['output']>;
  /** Says whether the provider returns it. */
  availability: Availability;
  /** The reason if it is not AVAILABLE. */
  reason: Maybe<Scalars['String']['output']>;
  /** The name of the field in the provider's response. */
  sourceField: Maybe<Scalars['String']['output']>;
  /** The instant at which the service read the metric. */
  observedAt: Scalars['DateTime']['output'];
};

/** A post as last read. */
export type ContentItem = {
  /** The service's id of the post. */
  id: Scalars['ID']['output'];
  /** The provider's id of the post. Pass it to `contentItem` and `requestRefresh`. */
  providerContentId: Scalars['String']['output'];
  /** The post's provider. */
  provider: SocialProvider;
  /** The kind of the post. */
  kind: ContentKind;
  /** The URL of the post's page. */
  canonicalUrl: Maybe<Scalars['String']['output']>;
  /** The URL of a preview. It may expire at the provider. Always null for PROVIDER_A, sometimes null for PROVIDER_C images. */
  thumbnailUrl: Maybe<Scalars['String']['output']>;
  /** The title. Always null for PROVIDER_C. */
  title: Maybe<Scalars['String']['output']>;
  /** The text. */
  description: Maybe<Scalars['String']['output']>;
  /** The instant of its publication. */
  publishedAt: Maybe<Scalars['DateTime']['output']>;
  /** Says whether the post is still available. */
  availability: Availability;
  /** The reason if it is not AVAILABLE, such as EXPIRED (last read over 30 days ago) or CONTENT_NOT_FOUND. */
  reason: Maybe<Scalars['String']['output']>;
  /** The instant at which the service last read the post. */
  observedAt: Scalars['DateTime']['output'];
  /** Empty unless the connection has CONTENT_METRICS. */
  metrics: Array<MetricObservation>;
};

/** The position of a page of posts in its window. */
export type PageInfo = {
  /** Pass it as `after` to get the next page. Null on an empty page. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** True if there are more posts. */
  hasNextPage: Scalars['Boolean']['output'];
  /**
   * True only if scans that finished in the last 24 hours covered the whole window. A scan covers no posts published after
   * it requested its first page, so a window that ends later than `lastSuccessfulSyncAt` is never complete.
   */
  completeForWindow: Scalars['Boolean']['output'];
  /**
   * The reason if it is not complete: NEVER_SCANNED, SCAN_RUNNING, SCAN_STALE, SCAN_FAILED or PARTLY_SCANNED. Future
   * versions may add reasons.
   */
  incompleteReason: Maybe<Scalars['String']['output']>;
};

/** A page of stored posts, newest first. */
export type ContentPage = {
  /** Posts read in the last 30 days. */
  items: Array<ContentItem>;
  /** The position of the page. */
  pageInfo: PageInfo;
  /** The same as `Connection.lastSuccessfulSyncAt`. Pass it as `publishedBefore` to read only what the last scan covered. */
  lastSuccessfulSyncAt: Maybe<Scalars['DateTime']['output']>;
};

/** The position of a page of connections. */
export type ConnectionPageInfo = {
  /** Pass it as `after` to get the next page. Null on an empty page. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** True if there are more connections. */
  hasNextPage: Scalars['Boolean']['output'];
};

/** A page of a subject's connections. */
export type ConnectionPage = {
  /** Connections in every status. A disconnected one stays until it is erased. */
  items: Array<Connection>;
  /** The position of the page. */
  pageInfo: ConnectionPageInfo;
};

/** A background job: a scan, a metrics refresh, a lookup, a revoke or an erase. */
export type SyncJob = {
  /** The id by which you read the job again. */
  id: Scalars['ID']['output'];
  /** The status of the job. */
  status: JobStatus;
  /** The instant, always in the future, at which the job retries. Null unless it waits. */
  nextRetryAt: Maybe<Scalars['DateTime']['output']>;
  /**
   * The reason why it failed or waits: PROVIDER_UNAVAILABLE, PROVIDER_RATE_LIMITED, RECONNECT_REQUIRED,
   * CAPABILITY_UNAVAILABLE, AUTHORIZATION_SUSPENDED, CONTENT_NOT_FOUND, UNSUPPORTED_URL, CONNECTION_DISCONNECTED,
   * PROVIDER_CONTRACT or INTERNAL. Future versions may add codes.
   */
  errorCode: Maybe<Scalars['String']['output']>;
  /** On a revoke: a step for the account's owner at the provider, or null. */
  creatorAction: Maybe<ConnectCreatorAction>;
  /** On a successful lookup: the post's id. Read the post with `contentItem`. */
  resultProviderContentId: Maybe<Scalars['String']['output']>;
  /** On a scan that has ended: true if it read its whole window, as of the moment it requested its first page. */
  completeForWindow: Maybe<Scalars['Boolean']['output']>;
  /**
   * On a scan: the reason why it did not cover its window: MAX_ITEMS, PROVIDER_LIMIT or PROVIDER_UNAVAILABLE. On a
   * successful lookup: the reason why the post is not available. On a failed one: PROVIDER_LIMIT if the account may have the
   * post, beyond those that a lookup can search. Future versions may add reasons.
   */
  incompleteReason: Maybe<Scalars['String']['output']>;
  /** On a successful but incomplete scan less than 24 hours old: pass it to `requestRefresh` to continue the scan. */
  continuationCursor: Maybe<Scalars['String']['output']>;
};

/** The jobs that a disconnect has started. */
export type DisconnectResult = {
  /** True: access has ended. */
  accepted: Scalars['Boolean']['output'];
  /** The connection's id, with which you read both jobs. */
  connectionId: Scalars['ID']['output'];
  /** True until the revoke job succeeds. */
  upstreamRevocationPending: Scalars['Boolean']['output'];
  /** The job that revokes the grant at the provider. You can read it for 7 days. */
  revokeJobId: Scalars['ID']['output'];
  /** The job that erases the stored data. You can read it for 7 days. */
  eraseJobId: Scalars['ID']['output'];
};

/** Operations that read. */
export type Query = {
  /** Checks that the service answers. Needs no key. Adds no codes. */
  status: ApiStatus;
  /** Says which flows your app can start now. Adds no codes. */
  integrationReadiness: IntegrationReadiness;
  /**
   * Reads the status of a Connect attempt until 24 hours after its creation. An unfinished one is EXPIRED after `expiresAt`.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (no such attempt in this scope, or its result was
   * deleted).
   */
  connectSessionResult: ConnectSessionResult;
  /**
   * Reads one connection. If it is CONNECTED, the service first checks whether your app may still read it. In any other
   * status, its profile is null.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered, or your app's policy no longer allows the tenant, the provider or a
   * capability), `CAPABILITY_UNAVAILABLE` (the provider registration no longer serves your app), `AUTHORIZATION_SUSPENDED`
   * (the provider registration is paused), `RECONNECT_REQUIRED` (the grant has ended), `NOT_FOUND` (erased, or in another
   * scope).
   */
  connection: Connection;
  /**
   * Lists a subject's connections in the tenant, in every status. Each row goes through the same check as `connection`. If
   * one fails, the whole call fails with its code.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, as for `connection`.
   */
  connections: ConnectionPage;
  /**
   * Lists stored posts that were published in a window, newest first. Needs CONTENT_LIST.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE` (also if the connection lacks CONTENT_LIST), `AUTHORIZATION_SUSPENDED`
   * (also if it is SUSPENDED), `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS` (DISCONNECTED or DELETING), `NOT_FOUND`, as for
   * `connection`.
   */
  content: ContentPage;
  /**
   * Reads one stored post, or null if the service never read it. Needs CONTENT_LIST or CONTENT_LOOKUP. If it was last read
   * over 30 days ago, its fields are null, its availability is UNAVAILABLE, its reason is EXPIRED, and it has no metrics.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`,
   * `NOT_FOUND` (the connection), as for `content`.
   */
  contentItem: Maybe<ContentItem>;
  /**
   * Reads a job. A scan, metrics refresh or lookup can be read for 7 days after it finished; a revoke or erase for 7 days
   * after its creation, even after the connection is erased.
   *
   * Codes: `NOT_FOUND` (no such job of this connection in this scope, or it was deleted; also if the tenant is not
   * registered).
   */
  syncJob: SyncJob;
};


/** Operations that read. */
export type QueryConnectSessionResultArgs = {
  scope: SubjectScope;
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryConnectionArgs = {
  scope: SubjectScope;
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryConnectionsArgs = {
  scope: SubjectScope;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** Operations that read. */
export type QueryContentArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  window: ContentWindow;
};


/** Operations that read. */
export type QueryContentItemArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  providerContentId: Scalars['String']['input'];
};


/** Operations that read. */
export type QuerySyncJobArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  id: Scalars['ID']['input'];
};

/** Operations that write. They do not wait for a provider: poll the result. */
export type Mutation = {
  /**
   * Creates a Connect attempt. Save its `id` with the signed-in user's session, then let the browser post `launchToken` to
   * `launchUrl`.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered, your app's policy does not allow this, or the revoke of a PROVIDER_A or
   * PROVIDER_B disconnect has not settled: try again once it has), `NOT_FOUND` (the connection to reconnect),
   * `DISCONNECT_IN_PROGRESS` (the connection to reconnect is DISCONNECTED or DELETING), `RATE_LIMITED` (the subject has 5 unfinished
   * attempts at this provider).
   */
  createConnectSession: ConnectSession;
  /**
   * Creates a sign-in at the identity provider. Keep `resultProof` on your server and let the browser post `launchToken` to
   * `launchUrl`.
   *
   * Codes: `CAPABILITY_UNAVAILABLE` (the identity flow is not set up for your app), `FORBIDDEN` (the tenant is not
   * registered), `RATE_LIMITED` (your app has 20 unfinished sign-ins).
   */
  createIdpIdentitySession: IdpIdentitySession;
  /**
   * Redeems the result of a sign-in, once. You can call it again while it answers PENDING; any other status spends the proof.
   *
   * Codes: `NOT_FOUND` (no such sign-in for this tenant and proof, already redeemed, or deleted; also if the tenant is not
   * registered).
   */
  redeemIdpIdentityResult: IdpIdentityResult;
  /**
   * Disconnects an account: ends access at once, and starts the revoke at the provider and the erase of all stored data.
   * Until the erase is done, a second call returns the same jobs.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (erased, or in another scope).
   */
  disconnectConnection: DisconnectResult;
  /**
   * Queues a scan, or with `providerContentId` a refresh of one post's metrics. A scan needs CONTENT_LIST, a refresh
   * CONTENT_METRICS. If a job for the same window or post is in flight, you get that job.
   *
   * Codes: `SYNC_WINDOW_BUSY` (a scan of another window is in flight), `RATE_LIMITED` (your app has 20 read jobs in
   * flight; `retryAfterSeconds` is 60), `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`,
   * `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for `content`; `NOT_FOUND` also for a post not stored.
   */
  requestRefresh: SyncJob;
  /**
   * Queues a lookup of one post by its URL. Needs CONTENT_LOOKUP. Once it has succeeded, read the post with `contentItem`
   * and check its availability.
   *
   * Codes: `RATE_LIMITED` (your app has 20 read jobs in flight; `retryAfterSeconds` is 60), `FORBIDDEN`,
   * `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for
   * `content`.
   */
  requestContentLookup: SyncJob;
};


/** Operations that write. They do not wait for a provider: poll the result. */
export type MutationCreateConnectSessionArgs = {
  input: ConnectInput;
};


/** Operations that write. They do not wait for a provider: poll the result. */
export type MutationCreateIdpIdentitySessionArgs = {
  input: IdpIdentityInput;
};


/** Operations that write. They do not wait for a provider: poll the result. */
export type MutationRedeemIdpIdentityResultArgs = {
  id: Scalars['ID']['input'];
  tenantKey: Scalars['String']['input'];
  resultProof: Scalars['String']['input'];
};


/** Operations that write. They do not wait for a provider: poll the result. */
export type MutationDisconnectConnectionArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
};


/** Operations that write. They do not wait for a provider: poll the result. */
export type MutationRequestRefreshArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  providerContentId: InputMaybe<Scalars['String']['input']>;
  window: InputMaybe<SyncWindow>;
  continuationCursor: InputMaybe<Scalars['String']['input']>;
};


/** Operations that write. They do not wait for a provider: poll the result. */
export type MutationRequestContentLookupArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  url: Scalars['String']['input'];
};



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
  SubjectScope: SubjectScope;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  ConnectInput: ConnectInput;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  IdpIdentityInput: IdpIdentityInput;
  SyncWindow: SyncWindow;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  ContentWindow: ContentWindow;
  ApiStatus: ResolverTypeWrapper<ApiStatus>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  IntegrationReadiness: ResolverTypeWrapper<IntegrationReadiness>;
  ProviderReadiness: ResolverTypeWrapper<ProviderReadiness>;
  ConnectSession: ResolverTypeWrapper<ConnectSession>;
  ConnectSessionResult: ResolverTypeWrapper<ConnectSessionResult>;
  IdpIdentitySession: ResolverTypeWrapper<IdpIdentitySession>;
  IdpIdentityResult: ResolverTypeWrapper<IdpIdentityResult>;
  Connection: ResolverTypeWrapper<Connection>;
  CapabilityState: ResolverTypeWrapper<CapabilityState>;
  Profile: ResolverTypeWrapper<Profile>;
  MetricObservation: ResolverTypeWrapper<MetricObservation>;
  ContentItem: ResolverTypeWrapper<ContentItem>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  ContentPage: ResolverTypeWrapper<ContentPage>;
  ConnectionPageInfo: ResolverTypeWrapper<ConnectionPageInfo>;
  ConnectionPage: ResolverTypeWrapper<ConnectionPage>;
  SyncJob: ResolverTypeWrapper<SyncJob>;
  DisconnectResult: ResolverTypeWrapper<DisconnectResult>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  DecimalCount: Scalars['DecimalCount']['output'];
  SubjectScope: SubjectScope;
  String: Scalars['String']['output'];
  ConnectInput: ConnectInput;
  ID: Scalars['ID']['output'];
  IdpIdentityInput: IdpIdentityInput;
  SyncWindow: SyncWindow;
  Int: Scalars['Int']['output'];
  ContentWindow: ContentWindow;
  ApiStatus: ApiStatus;
  Boolean: Scalars['Boolean']['output'];
  IntegrationReadiness: IntegrationReadiness;
  ProviderReadiness: ProviderReadiness;
  ConnectSession: ConnectSession;
  ConnectSessionResult: ConnectSessionResult;
  IdpIdentitySession: IdpIdentitySession;
  IdpIdentityResult: IdpIdentityResult;
  Connection: Connection;
  CapabilityState: CapabilityState;
  Profile: Profile;
  MetricObservation: MetricObservation;
  ContentItem: ContentItem;
  PageInfo: PageInfo;
  ContentPage: ContentPage;
  ConnectionPageInfo: ConnectionPageInfo;
  ConnectionPage: ConnectionPage;
  SyncJob: SyncJob;
  DisconnectResult: DisconnectResult;
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface DecimalCountScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DecimalCount'], any> {
  name: 'DecimalCount';
}

export type ApiStatusResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiStatus'] = ResolversParentTypes['ApiStatus']> = {
  ok?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type IntegrationReadinessResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IntegrationReadiness'] = ResolversParentTypes['IntegrationReadiness']> = {
  providers?: Resolver<Array<ResolversTypes['ProviderReadiness']>, ParentType, ContextType>;
  idpIdentityAvailable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ProviderReadinessResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProviderReadiness'] = ResolversParentTypes['ProviderReadiness']> = {
  provider?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  available?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ConnectSessionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ConnectSession'] = ResolversParentTypes['ConnectSession']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  launchUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  launchToken?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  resultExpiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ConnectSessionResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ConnectSessionResult'] = ResolversParentTypes['ConnectSessionResult']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ConnectSessionStatus'], ParentType, ContextType>;
  resultCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  connectionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  creatorAction?: Resolver<Maybe<ResolversTypes['ConnectCreatorAction']>, ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  resultExpiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type IdpIdentitySessionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IdpIdentitySession'] = ResolversParentTypes['IdpIdentitySession']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  launchUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  launchToken?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  resultProof?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  resultExpiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type IdpIdentityResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IdpIdentityResult'] = ResolversParentTypes['IdpIdentityResult']> = {
  status?: Resolver<ResolversTypes['IdpIdentityStatus'], ParentType, ContextType>;
  issuer?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  idpSub?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  emailVerified?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pictureUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Connection'] = ResolversParentTypes['Connection']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  providerAccountId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ConnectionStatus'], ParentType, ContextType>;
  syncStatus?: Resolver<ResolversTypes['SyncStatus'], ParentType, ContextType>;
  capabilities?: Resolver<Array<ResolversTypes['CapabilityState']>, ParentType, ContextType>;
  profile?: Resolver<Maybe<ResolversTypes['Profile']>, ParentType, ContextType>;
  lastSuccessfulSyncAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  nextRetryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type CapabilityStateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CapabilityState'] = ResolversParentTypes['CapabilityState']> = {
  capability?: Resolver<ResolversTypes['Capability'], ParentType, ContextType>;
  availability?: Resolver<ResolversTypes['Availability'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProfileResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Profile'] = ResolversParentTypes['Profile']> = {
  providerAccountId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  displayName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  handle?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  avatarUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  profileUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  observedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type MetricObservationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['MetricObservation'] = ResolversParentTypes['MetricObservation']> = {
  name?: Resolver<ResolversTypes['MetricName'], ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['DecimalCount']>, ParentType, ContextType>;
  availability?: Resolver<ResolversTypes['Availability'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sourceField?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  observedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ContentItemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ContentItem'] = ResolversParentTypes['ContentItem']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  providerContentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ContentKind'], ParentType, ContextType>;
  canonicalUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  thumbnailUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  publishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  availability?: Resolver<ResolversTypes['Availability'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  observedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  metrics?: Resolver<Array<ResolversTypes['MetricObservation']>, ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  completeForWindow?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  incompleteReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ContentPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ContentPage'] = ResolversParentTypes['ContentPage']> = {
  items?: Resolver<Array<ResolversTypes['ContentItem']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  lastSuccessfulSyncAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type ConnectionPageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ConnectionPageInfo'] = ResolversParentTypes['ConnectionPageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ConnectionPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ConnectionPage'] = ResolversParentTypes['ConnectionPage']> = {
  items?: Resolver<Array<ResolversTypes['Connection']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['ConnectionPageInfo'], ParentType, ContextType>;
};

export type SyncJobResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SyncJob'] = ResolversParentTypes['SyncJob']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['JobStatus'], ParentType, ContextType>;
  nextRetryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  errorCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  creatorAction?: Resolver<Maybe<ResolversTypes['ConnectCreatorAction']>, ParentType, ContextType>;
  resultProviderContentId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  completeForWindow?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  incompleteReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  continuationCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DisconnectResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DisconnectResult'] = ResolversParentTypes['DisconnectResult']> = {
  accepted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  connectionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  upstreamRevocationPending?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  revokeJobId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  eraseJobId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  status: Resolver<ResolversTypes['ApiStatus'], ParentType, PublicContext>;
  integrationReadiness: Resolver<ResolversTypes['IntegrationReadiness'], ParentType, ContextType>;
  connectSessionResult: Resolver<ResolversTypes['ConnectSessionResult'], ParentType, ContextType, RequireFields<QueryConnectSessionResultArgs, 'scope' | 'id'>>;
  connection: Resolver<ResolversTypes['Connection'], ParentType, ContextType, RequireFields<QueryConnectionArgs, 'scope' | 'id'>>;
  connections: Resolver<ResolversTypes['ConnectionPage'], ParentType, ContextType, RequireFields<QueryConnectionsArgs, 'scope' | 'first'>>;
  content: Resolver<ResolversTypes['ContentPage'], ParentType, ContextType, RequireFields<QueryContentArgs, 'scope' | 'connectionId' | 'window'>>;
  contentItem: Resolver<Maybe<ResolversTypes['ContentItem']>, ParentType, ContextType, RequireFields<QueryContentItemArgs, 'scope' | 'connectionId' | 'providerContentId'>>;
  syncJob: Resolver<ResolversTypes['SyncJob'], ParentType, ContextType, RequireFields<QuerySyncJobArgs, 'scope' | 'connectionId' | 'id'>>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createConnectSession: Resolver<ResolversTypes['ConnectSession'], ParentType, ContextType, RequireFields<MutationCreateConnectSessionArgs, 'input'>>;
  createIdpIdentitySession: Resolver<ResolversTypes['IdpIdentitySession'], ParentType, ContextType, RequireFields<MutationCreateIdpIdentitySessionArgs, 'input'>>;
  redeemIdpIdentityResult: Resolver<ResolversTypes['IdpIdentityResult'], ParentType, ContextType, RequireFields<MutationRedeemIdpIdentityResultArgs, 'id' | 'tenantKey' | 'resultProof'>>;
  disconnectConnection: Resolver<ResolversTypes['DisconnectResult'], ParentType, ContextType, RequireFields<MutationDisconnectConnectionArgs, 'scope' | 'connectionId'>>;
  requestRefresh: Resolver<ResolversTypes['SyncJob'], ParentType, ContextType, RequireFields<MutationRequestRefreshArgs, 'scope' | 'connectionId'>>;
  requestContentLookup: Resolver<ResolversTypes['SyncJob'], ParentType, ContextType, RequireFields<MutationRequestContentLookupArgs, 'scope' | 'connectionId' | 'url'>>;
};

export type Resolvers<ContextType = Context> = {
  DateTime?: GraphQLScalarType;
  DecimalCount?: GraphQLScalarType;
  ApiStatus?: ApiStatusResolvers<ContextType>;
  IntegrationReadiness?: IntegrationReadinessResolvers<ContextType>;
  ProviderReadiness?: ProviderReadinessResolvers<ContextType>;
  ConnectSession?: ConnectSessionResolvers<ContextType>;
  ConnectSessionResult?: ConnectSessionResultResolvers<ContextType>;
  IdpIdentitySession?: IdpIdentitySessionResolvers<ContextType>;
  IdpIdentityResult?: IdpIdentityResultResolvers<ContextType>;
  Connection?: ConnectionResolvers<ContextType>;
  CapabilityState?: CapabilityStateResolvers<ContextType>;
  Profile?: ProfileResolvers<ContextType>;
  MetricObservation?: MetricObservationResolvers<ContextType>;
  ContentItem?: ContentItemResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  ContentPage?: ContentPageResolvers<ContextType>;
  ConnectionPageInfo?: ConnectionPageInfoResolvers<ContextType>;
  ConnectionPage?: ConnectionPageResolvers<ContextType>;
  SyncJob?: SyncJobResolvers<ContextType>;
  DisconnectResult?: DisconnectResultResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};
/** schema.graphql, word for word. */
export const schemaText = [
  "\"\"\"",
  "Connects your users' accounts at social platforms, and reads their profiles, posts and metrics.",
  "",
  "The endpoint is `POST /graphql`, for servers only: CORS is not enabled, and the application key must never reach a",
  "browser. Every operation except `status` needs `Authorization: Bearer <key-id>.<secret>`.",
  "",
  "Each error has `message`, for a person, and `extensions` with `code`, `correlationId` (a UUID to quote in a report) and,",
  "on `RATE_LIMITED`, `retryAfterSeconds`. Read the body rather than the HTTP status: most failed operations answer 200,",
  "`BAD_USER_INPUT` answers 400, and a body over 64 KiB answers 413 without a GraphQL body.",
  "",
  "Limits of a request: one operation, 8 aliases of 64 characters, fields nested 8 deep, a cost of 100 (each root field costs",
  "10, each nested field 1, fragments count at every spread), variables of 250 values in all, with lists of 100 elements and",
  "nested 8 deep, a JSON body of 64 KiB, no batching.",
  "",
  "Any operation that needs the key can answer `UNAUTHENTICATED` (the key is missing, malformed, unknown, revoked or",
  "expired), `FORBIDDEN` (the app is disabled), `BAD_USER_INPUT` (an argument or the request breaks a rule or a limit),",
  "`RATE_LIMITED` (the app exceeds its requests per second) and `UPSTREAM_UNAVAILABLE` (the service failed; try again",
  "later). Each field of Query and Mutation lists its further codes.",
  "\"\"\"",
  "schema {",
  "  query: Query",
  "  mutation: Mutation",
  "}",
  "",
  "\"\"\"",
  "An ISO 8601 date-time with a zone, such as `2026-01-31T09:30:00.000Z`. Inputs may have any offset (`Z`, `+02:00`, `+0200`",
  "or `+02`), may omit the seconds, and may have up to nine decimals, of which the service keeps three. Outputs are in UTC",
  "with milliseconds.",
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
  "\"A step that only the owner of the account can do.\"",
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
  "  \"On hold: a disconnect of another account may also have ended its grant. It resumes by itself.\"",
  "  SUSPENDED",
  "  \"Its grant has ended. Connect again, with its id as `reconnectConnectionId`.\"",
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
  "",
  "\"\"\"",
  "The user that an account belongs to, by your own ids. Derive both values on your server from your own signed-in session,",
  "never from browser input: the service trusts them.",
  "\"\"\"",
  "input SubjectScope {",
  "  \"One of the tenant keys registered for your app. 1 to 128 characters.\"",
  "  tenantKey: String!",
  "  \"Your own id of the user within the tenant. 1 to 128 characters.\"",
  "  externalSubjectId: String!",
  "}",
  "",
  "\"The account to connect.\"",
  "input ConnectInput {",
  "  \"The user that the account belongs to. The tenant must be registered.\"",
  "  scope: SubjectScope!",
  "  \"A provider that your app may use.\"",
  "  provider: SocialProvider!",
  "  \"At least one capability, without duplicates. Your app's policy must allow all of them.\"",
  "  capabilities: [Capability!]!",
  "  \"\"\"",
  "  The URL the browser returns to: exactly one of your app's registered return URLs, without a fragment and without a",
  "  query parameter whose name begins with `ss_`. The service adds `ss_session_id`.",
  "  \"\"\"",
  "  returnUrl: String!",
  "  \"\"\"",
  "  The connection to reconnect. It keeps its id. It must be in the same scope and at the same provider, and CONNECTED,",
  "  SUSPENDED or RECONNECT_REQUIRED.",
  "  \"\"\"",
  "  reconnectConnectionId: ID",
  "}",
  "",
  "\"The tenant and return URL of a sign-in.\"",
  "input IdpIdentityInput {",
  "  \"One of the tenant keys registered for your app. 1 to 128 characters.\"",
  "  tenantKey: String!",
  "  \"Exactly your app's registered identity return URL.\"",
  "  returnUrl: String!",
  "}",
  "",
  "\"The posts to scan.\"",
  "input SyncWindow {",
  "  \"Posts published at this instant or later.\"",
  "  publishedAfter: DateTime!",
  "  \"\"\"",
  "  Posts published before this instant, which is after `publishedAfter` and at most 90 days later. If the window ends now,",
  "  the scan reads up to the moment it requests its first page.",
  "  \"\"\"",
  "  publishedBefore: DateTime!",
  "  \"The most posts to read. 1 to 100.\"",
  "  maxItems: Int = 100",
  "}",
  "",
  "\"The stored posts to list.\"",
  "input ContentWindow {",
  "  \"Posts published at this instant or later.\"",
  "  publishedAfter: DateTime!",
  "  \"Posts published before this instant, which is after `publishedAfter` and at most 90 days later.\"",
  "  publishedBefore: DateTime!",
  "  \"The most posts on a page. 1 to 50.\"",
  "  first: Int!",
  "  \"`pageInfo.endCursor` of the previous page of the same window.\"",
  "  after: String",
  "}",
  "",
  "\"A liveness check.\"",
  "type ApiStatus {",
  "  \"Always true.\"",
  "  ok: Boolean!",
  "  \"A sentence for a person.\"",
  "  message: String!",
  "}",
  "",
  "\"The flows that your app can start now, by policy and configuration. A consent can still fail.\"",
  "type IntegrationReadiness {",
  "  \"One entry for each provider.\"",
  "  providers: [ProviderReadiness!]!",
  "  \"True if your app can start the identity flow.\"",
  "  idpIdentityAvailable: Boolean!",
  "}",
  "",
  "\"Says whether your app can start a Connect attempt at a provider.\"",
  "type ProviderReadiness {",
  "  \"PROVIDER_A, PROVIDER_B or PROVIDER_C.\"",
  "  provider: String!",
  "  \"True if your app's policy and the service's configuration allow an attempt.\"",
  "  available: Boolean!",
  "}",
  "",
  "\"A new Connect attempt.\"",
  "type ConnectSession {",
  "  \"Save it with the signed-in user's session before the browser leaves.\"",
  "  id: ID!",
  "  \"Post the launch token here, from a form in the browser.\"",
  "  launchUrl: String!",
  "  \"A one-use token of 64 hexadecimal characters. Send it only in the form field `launchToken`.\"",
  "  launchToken: String!",
  "  \"The attempt expires at this instant, 10 minutes after its creation.\"",
  "  expiresAt: DateTime!",
  "  \"You can read the result until this instant, 24 hours after the creation.\"",
  "  resultExpiresAt: DateTime!",
  "}",
  "",
  "\"The status or result of a Connect attempt.\"",
  "type ConnectSessionResult {",
  "  \"As `ConnectSession.id`.\"",
  "  id: ID!",
  "  \"The requested provider.\"",
  "  provider: SocialProvider!",
  "  \"The status of the attempt.\"",
  "  status: ConnectSessionStatus!",
  "  \"\"\"",
  "  The reason for the result: ACCESS_DENIED, MISSING_PERMISSION, PARTIAL_PERMISSION (completed with fewer capabilities",
  "  than requested), ACCOUNT_MISMATCH (a reconnect returned another account), ACCOUNT_DISCONNECTING, EXCHANGE_FAILED,",
  "  PROVIDER_UNAVAILABLE, REGISTRATION_PAUSED, POLICY_CHANGED, EXPIRED or CANCELED. Null while the attempt is unfinished",
  "  and if it completed in full. Future versions may add codes.",
  "  \"\"\"",
  "  resultCode: String",
  "  \"The connection, once COMPLETED.\"",
  "  connectionId: ID",
  "  \"\"\"",
  "  A step for the account's owner at the provider, or null. On an EXPIRED or CANCELED attempt it may be set later, once,",
  "  if a grant may still exist at the provider. The rest of a result never changes.",
  "  \"\"\"",
  "  creatorAction: ConnectCreatorAction",
  "  \"The attempt expires at this instant.\"",
  "  expiresAt: DateTime!",
  "  \"You can read the result until this instant.\"",
  "  resultExpiresAt: DateTime!",
  "}",
  "",
  "\"A new sign-in.\"",
  "type IdpIdentitySession {",
  "  \"Keep it with the browser's session.\"",
  "  id: ID!",
  "  \"Post the launch token here, from a form in the browser.\"",
  "  launchUrl: String!",
  "  \"A one-use token. Send it only in the form field `launchToken`.\"",
  "  launchToken: String!",
  "  \"Redeems the result. Keep it on your server.\"",
  "  resultProof: String!",
  "  \"The sign-in expires at this instant, 10 minutes after its creation.\"",
  "  expiresAt: DateTime!",
  "  \"You can redeem the result until this instant, 20 minutes after the creation.\"",
  "  resultExpiresAt: DateTime!",
  "}",
  "",
  "\"The status or result of a sign-in. All fields except `status` are null unless it COMPLETED.\"",
  "type IdpIdentityResult {",
  "  \"The status of the sign-in.\"",
  "  status: IdpIdentityStatus!",
  "  \"The identity provider's issuer URL.\"",
  "  issuer: String",
  "  \"The identity provider's stable id of the person. Find your user by `issuer` plus `idpSub`, never by the e-mail address.\"",
  "  idpSub: String",
  "  \"The e-mail address, if the identity provider sent one.\"",
  "  email: String",
  "  \"True if the identity provider says that it verified the address.\"",
  "  emailVerified: Boolean",
  "  \"The person's name, if known.\"",
  "  name: String",
  "  \"The URL of a picture, if known.\"",
  "  pictureUrl: String",
  "}",
  "",
  "\"The link between a scope and an account. It outlives its grants.\"",
  "type Connection {",
  "  \"Stays the same across reconnects.\"",
  "  id: ID!",
  "  \"The account's provider.\"",
  "  provider: SocialProvider!",
  "  \"The provider's own id of the account: a channel ID (PROVIDER_A), an open_id (PROVIDER_B), a user ID (PROVIDER_C).\"",
  "  providerAccountId: String!",
  "  \"The status of the connection.\"",
  "  status: ConnectionStatus!",
  "  \"Says how fresh its stored posts are.\"",
  "  syncStatus: SyncStatus!",
  "  \"One entry for each granted capability.\"",
  "  capabilities: [CapabilityState!]!",
  "  \"Null unless the connection is CONNECTED, PROFILE is available and the profile is under 30 days old.\"",
  "  profile: Profile",
  "  \"\"\"",
  "  The instant at which the last complete scan requested its first page. For a continued scan, the first scan of the chain",
  "  counts. Posts published later are not in the scan. A scan that ends incomplete does not change it. Null unless CONNECTED.",
  "  \"\"\"",
  "  lastSuccessfulSyncAt: DateTime",
  "  \"The instant, always in the future, at which a failed scan retries. Null unless CONNECTED and a scan waits.\"",
  "  nextRetryAt: DateTime",
  "}",
  "",
  "\"The state of one granted capability.\"",
  "type CapabilityState {",
  "  \"The capability.\"",
  "  capability: Capability!",
  "  \"Says whether it can be used.\"",
  "  availability: Availability!",
  "  \"The reason if it is not AVAILABLE.\"",
  "  reason: String",
  "}",
  "",
  "\"An account's profile as last read.\"",
  "type Profile {",
  "  \"The provider's own id of the account.\"",
  "  providerAccountId: String!",
  "  \"The displayed name.\"",
  "  displayName: String",
  "  \"The handle, as the provider writes it: PROVIDER_A's begins with an @, the others' do not.\"",
  "  handle: String",
  "  \"The URL of the picture. It may expire at the provider.\"",
  "  avatarUrl: String",
  "  \"The URL of the account's page.\"",
  "  profileUrl: String",
  "  \"The account's description of itself.\"",
  "  description: String",
  "  \"The instant at which the service read the profile.\"",
  "  observedAt: DateTime!",
  "}",
  "",
  "\"One metric of a post as last read.\"",
  "type MetricObservation {",
  "  \"The name of the metric.\"",
  "  name: MetricName!",
  "  \"The count. Null means unknown, not zero.\"",
  "  value: DecimalCount",
  "  \"Says whether the provider returns it.\"",
  "  availability: Availability!",
  "  \"The reason if it is not AVAILABLE.\"",
  "  reason: String",
  "  \"The name of the field in the provider's response.\"",
  "  sourceField: String",
  "  \"The instant at which the service read the metric.\"",
  "  observedAt: DateTime!",
  "}",
  "",
  "\"A post as last read.\"",
  "type ContentItem {",
  "  \"The service's id of the post.\"",
  "  id: ID!",
  "  \"The provider's id of the post. Pass it to `contentItem` and `requestRefresh`.\"",
  "  providerContentId: String!",
  "  \"The post's provider.\"",
  "  provider: SocialProvider!",
  "  \"The kind of the post.\"",
  "  kind: ContentKind!",
  "  \"The URL of the post's page.\"",
  "  canonicalUrl: String",
  "  \"The URL of a preview. It may expire at the provider. Always null for PROVIDER_A, sometimes null for PROVIDER_C images.\"",
  "  thumbnailUrl: String",
  "  \"The title. Always null for PROVIDER_C.\"",
  "  title: String",
  "  \"The text.\"",
  "  description: String",
  "  \"The instant of its publication.\"",
  "  publishedAt: DateTime",
  "  \"Says whether the post is still available.\"",
  "  availability: Availability!",
  "  \"The reason if it is not AVAILABLE, such as EXPIRED (last read over 30 days ago) or CONTENT_NOT_FOUND.\"",
  "  reason: String",
  "  \"The instant at which the service last read the post.\"",
  "  observedAt: DateTime!",
  "  \"Empty unless the connection has CONTENT_METRICS.\"",
  "  metrics: [MetricObservation!]!",
  "}",
  "",
  "\"The position of a page of posts in its window.\"",
  "type PageInfo {",
  "  \"Pass it as `after` to get the next page. Null on an empty page.\"",
  "  endCursor: String",
  "  \"True if there are more posts.\"",
  "  hasNextPage: Boolean!",
  "  \"\"\"",
  "  True only if scans that finished in the last 24 hours covered the whole window. A scan covers no posts published after",
  "  it requested its first page, so a window that ends later than `lastSuccessfulSyncAt` is never complete.",
  "  \"\"\"",
  "  completeForWindow: Boolean!",
  "  \"\"\"",
  "  The reason if it is not complete: NEVER_SCANNED, SCAN_RUNNING, SCAN_STALE, SCAN_FAILED or PARTLY_SCANNED. Future",
  "  versions may add reasons.",
  "  \"\"\"",
  "  incompleteReason: String",
  "}",
  "",
  "\"A page of stored posts, newest first.\"",
  "type ContentPage {",
  "  \"Posts read in the last 30 days.\"",
  "  items: [ContentItem!]!",
  "  \"The position of the page.\"",
  "  pageInfo: PageInfo!",
  "  \"The same as `Connection.lastSuccessfulSyncAt`. Pass it as `publishedBefore` to read only what the last scan covered.\"",
  "  lastSuccessfulSyncAt: DateTime",
  "}",
  "",
  "\"The position of a page of connections.\"",
  "type ConnectionPageInfo {",
  "  \"Pass it as `after` to get the next page. Null on an empty page.\"",
  "  endCursor: String",
  "  \"True if there are more connections.\"",
  "  hasNextPage: Boolean!",
  "}",
  "",
  "\"A page of a subject's connections.\"",
  "type ConnectionPage {",
  "  \"Connections in every status. A disconnected one stays until it is erased.\"",
  "  items: [Connection!]!",
  "  \"The position of the page.\"",
  "  pageInfo: ConnectionPageInfo!",
  "}",
  "",
  "\"A background job: a scan, a metrics refresh, a lookup, a revoke or an erase.\"",
  "type SyncJob {",
  "  \"The id by which you read the job again.\"",
  "  id: ID!",
  "  \"The status of the job.\"",
  "  status: JobStatus!",
  "  \"The instant, always in the future, at which the job retries. Null unless it waits.\"",
  "  nextRetryAt: DateTime",
  "  \"\"\"",
  "  The reason why it failed or waits: PROVIDER_UNAVAILABLE, PROVIDER_RATE_LIMITED, RECONNECT_REQUIRED,",
  "  CAPABILITY_UNAVAILABLE, AUTHORIZATION_SUSPENDED, CONTENT_NOT_FOUND, UNSUPPORTED_URL, CONNECTION_DISCONNECTED,",
  "  PROVIDER_CONTRACT or INTERNAL. Future versions may add codes.",
  "  \"\"\"",
  "  errorCode: String",
  "  \"On a revoke: a step for the account's owner at the provider, or null.\"",
  "  creatorAction: ConnectCreatorAction",
  "  \"On a successful lookup: the post's id. Read the post with `contentItem`.\"",
  "  resultProviderContentId: String",
  "  \"On a scan that has ended: true if it read its whole window, as of the moment it requested its first page.\"",
  "  completeForWindow: Boolean",
  "  \"\"\"",
  "  On a scan: the reason why it did not cover its window: MAX_ITEMS, PROVIDER_LIMIT or PROVIDER_UNAVAILABLE. On a",
  "  successful lookup: the reason why the post is not available. On a failed one: PROVIDER_LIMIT if the account may have the",
  "  post, beyond those that a lookup can search. Future versions may add reasons.",
  "  \"\"\"",
  "  incompleteReason: String",
  "  \"On a successful but incomplete scan less than 24 hours old: pass it to `requestRefresh` to continue the scan.\"",
  "  continuationCursor: String",
  "}",
  "",
  "\"The jobs that a disconnect has started.\"",
  "type DisconnectResult {",
  "  \"True: access has ended.\"",
  "  accepted: Boolean!",
  "  \"The connection's id, with which you read both jobs.\"",
  "  connectionId: ID!",
  "  \"True until the revoke job succeeds.\"",
  "  upstreamRevocationPending: Boolean!",
  "  \"The job that revokes the grant at the provider. You can read it for 7 days.\"",
  "  revokeJobId: ID!",
  "  \"The job that erases the stored data. You can read it for 7 days.\"",
  "  eraseJobId: ID!",
  "}",
  "",
  "\"Operations that read.\"",
  "type Query {",
  "  \"Checks that the service answers. Needs no key. Adds no codes.\"",
  "  status: ApiStatus!",
  "",
  "  \"Says which flows your app can start now. Adds no codes.\"",
  "  integrationReadiness: IntegrationReadiness!",
  "",
  "  \"\"\"",
  "  Reads the status of a Connect attempt until 24 hours after its creation. An unfinished one is EXPIRED after `expiresAt`.",
  "",
  "  Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (no such attempt in this scope, or its result was",
  "  deleted).",
  "  \"\"\"",
  "  connectSessionResult(",
  "    \"The scope that the attempt was created with.\"",
  "    scope: SubjectScope!",
  "    \"`ConnectSession.id`.\"",
  "    id: ID!",
  "  ): ConnectSessionResult!",
  "",
  "  \"\"\"",
  "  Reads one connection. If it is CONNECTED, the service first checks whether your app may still read it. In any other",
  "  status, its profile is null.",
  "",
  "  Codes: `FORBIDDEN` (the tenant is not registered, or your app's policy no longer allows the tenant, the provider or a",
  "  capability), `CAPABILITY_UNAVAILABLE` (the provider registration no longer serves your app), `AUTHORIZATION_SUSPENDED`",
  "  (the provider registration is paused), `RECONNECT_REQUIRED` (the grant has ended), `NOT_FOUND` (erased, or in another",
  "  scope).",
  "  \"\"\"",
  "  connection(\"The connection's scope.\" scope: SubjectScope!, \"`Connection.id`.\" id: ID!): Connection!",
  "",
  "  \"\"\"",
  "  Lists a subject's connections in the tenant, in every status. Each row goes through the same check as `connection`. If",
  "  one fails, the whole call fails with its code.",
  "",
  "  Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, as for `connection`.",
  "  \"\"\"",
  "  connections(",
  "    \"The connections' scope.\"",
  "    scope: SubjectScope!",
  "    \"The most connections on a page. 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the previous page.\"",
  "    after: String",
  "  ): ConnectionPage!",
  "",
  "  \"\"\"",
  "  Lists stored posts that were published in a window, newest first. Needs CONTENT_LIST.",
  "",
  "  Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE` (also if the connection lacks CONTENT_LIST), `AUTHORIZATION_SUSPENDED`",
  "  (also if it is SUSPENDED), `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS` (DISCONNECTED or DELETING), `NOT_FOUND`, as for",
  "  `connection`.",
  "  \"\"\"",
  "  content(",
  "    \"The connection's scope.\"",
  "    scope: SubjectScope!",
  "    \"`Connection.id`.\"",
  "    connectionId: ID!",
  "    \"The window of the posts, at most 90 days.\"",
  "    window: ContentWindow!",
  "  ): ContentPage!",
  "",
  "  \"\"\"",
  "  Reads one stored post, or null if the service never read it. Needs CONTENT_LIST or CONTENT_LOOKUP. If it was last read",
  "  over 30 days ago, its fields are null, its availability is UNAVAILABLE, its reason is EXPIRED, and it has no metrics.",
  "",
  "  Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`,",
  "  `NOT_FOUND` (the connection), as for `content`.",
  "  \"\"\"",
  "  contentItem(",
  "    \"The connection's scope.\"",
  "    scope: SubjectScope!",
  "    \"`Connection.id`.\"",
  "    connectionId: ID!",
  "    \"`ContentItem.providerContentId`.\"",
  "    providerContentId: String!",
  "  ): ContentItem",
  "",
  "  \"\"\"",
  "  Reads a job. A scan, metrics refresh or lookup can be read for 7 days after it finished; a revoke or erase for 7 days",
  "  after its creation, even after the connection is erased.",
  "",
  "  Codes: `NOT_FOUND` (no such job of this connection in this scope, or it was deleted; also if the tenant is not",
  "  registered).",
  "  \"\"\"",
  "  syncJob(",
  "    \"The connection's scope.\"",
  "    scope: SubjectScope!",
  "    \"The job's connection. For a revoke or erase, the disconnected one.\"",
  "    connectionId: ID!",
  "    \"`SyncJob.id`, or `DisconnectResult.revokeJobId` or `eraseJobId`.\"",
  "    id: ID!",
  "  ): SyncJob!",
  "}",
  "",
  "\"Operations that write. They do not wait for a provider: poll the result.\"",
  "type Mutation {",
  "  \"\"\"",
  "  Creates a Connect attempt. Save its `id` with the signed-in user's session, then let the browser post `launchToken` to",
  "  `launchUrl`.",
  "",
  "  Codes: `FORBIDDEN` (the tenant is not registered, your app's policy does not allow this, or the revoke of a PROVIDER_A or",
  "  PROVIDER_B disconnect has not settled: try again once it has), `NOT_FOUND` (the connection to reconnect),",
  "  `DISCONNECT_IN_PROGRESS` (the connection to reconnect is DISCONNECTED or DELETING), `RATE_LIMITED` (the subject has 5 unfinished",
  "  attempts at this provider).",
  "  \"\"\"",
  "  createConnectSession(\"The account to connect.\" input: ConnectInput!): ConnectSession!",
  "",
  "  \"\"\"",
  "  Creates a sign-in at the identity provider. Keep `resultProof` on your server and let the browser post `launchToken` to",
  "  `launchUrl`.",
  "",
  "  Codes: `CAPABILITY_UNAVAILABLE` (the identity flow is not set up for your app), `FORBIDDEN` (the tenant is not",
  "  registered), `RATE_LIMITED` (your app has 20 unfinished sign-ins).",
  "  \"\"\"",
  "  createIdpIdentitySession(\"The tenant and return URL.\" input: IdpIdentityInput!): IdpIdentitySession!",
  "",
  "  \"\"\"",
  "  Redeems the result of a sign-in, once. You can call it again while it answers PENDING; any other status spends the proof.",
  "",
  "  Codes: `NOT_FOUND` (no such sign-in for this tenant and proof, already redeemed, or deleted; also if the tenant is not",
  "  registered).",
  "  \"\"\"",
  "  redeemIdpIdentityResult(",
  "    \"`IdpIdentitySession.id`.\"",
  "    id: ID!",
  "    \"The tenant of the sign-in. 1 to 128 characters.\"",
  "    tenantKey: String!",
  "    \"`IdpIdentitySession.resultProof`.\"",
  "    resultProof: String!",
  "  ): IdpIdentityResult!",
  "",
  "  \"\"\"",
  "  Disconnects an account: ends access at once, and starts the revoke at the provider and the erase of all stored data.",
  "  Until the erase is done, a second call returns the same jobs.",
  "",
  "  Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (erased, or in another scope).",
  "  \"\"\"",
  "  disconnectConnection(",
  "    \"The connection's scope.\"",
  "    scope: SubjectScope!",
  "    \"`Connection.id`.\"",
  "    connectionId: ID!",
  "  ): DisconnectResult!",
  "",
  "  \"\"\"",
  "  Queues a scan, or with `providerContentId` a refresh of one post's metrics. A scan needs CONTENT_LIST, a refresh",
  "  CONTENT_METRICS. If a job for the same window or post is in flight, you get that job.",
  "",
  "  Codes: `SYNC_WINDOW_BUSY` (a scan of another window is in flight), `RATE_LIMITED` (your app has 20 read jobs in",
  "  flight; `retryAfterSeconds` is 60), `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`,",
  "  `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for `content`; `NOT_FOUND` also for a post not stored.",
  "  \"\"\"",
  "  requestRefresh(",
  "    \"The connection's scope.\"",
  "    scope: SubjectScope!",
  "    \"`Connection.id`.\"",
  "    connectionId: ID!",
  "    \"The post to refresh. Do not combine it with a window or a cursor.\"",
  "    providerContentId: String",
  "    \"The window to scan, at most 90 days. The last 7 days by default.\"",
  "    window: SyncWindow",
  "    \"`SyncJob.continuationCursor` of the scan to continue. If you also pass a window, it must equal the window of that scan.\"",
  "    continuationCursor: String",
  "  ): SyncJob!",
  "",
  "  \"\"\"",
  "  Queues a lookup of one post by its URL. Needs CONTENT_LOOKUP. Once it has succeeded, read the post with `contentItem`",
  "  and check its availability.",
  "",
  "  Codes: `RATE_LIMITED` (your app has 20 read jobs in flight; `retryAfterSeconds` is 60), `FORBIDDEN`,",
  "  `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for",
  "  `content`.",
  "  \"\"\"",
  "  requestContentLookup(",
  "    \"The connection's scope.\"",
  "    scope: SubjectScope!",
  "    \"`Connection.id`.\"",
  "    connectionId: ID!",
  "    \"The URL of the post's page: https, without credentials, port or fragment, at most 2,048 characters.\"",
  "    url: String!",
  "  ): SyncJob!",
  "}",
  ""
].join('\n');
