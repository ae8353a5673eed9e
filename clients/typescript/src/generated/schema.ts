// Generated from schema.graphql by `npm run codegen`; do not edit.
import type { CallOptions } from '../call-options.js';

export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
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
  DateTime: { input: string; output: string; }
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
  readonly tenantKey: Scalars['String']['input'];
  /** Your own id of the user within the tenant. 1 to 128 characters. */
  readonly externalSubjectId: Scalars['String']['input'];
};

/** The account to connect. */
export type ConnectInput = {
  /** The user that the account belongs to. The tenant must be registered. */
  readonly scope: SubjectScope;
  /** A provider that your app may use. */
  readonly provider: SocialProvider;
  /** At least one capability, without duplicates. Your app's policy must allow all of them. */
  readonly capabilities: ReadonlyArray<Capability>;
  /**
   * The URL the browser returns to: exactly one of your app's registered return URLs, without a fragment and without a
   * query parameter whose name begins with `ss_`. The service adds `ss_session_id`.
   */
  readonly returnUrl: Scalars['String']['input'];
  /**
   * The connection to reconnect. It keeps its id. It must be in the same scope and at the same provider, and CONNECTED,
   * SUSPENDED or RECONNECT_REQUIRED.
   */
  readonly reconnectConnectionId?: InputMaybe<Scalars['ID']['input']>;
};

/** The tenant and return URL of a sign-in. */
export type IdpIdentityInput = {
  /** One of the tenant keys registered for your app. 1 to 128 characters. */
  readonly tenantKey: Scalars['String']['input'];
  /** Exactly your app's registered identity return URL. */
  readonly returnUrl: Scalars['String']['input'];
};

/** The posts to scan. */
export type SyncWindow = {
  /** Posts published at this instant or later. */
  readonly publishedAfter: Scalars['DateTime']['input'];
  /**
   * Posts published before this instant, which is after `publishedAfter` and at most 90 days later. If the window ends now,
   * the scan reads up to the moment it requests its first page.
   */
  readonly publishedBefore: Scalars['DateTime']['input'];
  /** The most posts to read. 1 to 100. */
  readonly maxItems?: InputMaybe<Scalars['Int']['input']>;
};

/** The stored posts to list. */
export type ContentWindow = {
  /** Posts published at this instant or later. */
  readonly publishedAfter: Scalars['DateTime']['input'];
  /** Posts published before this instant, which is after `publishedAfter` and at most 90 days later. */
  readonly publishedBefore: Scalars['DateTime']['input'];
  /** The most posts on a page. 1 to 50. */
  readonly first: Scalars['Int']['input'];
  /** `pageInfo.endCursor` of the previous page of the same window. */
  readonly after?: InputMaybe<Scalars['String']['input']>;
};

/** A liveness check. */
export type ApiStatus = {
  /** Always true. */
  readonly ok: Scalars['Boolean']['output'];
  /** A sentence for a person. */
  readonly message: Scalars['String']['output'];
};

/** The flows that your app can start now, by policy and configuration. A consent can still fail. */
export type IntegrationReadiness = {
  /** One entry for each provider. */
  readonly providers: ReadonlyArray<ProviderReadiness>;
  /** True if your app can start the identity flow. */
  readonly idpIdentityAvailable: Scalars['Boolean']['output'];
};

/** Says whether your app can start a Connect attempt at a provider. */
export type ProviderReadiness = {
  /** PROVIDER_A, PROVIDER_B or PROVIDER_C. */
  readonly provider: Scalars['String']['output'];
  /** True if your app's policy and the service's configuration allow an attempt. */
  readonly available: Scalars['Boolean']['output'];
};

/** A new Connect attempt. */
export type ConnectSession = {
  /** Save it with the signed-in user's session before the browser leaves. */
  readonly id: Scalars['ID']['output'];
  /** Post the launch token here, from a form in the browser. */
  readonly launchUrl: Scalars['String']['output'];
  /** A one-use token of 64 hexadecimal characters. Send it only in the form field `launchToken`. */
  readonly launchToken: Scalars['String']['output'];
  /** The attempt expires at this instant, 10 minutes after its creation. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** You can read the result until this instant, 24 hours after the creation. */
  readonly resultExpiresAt: Scalars['DateTime']['output'];
};

/** The status or result of a Connect attempt. */
export type ConnectSessionResult = {
  /** As `ConnectSession.id`. */
  readonly id: Scalars['ID']['output'];
  /** The requested provider. */
  readonly provider: SocialProvider;
  /** The status of the attempt. */
  readonly status: ConnectSessionStatus;
  /**
   * The reason for the result: ACCESS_DENIED, MISSING_PERMISSION, PARTIAL_PERMISSION (completed with fewer capabilities
   * than requested), ACCOUNT_MISMATCH (a reconnect returned another account), ACCOUNT_DISCONNECTING, EXCHANGE_FAILED,
   * PROVIDER_UNAVAILABLE, REGISTRATION_PAUSED, POLICY_CHANGED, EXPIRED or CANCELED. Null while the attempt is unfinished
   * and if it completed in full. Future versions may add codes.
   */
  readonly resultCode: Maybe<Scalars['String']['output']>;
  /** The connection, once COMPLETED. */
  readonly connectionId: Maybe<Scalars['ID']['output']>;
  /**
   * A step for the account's owner at the provider, or null. On an EXPIRED or CANCELED attempt it may be set later, once,
   * if a grant may still exist at the provider. The rest of a result never changes.
   */
  readonly creatorAction: Maybe<ConnectCreatorAction>;
  /** The attempt expires at this instant. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** You can read the result until this instant. */
  readonly resultExpiresAt: Scalars['DateTime']['output'];
};

/** A new sign-in. */
export type IdpIdentitySession = {
  /** Keep it with the browser's session. */
  readonly id: Scalars['ID']['output'];
  /** Post the launch token here, from a form in the browser. */
  readonly launchUrl: Scalars['String']['output'];
  /** A one-use token. Send it only in the form field `launchToken`. */
  readonly launchToken: Scalars['String']['output'];
  /** Redeems the result. Keep it on your server. */
  readonly resultProof: Scalars['String']['output'];
  /** The sign-in expires at this instant, 10 minutes after its creation. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** You can redeem the result until this instant, 20 minutes after the creation. */
  readonly resultExpiresAt: Scalars['DateTime']['output'];
};

/** The status or result of a sign-in. All fields except `status` are null unless it COMPLETED. */
export type IdpIdentityResult = {
  /** The status of the sign-in. */
  readonly status: IdpIdentityStatus;
  /** The identity provider's issuer URL. */
  readonly issuer: Maybe<Scalars['String']['output']>;
  /** The identity provider's stable id of the person. Find your user by `issuer` plus `idpSub`, never by the e-mail address. */
  readonly idpSub: Maybe<Scalars['String']['output']>;
  /** The e-mail address, if the identity provider sent one. */
  readonly email: Maybe<Scalars['String']['output']>;
  /** True if the identity provider says that it verified the address. */
  readonly emailVerified: Maybe<Scalars['Boolean']['output']>;
  /** The person's name, if known. */
  readonly name: Maybe<Scalars['String']['output']>;
  /** The URL of a picture, if known. */
  readonly pictureUrl: Maybe<Scalars['String']['output']>;
};

/** The link between a scope and an account. It outlives its grants. */
export type Connection = {
  /** Stays the same across reconnects. */
  readonly id: Scalars['ID']['output'];
  /** The account's provider. */
  readonly provider: SocialProvider;
  /** The provider's own id of the account: a channel ID (PROVIDER_A), an open_id (PROVIDER_B), a user ID (PROVIDER_C). */
  readonly providerAccountId: Scalars['String']['output'];
  /** The status of the connection. */
  readonly status: ConnectionStatus;
  /** Says how fresh its stored posts are. */
  readonly syncStatus: SyncStatus;
  /** One entry for each granted capability. */
  readonly capabilities: ReadonlyArray<CapabilityState>;
  /** Null unless the connection is CONNECTED, PROFILE is available and the profile is under 30 days old. */
  readonly profile: Maybe<Profile>;
  /**
   * The instant at which the last complete scan requested its first page. For a continued scan, the first scan of the chain
   * counts. Posts published later are not in the scan. A scan that ends incomplete does not change it. Null unless CONNECTED.
   */
  readonly lastSuccessfulSyncAt: Maybe<Scalars['DateTime']['output']>;
  /** The instant, always in the future, at which a failed scan retries. Null unless CONNECTED and a scan waits. */
  readonly nextRetryAt: Maybe<Scalars['DateTime']['output']>;
};

/** The state of one granted capability. */
export type CapabilityState = {
  /** The capability. */
  readonly capability: Capability;
  /** Says whether it can be used. */
  readonly availability: Availability;
  /** The reason if it is not AVAILABLE. */
  readonly reason: Maybe<Scalars['String']['output']>;
};

/** An account's profile as last read. */
export type Profile = {
  /** The provider's own id of the account. */
  readonly providerAccountId: Scalars['String']['output'];
  /** The displayed name. */
  readonly displayName: Maybe<Scalars['String']['output']>;
  /** The handle, as the provider writes it: PROVIDER_A's begins with an @, the others' do not. */
  readonly handle: Maybe<Scalars['String']['output']>;
  /** The URL of the picture. It may expire at the provider. */
  readonly avatarUrl: Maybe<Scalars['String']['output']>;
  /** The URL of the account's page. */
  readonly profileUrl: Maybe<Scalars['String']['output']>;
  /** The account's description of itself. */
  readonly description: Maybe<Scalars['String']['output']>;
  /** The instant at which the service read the profile. */
  readonly observedAt: Scalars['DateTime']['output'];
};

/** One metric of a post as last read. */
export type MetricObservation = {
  /** The name of the metric. */
  readonly name: MetricName;
  /** The count. Null means unknown, not zero. */
  readonly value: Maybe<Scalars['DecimalCount']['output']>;
  /** Says whether the provider returns it. */
  readonly availability: Availability;
  /** The reason if it is not AVAILABLE. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** The name of the field in the provider's response. */
  readonly sourceField: Maybe<Scalars['String']['output']>;
  /** The instant at which the service read the metric. */
  readonly observedAt: Scalars['DateTime']['output'];
};

/** A post as last read. */
export type ContentItem = {
  /** The service's id of the post. */
  readonly id: Scalars['ID']['output'];
  /** The provider's id of the post. Pass it to `contentItem` and `requestRefresh`. */
  readonly providerContentId: Scalars['String']['output'];
  /** The post's provider. */
  readonly provider: SocialProvider;
  /** The kind of the post. */
  readonly kind: ContentKind;
  /** The URL of the post's page. */
  readonly canonicalUrl: Maybe<Scalars['String']['output']>;
  /** The URL of a preview. It may expire at the provider. Always null for PROVIDER_A, sometimes null for PROVIDER_C images. */
  readonly thumbnailUrl: Maybe<Scalars['String']['output']>;
  /** The title. Always null for PROVIDER_C. */
  readonly title: Maybe<Scalars['String']['output']>;
  /** The text. */
  readonly description: Maybe<Scalars['String']['output']>;
  /** The instant of its publication. */
  readonly publishedAt: Maybe<Scalars['DateTime']['output']>;
  /** Says whether the post is still available. */
  readonly availability: Availability;
  /** The reason if it is not AVAILABLE, such as EXPIRED (last read over 30 days ago) or CONTENT_NOT_FOUND. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** The instant at which the service last read the post. */
  readonly observedAt: Scalars['DateTime']['output'];
  /** Empty unless the connection has CONTENT_METRICS. */
  readonly metrics: ReadonlyArray<MetricObservation>;
};

/** The position of a page of posts in its window. */
export type PageInfo = {
  /** Pass it as `after` to get the next page. Null on an empty page. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
  /** True if there are more posts. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /**
   * True only if scans that finished in the last 24 hours covered the whole window. A scan covers no posts published after
   * it requested its first page, so a window that ends later than `lastSuccessfulSyncAt` is never complete.
   */
  readonly completeForWindow: Scalars['Boolean']['output'];
  /**
   * The reason if it is not complete: NEVER_SCANNED, SCAN_RUNNING, SCAN_STALE, SCAN_FAILED or PARTLY_SCANNED. Future
   * versions may add reasons.
   */
  readonly incompleteReason: Maybe<Scalars['String']['output']>;
};

/** A page of stored posts, newest first. */
export type ContentPage = {
  /** Posts read in the last 30 days. */
  readonly items: ReadonlyArray<ContentItem>;
  /** The position of the page. */
  readonly pageInfo: PageInfo;
  /** The same as `Connection.lastSuccessfulSyncAt`. Pass it as `publishedBefore` to read only what the last scan covered. */
  readonly lastSuccessfulSyncAt: Maybe<Scalars['DateTime']['output']>;
};

/** The position of a page of connections. */
export type ConnectionPageInfo = {
  /** Pass it as `after` to get the next page. Null on an empty page. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
  /** True if there are more connections. */
  readonly hasNextPage: Scalars['Boolean']['output'];
};

/** A page of a subject's connections. */
export type ConnectionPage = {
  /** Connections in every status. A disconnected one stays until it is erased. */
  readonly items: ReadonlyArray<Connection>;
  /** The position of the page. */
  readonly pageInfo: ConnectionPageInfo;
};

/** A background job: a scan, a metrics refresh, a lookup, a revoke or an erase. */
export type SyncJob = {
  /** The id by which you read the job again. */
  readonly id: Scalars['ID']['output'];
  /** The status of the job. */
  readonly status: JobStatus;
  /** The instant, always in the future, at which the job retries. Null unless it waits. */
  readonly nextRetryAt: Maybe<Scalars['DateTime']['output']>;
  /**
   * The reason why it failed or waits: PROVIDER_UNAVAILABLE, PROVIDER_RATE_LIMITED, RECONNECT_REQUIRED,
   * CAPABILITY_UNAVAILABLE, AUTHORIZATION_SUSPENDED, CONTENT_NOT_FOUND, UNSUPPORTED_URL, CONNECTION_DISCONNECTED,
   * PROVIDER_CONTRACT or INTERNAL. Future versions may add codes.
   */
  readonly errorCode: Maybe<Scalars['String']['output']>;
  /** On a revoke: a step for the account's owner at the provider, or null. */
  readonly creatorAction: Maybe<ConnectCreatorAction>;
  /** On a successful lookup: the post's id. Read the post with `contentItem`. */
  readonly resultProviderContentId: Maybe<Scalars['String']['output']>;
  /** On a scan that has ended: true if it read its whole window, as of the moment it requested its first page. */
  readonly completeForWindow: Maybe<Scalars['Boolean']['output']>;
  /**
   * On a scan: the reason why it did not cover its window: MAX_ITEMS, PROVIDER_LIMIT or PROVIDER_UNAVAILABLE. On a
   * successful lookup: the reason why the post is not available. On a failed one: PROVIDER_LIMIT if the account may have the
   * post, beyond those that a lookup can search. Future versions may add reasons.
   */
  readonly incompleteReason: Maybe<Scalars['String']['output']>;
  /** On a successful but incomplete scan less than 24 hours old: pass it to `requestRefresh` to continue the scan. */
  readonly continuationCursor: Maybe<Scalars['String']['output']>;
};

/** The jobs that a disconnect has started. */
export type DisconnectResult = {
  /** True: access has ended. */
  readonly accepted: Scalars['Boolean']['output'];
  /** The connection's id, with which you read both jobs. */
  readonly connectionId: Scalars['ID']['output'];
  /** True until the revoke job succeeds. */
  readonly upstreamRevocationPending: Scalars['Boolean']['output'];
  /** The job that revokes the grant at the provider. You can read it for 7 days. */
  readonly revokeJobId: Scalars['ID']['output'];
  /** The job that erases the stored data. You can read it for 7 days. */
  readonly eraseJobId: Scalars['ID']['output'];
};

/** Operations that read. */
export type Query = {
  /** Checks that the service answers. Needs no key. Adds no codes. */
  readonly status: ApiStatus;
  /** Says which flows your app can start now. Adds no codes. */
  readonly integrationReadiness: IntegrationReadiness;
  /**
   * Reads the status of a Connect attempt until 24 hours after its creation. An unfinished one is EXPIRED after `expiresAt`.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (no such attempt in this scope, or its result was
   * deleted).
   */
  readonly connectSessionResult: ConnectSessionResult;
  /**
   * Reads one connection. If it is CONNECTED, the service first checks whether your app may still read it. In any other
   * status, its profile is null.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered, or your app's policy no longer allows the tenant, the provider or a
   * capability), `CAPABILITY_UNAVAILABLE` (the provider registration no longer serves your app), `AUTHORIZATION_SUSPENDED`
   * (the provider registration is paused), `RECONNECT_REQUIRED` (the grant has ended), `NOT_FOUND` (erased, or in another
   * scope).
   */
  readonly connection: Connection;
  /**
   * Lists a subject's connections in the tenant, in every status. Each row goes through the same check as `connection`. If
   * one fails, the whole call fails with its code.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, as for `connection`.
   */
  readonly connections: ConnectionPage;
  /**
   * Lists stored posts that were published in a window, newest first. Needs CONTENT_LIST.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE` (also if the connection lacks CONTENT_LIST), `AUTHORIZATION_SUSPENDED`
   * (also if it is SUSPENDED), `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS` (DISCONNECTED or DELETING), `NOT_FOUND`, as for
   * `connection`.
   */
  readonly content: ContentPage;
  /**
   * Reads one stored post, or null if the service never read it. Needs CONTENT_LIST or CONTENT_LOOKUP. If it was last read
   * over 30 days ago, its fields are null, its availability is UNAVAILABLE, its reason is EXPIRED, and it has no metrics.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`,
   * `NOT_FOUND` (the connection), as for `content`.
   */
  readonly contentItem: Maybe<ContentItem>;
  /**
   * Reads a job. A scan, metrics refresh or lookup can be read for 7 days after it finished; a revoke or erase for 7 days
   * after its creation, even after the connection is erased.
   *
   * Codes: `NOT_FOUND` (no such job of this connection in this scope, or it was deleted; also if the tenant is not
   * registered).
   */
  readonly syncJob: SyncJob;
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
  after?: InputMaybe<Scalars['String']['input']>;
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
  readonly createConnectSession: ConnectSession;
  /**
   * Creates a sign-in at the identity provider. Keep `resultProof` on your server and let the browser post `launchToken` to
   * `launchUrl`.
   *
   * Codes: `CAPABILITY_UNAVAILABLE` (the identity flow is not set up for your app), `FORBIDDEN` (the tenant is not
   * registered), `RATE_LIMITED` (your app has 20 unfinished sign-ins).
   */
  readonly createIdpIdentitySession: IdpIdentitySession;
  /**
   * Redeems the result of a sign-in, once. You can call it again while it answers PENDING; any other status spends the proof.
   *
   * Codes: `NOT_FOUND` (no such sign-in for this tenant and proof, already redeemed, or deleted; also if the tenant is not
   * registered).
   */
  readonly redeemIdpIdentityResult: IdpIdentityResult;
  /**
   * Disconnects an account: ends access at once, and starts the revoke at the provider and the erase of all stored data.
   * Until the erase is done, a second call returns the same jobs.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (erased, or in another scope).
   */
  readonly disconnectConnection: DisconnectResult;
  /**
   * Queues a scan, or with `providerContentId` a refresh of one post's metrics. A scan needs CONTENT_LIST, a refresh
   * CONTENT_METRICS. If a job for the same window or post is in flight, you get that job.
   *
   * Codes: `SYNC_WINDOW_BUSY` (a scan of another window is in flight), `RATE_LIMITED` (your app has 20 read jobs in
   * flight; `retryAfterSeconds` is 60), `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`,
   * `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for `content`; `NOT_FOUND` also for a post not stored.
   */
  readonly requestRefresh: SyncJob;
  /**
   * Queues a lookup of one post by its URL. Needs CONTENT_LOOKUP. Once it has succeeded, read the post with `contentItem`
   * and check its availability.
   *
   * Codes: `RATE_LIMITED` (your app has 20 read jobs in flight; `retryAfterSeconds` is 60), `FORBIDDEN`,
   * `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for
   * `content`.
   */
  readonly requestContentLookup: SyncJob;
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
  providerContentId?: InputMaybe<Scalars['String']['input']>;
  window?: InputMaybe<SyncWindow>;
  continuationCursor?: InputMaybe<Scalars['String']['input']>;
};


/** Operations that write. They do not wait for a provider: poll the result. */
export type MutationRequestContentLookupArgs = {
  scope: SubjectScope;
  connectionId: Scalars['ID']['input'];
  url: Scalars['String']['input'];
};

/** Every operation of the service. Each method throws `ServiceError`. */
export interface Operations {
  /**
   * Checks that the service answers. Needs no key. Adds no codes.
   */
  status(options?: CallOptions): Promise<Query['status']>;

  /**
   * Says which flows your app can start now. Adds no codes.
   */
  integrationReadiness(options?: CallOptions): Promise<Query['integrationReadiness']>;

  /**
   * Reads the status of a Connect attempt until 24 hours after its creation. An unfinished one is EXPIRED after `expiresAt`.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (no such attempt in this scope, or its result was
   * deleted).
   */
  connectSessionResult(args: QueryConnectSessionResultArgs, options?: CallOptions): Promise<Query['connectSessionResult']>;

  /**
   * Reads one connection. If it is CONNECTED, the service first checks whether your app may still read it. In any other
   * status, its profile is null.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered, or your app's policy no longer allows the tenant, the provider or a
   * capability), `CAPABILITY_UNAVAILABLE` (the provider registration no longer serves your app), `AUTHORIZATION_SUSPENDED`
   * (the provider registration is paused), `RECONNECT_REQUIRED` (the grant has ended), `NOT_FOUND` (erased, or in another
   * scope).
   */
  connection(args: QueryConnectionArgs, options?: CallOptions): Promise<Query['connection']>;

  /**
   * Lists a subject's connections in the tenant, in every status. Each row goes through the same check as `connection`. If
   * one fails, the whole call fails with its code.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, as for `connection`.
   */
  connections(args: QueryConnectionsArgs, options?: CallOptions): Promise<Query['connections']>;

  /**
   * Lists stored posts that were published in a window, newest first. Needs CONTENT_LIST.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE` (also if the connection lacks CONTENT_LIST), `AUTHORIZATION_SUSPENDED`
   * (also if it is SUSPENDED), `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS` (DISCONNECTED or DELETING), `NOT_FOUND`, as for
   * `connection`.
   */
  content(args: QueryContentArgs, options?: CallOptions): Promise<Query['content']>;

  /**
   * Reads one stored post, or null if the service never read it. Needs CONTENT_LIST or CONTENT_LOOKUP. If it was last read
   * over 30 days ago, its fields are null, its availability is UNAVAILABLE, its reason is EXPIRED, and it has no metrics.
   *
   * Codes: `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`,
   * `NOT_FOUND` (the connection), as for `content`.
   */
  contentItem(args: QueryContentItemArgs, options?: CallOptions): Promise<Query['contentItem']>;

  /**
   * Reads a job. A scan, metrics refresh or lookup can be read for 7 days after it finished; a revoke or erase for 7 days
   * after its creation, even after the connection is erased.
   *
   * Codes: `NOT_FOUND` (no such job of this connection in this scope, or it was deleted; also if the tenant is not
   * registered).
   */
  syncJob(args: QuerySyncJobArgs, options?: CallOptions): Promise<Query['syncJob']>;

  /**
   * Creates a Connect attempt. Save its `id` with the signed-in user's session, then let the browser post `launchToken` to
   * `launchUrl`.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered, your app's policy does not allow this, or the revoke of a PROVIDER_A or
   * PROVIDER_B disconnect has not settled: try again once it has), `NOT_FOUND` (the connection to reconnect),
   * `DISCONNECT_IN_PROGRESS` (the connection to reconnect is DISCONNECTED or DELETING), `RATE_LIMITED` (the subject has 5 unfinished
   * attempts at this provider).
   */
  createConnectSession(args: MutationCreateConnectSessionArgs, options?: CallOptions): Promise<Mutation['createConnectSession']>;

  /**
   * Creates a sign-in at the identity provider. Keep `resultProof` on your server and let the browser post `launchToken` to
   * `launchUrl`.
   *
   * Codes: `CAPABILITY_UNAVAILABLE` (the identity flow is not set up for your app), `FORBIDDEN` (the tenant is not
   * registered), `RATE_LIMITED` (your app has 20 unfinished sign-ins).
   */
  createIdpIdentitySession(args: MutationCreateIdpIdentitySessionArgs, options?: CallOptions): Promise<Mutation['createIdpIdentitySession']>;

  /**
   * Redeems the result of a sign-in, once. You can call it again while it answers PENDING; any other status spends the proof.
   *
   * Codes: `NOT_FOUND` (no such sign-in for this tenant and proof, already redeemed, or deleted; also if the tenant is not
   * registered).
   */
  redeemIdpIdentityResult(args: MutationRedeemIdpIdentityResultArgs, options?: CallOptions): Promise<Mutation['redeemIdpIdentityResult']>;

  /**
   * Disconnects an account: ends access at once, and starts the revoke at the provider and the erase of all stored data.
   * Until the erase is done, a second call returns the same jobs.
   *
   * Codes: `FORBIDDEN` (the tenant is not registered), `NOT_FOUND` (erased, or in another scope).
   */
  disconnectConnection(args: MutationDisconnectConnectionArgs, options?: CallOptions): Promise<Mutation['disconnectConnection']>;

  /**
   * Queues a scan, or with `providerContentId` a refresh of one post's metrics. A scan needs CONTENT_LIST, a refresh
   * CONTENT_METRICS. If a job for the same window or post is in flight, you get that job.
   *
   * Codes: `SYNC_WINDOW_BUSY` (a scan of another window is in flight), `RATE_LIMITED` (your app has 20 read jobs in
   * flight; `retryAfterSeconds` is 60), `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`,
   * `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for `content`; `NOT_FOUND` also for a post not stored.
   */
  requestRefresh(args: MutationRequestRefreshArgs, options?: CallOptions): Promise<Mutation['requestRefresh']>;

  /**
   * Queues a lookup of one post by its URL. Needs CONTENT_LOOKUP. Once it has succeeded, read the post with `contentItem`
   * and check its availability.
   *
   * Codes: `RATE_LIMITED` (your app has 20 read jobs in flight; `retryAfterSeconds` is 60), `FORBIDDEN`,
   * `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED`, `DISCONNECT_IN_PROGRESS`, `NOT_FOUND`, as for
   * `content`.
   */
  requestContentLookup(args: MutationRequestContentLookupArgs, options?: CallOptions): Promise<Mutation['requestContentLookup']>;
}

export const OPERATIONS = {
  status: { kind: 'query', takesArguments: false, document: "query status_query { status { ok message } }" },
  integrationReadiness: { kind: 'query', takesArguments: false, document: "query integrationReadiness_query { integrationReadiness { providers { provider available } idpIdentityAvailable } }" },
  connectSessionResult: { kind: 'query', takesArguments: true, document: "query connectSessionResult_query($scope: SubjectScope!, $id: ID!) { connectSessionResult(scope: $scope, id: $id) { id provider status resultCode connectionId creatorAction expiresAt resultExpiresAt } }" },
  connection: { kind: 'query', takesArguments: true, document: "query connection_query($scope: SubjectScope!, $id: ID!) { connection(scope: $scope, id: $id) { id provider providerAccountId status syncStatus capabilities { capability availability reason } profile { providerAccountId displayName handle avatarUrl profileUrl description observedAt } lastSuccessfulSyncAt nextRetryAt } }" },
  connections: { kind: 'query', takesArguments: true, document: "query connections_query($scope: SubjectScope!, $first: Int = 20, $after: String) { connections(scope: $scope, first: $first, after: $after) { items { id provider providerAccountId status syncStatus capabilities { capability availability reason } profile { providerAccountId displayName handle avatarUrl profileUrl description observedAt } lastSuccessfulSyncAt nextRetryAt } pageInfo { endCursor hasNextPage } } }" },
  content: { kind: 'query', takesArguments: true, document: "query content_query($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) { content(scope: $scope, connectionId: $connectionId, window: $window) { items { id providerContentId provider kind canonicalUrl thumbnailUrl title description publishedAt availability reason observedAt metrics { name value availability reason sourceField observedAt } } pageInfo { endCursor hasNextPage completeForWindow incompleteReason } lastSuccessfulSyncAt } }" },
  contentItem: { kind: 'query', takesArguments: true, document: "query contentItem_query($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String!) { contentItem( scope: $scope connectionId: $connectionId providerContentId: $providerContentId ) { id providerContentId provider kind canonicalUrl thumbnailUrl title description publishedAt availability reason observedAt metrics { name value availability reason sourceField observedAt } } }" },
  syncJob: { kind: 'query', takesArguments: true, document: "query syncJob_query($scope: SubjectScope!, $connectionId: ID!, $id: ID!) { syncJob(scope: $scope, connectionId: $connectionId, id: $id) { id status nextRetryAt errorCode creatorAction resultProviderContentId completeForWindow incompleteReason continuationCursor } }" },
  createConnectSession: { kind: 'mutation', takesArguments: true, document: "mutation createConnectSession_mutation($input: ConnectInput!) { createConnectSession(input: $input) { id launchUrl launchToken expiresAt resultExpiresAt } }" },
  createIdpIdentitySession: { kind: 'mutation', takesArguments: true, document: "mutation createIdpIdentitySession_mutation($input: IdpIdentityInput!) { createIdpIdentitySession(input: $input) { id launchUrl launchToken resultProof expiresAt resultExpiresAt } }" },
  redeemIdpIdentityResult: { kind: 'mutation', takesArguments: true, document: "mutation redeemIdpIdentityResult_mutation($id: ID!, $tenantKey: String!, $resultProof: String!) { redeemIdpIdentityResult( id: $id tenantKey: $tenantKey resultProof: $resultProof ) { status issuer idpSub email emailVerified name pictureUrl } }" },
  disconnectConnection: { kind: 'mutation', takesArguments: true, document: "mutation disconnectConnection_mutation($scope: SubjectScope!, $connectionId: ID!) { disconnectConnection(scope: $scope, connectionId: $connectionId) { accepted connectionId upstreamRevocationPending revokeJobId eraseJobId } }" },
  requestRefresh: { kind: 'mutation', takesArguments: true, document: "mutation requestRefresh_mutation($scope: SubjectScope!, $connectionId: ID!, $providerContentId: String, $window: SyncWindow, $continuationCursor: String) { requestRefresh( scope: $scope connectionId: $connectionId providerContentId: $providerContentId window: $window continuationCursor: $continuationCursor ) { id status nextRetryAt errorCode creatorAction resultProviderContentId completeForWindow incompleteReason continuationCursor } }" },
  requestContentLookup: { kind: 'mutation', takesArguments: true, document: "mutation requestContentLookup_mutation($scope: SubjectScope!, $connectionId: ID!, $url: String!) { requestContentLookup(scope: $scope, connectionId: $connectionId, url: $url) { id status nextRetryAt errorCode creatorAction resultProviderContentId completeForWindow incompleteReason continuationCursor } }" },
} as const;
