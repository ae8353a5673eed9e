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
   * or `+02`), may omit the seconds, and may have up to nine decimals, of which the service keeps three. Outputs are in UTC
   * with milliseconds.
   */
  DateTime: { input: Date; output: Date | string; }
  /** A non-negative integer of any size, as a string of decimal digits. */
  DecimalCount: { input: string; output: string; }
};

/** The effect of an operation. It decides when a session needs a sign-in within the last five minutes. */
export type OperationEffect =
  /** Reads. Needs no fresh sign-in. */
  | 'READ'
  /** Changes what a later call can change back. It opens nothing new and ends nothing. Needs no fresh sign-in. */
  | 'CHANGE'
  /**
   * Stops the use of something that many use, until one call resumes it. Needs a fresh sign-in from the fourth within an hour
   * on, so that operators can stop something while their issuer is away.
   */
  | 'STOP'
  /** Ends one connection, attempt or token. Needs a fresh sign-in from the eleventh within an hour on. */
  | 'END_ONE'
  /** Ends the access of many, or all that belongs to a person. Needs a fresh sign-in. */
  | 'END_MANY'
  /**
   * Sends data or access to a new place: a URL, a client, the holder of a secret, or the reader of an export; or lets an app
   * ask for more. Needs a fresh sign-in.
   */
  | 'OPEN';

/** The role of a token. Each role includes the ones before it. */
export type AdminRole =
  /** Reads everything except secrets. */
  | 'VIEWER'
  /** Also operates: retries jobs, cancels attempts, pauses registrations, revokes keys, erases a person. */
  | 'OPERATOR'
  /** Also administers: sets up apps, keys, registrations and policies, and starts bulk disconnects. */
  | 'ADMIN';

/** The kind of a job. The first three read, the others revoke and erase. */
export type JobKind =
  /** Reads a window of posts. */
  | 'SCAN'
  /** Reads one post's metrics again. */
  | 'METRICS'
  /** Looks one post up by its URL. */
  | 'LOOKUP'
  /** Ends the grant of a disconnected connection at the provider. */
  | 'REVOKE'
  /** Deletes the data of a disconnected connection. */
  | 'ERASE'
  /** Revokes a grant that was never used. */
  | 'COMPENSATION';

/** The status of a grant. */
export type GrantStatus =
  /** Exchanged, not yet a connection's. */
  | 'PENDING'
  /** In use by its connection. */
  | 'LIVE'
  /** Waits to be revoked. */
  | 'REVOKING'
  /** Ended; its tokens are discarded. */
  | 'DEAD';

/** How our client authenticates at an OpenID issuer's token endpoint. */
export type TokenAuthMethod =
  /** In the body. */
  | 'CLIENT_SECRET_POST'
  /** In the Authorization header. */
  | 'CLIENT_SECRET_BASIC';

/** The handling of a removed tenant's connections. */
export type TenantConnections =
  /** They stay stored and unreadable (`FORBIDDEN`), until the tenant is added again. */
  | 'KEEP'
  /** They are disconnected: revoked and erased. */
  | 'DISCONNECT_ALL';

/** The kind of a credential. */
export type CredentialKind =
  /** An app's key. */
  | 'APP_KEY'
  /** The client secret of a provider registration. */
  | 'REGISTRATION_SECRET'
  /** The client secret at an OpenID issuer. */
  | 'ISSUER_SECRET'
  /** An admin token. */
  | 'ADMIN_TOKEN';

/** The reason why a webhook endpoint is disabled. */
export type WebhookDisabledReason =
  /** An operator disabled it. */
  | 'OPERATOR'
  /** It answered 410 Gone. */
  | 'GONE'
  /** It accepted no event for 3 days. */
  | 'FAILING';

/** The status of a webhook's delivery. */
export type WebhookDeliveryStatus =
  /** Waits for its next try. */
  | 'PENDING'
  /** The endpoint accepted it. */
  | 'DELIVERED'
  /** The service gave up. */
  | 'FAILED';

/** A period up to now. */
export type WorkPeriod =
  /** The last 24 hours, by the hour. */
  | 'DAY'
  /** The last 30 days, by the day. Days begin at 00:00 UTC. */
  | 'MONTH';

/** The kind of work that `endedWork` counts. */
export type EndedWorkKind =
  /** Connect attempts, in the hour in which they began. Imports do not count. */
  | 'CONNECT'
  /** Scans, metrics refreshes and lookups, in the hour in which they ended. */
  | 'READ'
  /** Refreshes of tokens, and connections that lost their grant (RECONNECT_REQUIRED). They leave no row of their own. */
  | 'TOKEN_REFRESH'
  /** Revokes, compensations included, in the hour in which they ended. One that is retried after it failed counts again. */
  | 'REVOKE'
  /** Deliveries of webhooks, in the hour of their event. One that is sent again counts again. */
  | 'WEBHOOK';

/** The state of a workflow, as Temporal answers. */
export type WorkflowState =
  /** It has not ended. */
  | 'RUNNING'
  /** It has ended. */
  | 'CLOSED'
  /** Temporal has no such workflow: it has not started, or Temporal has deleted it. */
  | 'MISSING'
  /** Temporal did not answer in time. */
  | 'NOT_KNOWN';

/** The step of a workflow. */
export type WorkflowStep =
  /** Waits for the person at the provider or issuer. */
  | 'WAIT_FOR_PERSON'
  /** Exchanges the code for tokens or claims. */
  | 'EXCHANGE_CODE'
  /** Creates or updates the connection. */
  | 'COMPLETE_ATTEMPT'
  /** Records the end. */
  | 'RECORD_END'
  /** Keeps a sign-in's claims until they expire. */
  | 'KEEP_CLAIMS'
  /** Deletes posts and profile. */
  | 'PURGE'
  /** Revokes the grant. */
  | 'REVOKE'
  /** Deletes the rest of the data. */
  | 'ERASE'
  /** Reads a window of posts. */
  | 'SCAN'
  /** Reads one post's metrics. */
  | 'METRICS_REFRESH'
  /** Looks one post up. */
  | 'LOOKUP'
  /** Asks the provider whether grants are alive. */
  | 'VERIFY'
  /** Refreshes a grant and a profile. */
  | 'UPKEEP'
  /** Disconnects the connections of a bulk disconnect. */
  | 'DISCONNECT_ALL'
  /** Sends webhooks to an endpoint. */
  | 'SEND_WEBHOOKS'
  /** Asks a provider whether it still refuses our client. */
  | 'PROBE'
  /** Handles rows that are due. */
  | 'SWEEP'
  /** It has nothing left to do. */
  | 'ENDED';

/** The event that ends a workflow's wait. */
export type WorkflowWait =
  /** The person returns, or the deadline passes. */
  | 'PERSON'
  /** The next try after a failure. */
  | 'NEXT_TRY'
  /** Our own rate limit allows the next call. */
  | 'RATE_LIMIT'
  /** A sign-in's claims expire. */
  | 'CLAIMS_EXPIRY'
  /** Further events for a webhook endpoint. */
  | 'EVENTS';

/** A kind of thing that `find` finds. */
export type FoundKind =
  /** A connection, or its receipts after the erase. */
  | 'CONNECTION'
  /** A job of any kind. */
  | 'JOB'
  /** A Connect attempt. */
  | 'ATTEMPT'
  /** An app. */
  | 'APP'
  /** A tenant of an app. */
  | 'TENANT'
  /** Our client at a provider. */
  | 'REGISTRATION'
  /** An app's key. */
  | 'KEY'
  /** An OpenID issuer. */
  | 'ISSUER'
  /** A bulk disconnect. */
  | 'BULK_DISCONNECT'
  /** The receipt of an erasure. */
  | 'ERASURE'
  /** Entries of the audit log. */
  | 'AUDIT_ENTRY';

/** Operations that read. */
export type Query = {
  /** VIEWER. The token of this request. */
  me: AdminToken;
  /** VIEWER. The URLs of this service for callers, browsers and providers. */
  service: Service;
  /** VIEWER. The connections, the stuck jobs and the state of the providers. */
  overview: Overview;
  /**
   * VIEWER. The work that ended in a period, counted by kind and outcome. The counts remain when the rows they count are
   * deleted.
   */
  endedWork: EndedWork;
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
  /** VIEWER. Answers of providers that no adapter knows, those first seen last first. They contain no secret and no personal data. */
  unknownAnswers: UnknownAnswerPage;
  /** VIEWER. All OpenID issuers that apps may sign people in with, oldest first. */
  identityIssuers: Array<IdentityIssuer>;
  /** VIEWER. Connections, newest first. */
  connections: ConnectionPage;
  /** VIEWER. The whole history of one connection. For 7 days after the erase, its receipts remain. `NOT_FOUND` after that. */
  connection: ConnectionStory;
  /** VIEWER. Connect attempts, newest first. */
  attempts: AttemptPage;
  /** VIEWER. One Connect attempt. `NOT_FOUND`. */
  attempt: Attempt;
  /** VIEWER. Jobs, newest first. With `stuck`, the longest stuck come first. */
  jobs: JobPage;
  /** VIEWER. Stuck jobs, counted by app, provider, kind and reason. */
  stuckWork: StuckWork;
  /** VIEWER. One job. `NOT_FOUND`. */
  job: Job;
  /**
   * VIEWER. The state of an attempt, job or bulk disconnect in its workflow, asked now. Answers within a second; the service
   * asks at most 16 workflows at a time. `NOT_FOUND`.
   */
  liveState: LiveState;
  /** VIEWER. One bulk disconnect. `NOT_FOUND`. */
  bulkDisconnect: BulkDisconnect;
  /** VIEWER. The last 50 bulk disconnects, newest first. */
  bulkDisconnects: Array<BulkDisconnect>;
  /** VIEWER. The receipt of an erasure. `NOT_FOUND`. */
  erasure: Erasure;
  /** VIEWER. The types of events that a webhook endpoint can receive. */
  webhookEventTypes: Array<WebhookEventType>;
  /** VIEWER. The webhook endpoints of an app, oldest first. An app has at most ten. `NOT_FOUND` for an unknown app. */
  webhookEndpoints: Array<WebhookEndpoint>;
  /** VIEWER. The webhook endpoints of all apps that are disabled, or whose last try failed. The newest endpoint comes first. */
  troubledWebhookEndpoints: WebhookEndpointPage;
  /** VIEWER. One webhook endpoint. `NOT_FOUND`. */
  webhookEndpoint: WebhookEndpoint;
  /** VIEWER. Deliveries of the last 30 days, the newest event first. */
  webhookDeliveries: WebhookDeliveryPage;
  /** VIEWER. One delivery. `NOT_FOUND`. */
  webhookDelivery: WebhookDelivery;
  /** VIEWER. Receipts of erasures, newest first. */
  erasures: ErasurePage;
  /**
   * VIEWER. Everything with an id: whole, its first 8 characters or more, or the correlation id of a request. Also tenants by
   * their exact key. Empty if nothing is found. At most 10 of each kind.
   */
  find: Array<Found>;
  /**
   * VIEWER. A statement of the deleted data of a connection, signed with a keyed hash. `kept` lists the data that the service
   * still holds, and until when: the receipts (7 days), results of attempts to connect with the ids that the app gave (at most
   * 24 hours), the tokens of a failed revoke, grants of earlier attempts whose revoke has not ended, and webhook events
   * (30 days, ids and codes only). A later proof lists less. Export it within 7 days of the disconnect. It holds only random ids and instants. `NOT_FOUND` after its receipts are
   * deleted, `BAD_USER_INPUT` until the erase has ended.
   */
  proofOfDeletion: ProofOfDeletion;
  /** VIEWER. True if this service made the proof of deletion and nobody changed it since. */
  verifyProofOfDeletion: Scalars['Boolean']['output'];
  /** VIEWER. Keys, secrets and tokens in use that expire soon or have expired. The first to expire comes first. */
  expiringCredentials: Array<ExpiringCredential>;
  /** VIEWER. The audit log, newest first. */
  auditLog: AuditPage;
  /** VIEWER. The operators and the actions that occur in the audit log, as choices for its filter. */
  auditChoices: AuditChoices;
  /** ADMIN. All admin tokens that have not expired, newest first, including those of open sessions. */
  adminTokens: Array<AdminToken>;
};


/** Operations that read. */
export type QueryEndedWorkArgs = {
  period: WorkPeriod;
  appId: InputMaybe<Scalars['ID']['input']>;
  provider: InputMaybe<SocialProvider>;
};


/** Operations that read. */
export type QueryAppsArgs = {
  filter: InputMaybe<AppFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** Operations that read. */
export type QueryAppArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryTenantsArgs = {
  appId: Scalars['ID']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** Operations that read. */
export type QueryRegistrationArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryUnknownAnswersArgs = {
  provider: InputMaybe<SocialProvider>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** Operations that read. */
export type QueryConnectionsArgs = {
  filter: InputMaybe<ConnectionFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** Operations that read. */
export type QueryConnectionArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryAttemptsArgs = {
  filter: InputMaybe<AttemptFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** Operations that read. */
export type QueryAttemptArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryJobsArgs = {
  filter: InputMaybe<JobFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** Operations that read. */
export type QueryStuckWorkArgs = {
  filter: InputMaybe<JobFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** Operations that read. */
export type QueryJobArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryLiveStateArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryBulkDisconnectArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryErasureArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryWebhookEndpointsArgs = {
  appId: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryTroubledWebhookEndpointsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** Operations that read. */
export type QueryWebhookEndpointArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryWebhookDeliveriesArgs = {
  filter: InputMaybe<WebhookDeliveryFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** Operations that read. */
export type QueryWebhookDeliveryArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryErasuresArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};


/** Operations that read. */
export type QueryFindArgs = {
  text: Scalars['String']['input'];
};


/** Operations that read. */
export type QueryProofOfDeletionArgs = {
  connectionId: Scalars['ID']['input'];
};


/** Operations that read. */
export type QueryVerifyProofOfDeletionArgs = {
  document: Scalars['String']['input'];
  signature: Scalars['String']['input'];
};


/** Operations that read. */
export type QueryExpiringCredentialsArgs = {
  withinDays?: InputMaybe<Scalars['Int']['input']>;
};


/** Operations that read. */
export type QueryAuditLogArgs = {
  filter: InputMaybe<AuditFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after: InputMaybe<Scalars['String']['input']>;
};

/** Operations that write. */
export type Mutation = {
  /** ADMIN. Registers a customer application. It can do nothing until it has a key, a tenant, a return URL and a policy. */
  createApp: App;
  /** ADMIN. Changes an app's name or rate limit. Omitted values stay. `NOT_FOUND`. */
  changeApp: App;
  /** OPERATOR, STOP. Refuses an app's requests from now on. Its connections stay. `NOT_FOUND`. */
  disableApp: App;
  /** OPERATOR. Enables a disabled app. `NOT_FOUND`. */
  enableApp: App;
  /** ADMIN, OPEN. Issues a key. `NOT_FOUND`; `BAD_USER_INPUT` while the app has two active keys. */
  issueKey: IssuedKey;
  /** ADMIN. Changes a key's label. */
  changeKey: AppKey;
  /** OPERATOR, END_MANY. Revokes a key at once. `NOT_FOUND` if it is unknown or already revoked. */
  revokeKey: AppKey;
  /** ADMIN. Registers a tenant of an app. An existing one stays unchanged. `NOT_FOUND`. */
  addTenant: Tenant;
  /** ADMIN, END_MANY. Removes a tenant. `NOT_FOUND`. */
  removeTenant: RemovedTenant;
  /**
   * ADMIN, OPEN. Registers a return URL, which must match exactly: https (in development also http on loopback), without
   * fragment, credentials and query parameters beginning with `ss_`. `NOT_FOUND`.
   */
  addReturnUrl: App;
  /** ADMIN, END_MANY. Removes a return URL. Browsers of open attempts still return there. `NOT_FOUND`. */
  removeReturnUrl: App;
  /** ADMIN, OPEN. Registers a further origin whose pages may post a launch token. `NOT_FOUND`. */
  addLaunchOrigin: App;
  /** ADMIN, END_MANY. Removes a launch origin. `NOT_FOUND`. */
  removeLaunchOrigin: App;
  /**
   * ADMIN. Sets the look and the language of the pages on which people see the app's name. Omitted values stay; null restores the default.
   * Text stays readable in any color, in light and dark. `NOT_FOUND`.
   */
  setBranding: App;
  /**
   * ADMIN. Sets the logo on the pages on which people see the app's name. It replaces an earlier one. `NOT_FOUND`;
   * `BAD_USER_INPUT` for any other image.
   */
  setLogo: App;
  /** ADMIN. Removes an app's logo. `NOT_FOUND` if it has none. */
  removeLogo: App;
  /** ADMIN, OPEN. Sets the capabilities that an app may request at a provider. An empty list forbids the provider. `NOT_FOUND`. */
  setPolicy: App;
  /** ADMIN, OPEN. Lets an app sign people in at an issuer. `enabled: false` ends that. `NOT_FOUND`. */
  setIdentity: App;
  /** ADMIN, OPEN. Stores our client at a provider. The secret is sealed at once: no operation shows it again. */
  createRegistration: Registration;
  /** ADMIN, OPEN. Replaces a registration's client secret; calls from now on use the new one. `NOT_FOUND`. */
  rotateRegistrationSecret: Registration;
  /**
   * OPERATOR, STOP. Stops reads and new attempts through a registration. Its connections stay CONNECTED, but reads of them answer
   * `AUTHORIZATION_SUSPENDED`. Revokes continue. `NOT_FOUND`.
   */
  pauseRegistration: RegistrationChange;
  /** OPERATOR. Resumes a paused registration. `NOT_FOUND`. */
  resumeRegistration: Registration;
  /**
   * OPERATOR. Retries a registration whose client the provider has refused, after the cause was fixed. If the provider refuses unusually
   * many accounts (`doubtedAt`), the service believes it for a day. Another registration stays unchanged. `NOT_FOUND`.
   */
  retryRegistration: Registration;
  /**
   * OPERATOR. Lets the service read with a registration before its quota resets, for example after the provider has raised the
   * quota. It does not wake waiting jobs: retry them. `NOT_FOUND`.
   */
  clearSpentQuota: Registration;
  /**
   * ADMIN, STOP. Sets the units a day that the provider has granted this client. The apps' shares are fractions of it.
   * `NOT_FOUND`; `BAD_USER_INPUT` for a provider without a daily quota.
   */
  setDailyQuota: Registration;
  /**
   * ADMIN. Sets the permissions that the client asks people for, where the provider approves them one by one. Existing grants stay as they
   * are. `NOT_FOUND`; `BAD_USER_INPUT` for one that the service does not use, and without one that it needs.
   */
  setRegistrationPermissions: Registration;
  /** OPERATOR. Removes an answer from `unknownAnswers`. If it comes again, it counts as new. `NOT_FOUND`. */
  dismissUnknownAnswer: UnknownAnswer;
  /**
   * ADMIN, OPEN. Stores a secret with which the platform signs its callbacks. The service seals it at once: no operation shows it
   * again. It accepts a callback that is signed with any secret of the registration. `NOT_FOUND`; `BAD_USER_INPUT` if the
   * provider sends no callbacks.
   */
  addCallbackSecret: Registration;
  /** ADMIN, END_MANY. Removes a callback secret. From now on, callbacks signed with it are refused. `NOT_FOUND`. */
  removeCallbackSecret: Registration;
  /** ADMIN, OPEN. Lets a registration serve an app. `NOT_FOUND`. */
  serveApp: Registration;
  /** ADMIN, END_MANY. Stops a registration from serving an app. Its connections answer `CAPABILITY_UNAVAILABLE`. `NOT_FOUND`. */
  stopServingApp: RegistrationChange;
  /** ADMIN, OPEN. Stores our client at an OpenID issuer. The secret is sealed at once. */
  createIdentityIssuer: IdentityIssuer;
  /** ADMIN, OPEN. Replaces our client secret at an issuer. `NOT_FOUND`. */
  rotateIdentityIssuerSecret: IdentityIssuer;
  /**
   * ADMIN, OPEN. Adds a webhook endpoint to an app, with its first secret. `NOT_FOUND`; `BAD_USER_INPUT` if the URL is not allowed or
   * the app has ten endpoints.
   */
  createWebhookEndpoint: NewWebhookSecret;
  /**
   * ADMIN, OPEN. Changes a webhook endpoint. Omitted values stay. Waiting deliveries go to the new URL. `NOT_FOUND`; `BAD_USER_INPUT`
   * if the URL is not allowed.
   */
  changeWebhookEndpoint: WebhookEndpoint;
  /** OPERATOR, STOP. Stops sending to an endpoint. Events from now on are not kept for it. A disabled one stays unchanged. `NOT_FOUND`. */
  disableWebhookEndpoint: WebhookEndpoint;
  /** OPERATOR. Sends to an endpoint again, first the waiting deliveries. `NOT_FOUND`. */
  enableWebhookEndpoint: WebhookEndpoint;
  /** ADMIN, END_MANY. Removes an endpoint and its secrets. Its deliveries stay in the list for 30 days. `NOT_FOUND`. */
  removeWebhookEndpoint: App;
  /**
   * ADMIN, OPEN. Adds a second secret to an endpoint. Each delivery is signed with both until you retire one. `NOT_FOUND`;
   * `BAD_USER_INPUT` while two secrets sign.
   */
  rotateWebhookSecret: NewWebhookSecret;
  /** ADMIN, END_MANY. Ends the use of a secret. `NOT_FOUND`; `BAD_USER_INPUT` if it is the only one that stays. */
  retireWebhookSecret: WebhookEndpoint;
  /** OPERATOR. Sends a `webhook.test` event to an endpoint. `NOT_FOUND`; `BAD_USER_INPUT` while the endpoint is disabled. */
  sendTestWebhook: WebhookDelivery;
  /**
   * OPERATOR. Sends one event again, also one that was delivered. Its id stays the same. `NOT_FOUND` if the delivery or its
   * endpoint is gone.
   */
  redeliverWebhook: WebhookDelivery;
  /**
   * OPERATOR. Sends the events again that occurred since an instant, oldest first, at most 20,000. This includes events that
   * occurred while the endpoint was disabled or did not exist. `NOT_FOUND`.
   */
  redeliverWebhooks: RedeliveredWebhooks;
  /**
   * OPERATOR. Retries a waiting job now, or a FAILED revoke for up to 72 hours. A job that is already trying is left alone.
   * `NOT_FOUND`; `BAD_USER_INPUT` for a job that has ended, and for a revoke whose tokens are gone.
   */
  retryJob: Job;
  /** OPERATOR. Retries all waiting jobs and FAILED revokes of a filter, at most 1,000 per request. */
  retryJobs: RetriedJobs;
  /** OPERATOR, END_ONE. Cancels an unfinished attempt and revokes its grant, if it has one. `NOT_FOUND`; `BAD_USER_INPUT` for one that has ended. */
  cancelAttempt: Attempt;
  /** OPERATOR, END_ONE. Disconnects one connection as its app would: ends access, revokes the grant, erases the data. `NOT_FOUND`. */
  disconnectConnection: ConnectionStory;
  /**
   * ADMIN, END_MANY. Disconnects all connections of a tenant, or of a registration, in the background. A second call
   * returns the run in progress. `NOT_FOUND`.
   */
  disconnectAll: DisconnectedAll;
  /**
   * OPERATOR, END_MANY. Erases a person: erases the subject's id at once, disconnects all connections, cancels unfinished attempts, and
   * discards the kept tokens of FAILED revokes, so that only the person can end those grants. Open revokes continue and keep
   * no tokens if they fail. A second call returns the same receipt. `NOT_FOUND` for an unknown app, and for a subject without
   * data.
   */
  eraseSubject: ErasedSubject;
  /**
   * ADMIN, OPEN. Reads all that we hold of a person, for an access request, in pages. The audit log records each page. Names
   * sealed values, such as tokens, but does not open them. `NOT_FOUND` for an unknown app, and for a subject without data.
   */
  exportSubject: SubjectExport;
  /**
   * ADMIN. Sets how often the service refreshes the posts and metrics of an app's connections at a provider by itself. Off by
   * default. An account that does not change is refreshed less often, down to twice a day. `NOT_FOUND` for an unknown app,
   * `BAD_USER_INPUT` for a provider that the app may not use.
   */
  setRefreshPolicy: App;
  /**
   * ADMIN. Sets the largest part of a registration's daily quota and rate limit that automatic refreshes may use, in
   * percent: 1 to 100; 50 by default. `NOT_FOUND`.
   */
  setRefreshShare: Registration;
  /** ADMIN, END_ONE. Revokes an admin token and ends its sessions at once. `NOT_FOUND`. */
  revokeAdminToken: AdminToken;
};


/** Operations that write. */
export type MutationCreateAppArgs = {
  input: CreateAppInput;
};


/** Operations that write. */
export type MutationChangeAppArgs = {
  id: Scalars['ID']['input'];
  name: InputMaybe<Scalars['String']['input']>;
  requestsPerSecond: InputMaybe<Scalars['Int']['input']>;
};


/** Operations that write. */
export type MutationDisableAppArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationEnableAppArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationIssueKeyArgs = {
  input: IssueKeyInput;
};


/** Operations that write. */
export type MutationChangeKeyArgs = {
  id: Scalars['ID']['input'];
  label: InputMaybe<Scalars['String']['input']>;
};


/** Operations that write. */
export type MutationRevokeKeyArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationAddTenantArgs = {
  appId: Scalars['ID']['input'];
  tenantKey: Scalars['String']['input'];
};


/** Operations that write. */
export type MutationRemoveTenantArgs = {
  appId: Scalars['ID']['input'];
  tenantKey: Scalars['String']['input'];
  connections: TenantConnections;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Operations that write. */
export type MutationAddReturnUrlArgs = {
  appId: Scalars['ID']['input'];
  url: Scalars['String']['input'];
};


/** Operations that write. */
export type MutationRemoveReturnUrlArgs = {
  appId: Scalars['ID']['input'];
  url: Scalars['String']['input'];
};


/** Operations that write. */
export type MutationAddLaunchOriginArgs = {
  appId: Scalars['ID']['input'];
  origin: Scalars['String']['input'];
};


/** Operations that write. */
export type MutationRemoveLaunchOriginArgs = {
  appId: Scalars['ID']['input'];
  origin: Scalars['String']['input'];
};


/** Operations that write. */
export type MutationSetBrandingArgs = {
  appId: Scalars['ID']['input'];
  color: InputMaybe<Scalars['String']['input']>;
  language: InputMaybe<Scalars['String']['input']>;
};


/** Operations that write. */
export type MutationSetLogoArgs = {
  appId: Scalars['ID']['input'];
  image: Scalars['String']['input'];
};


/** Operations that write. */
export type MutationRemoveLogoArgs = {
  appId: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationSetPolicyArgs = {
  appId: Scalars['ID']['input'];
  provider: SocialProvider;
  capabilities: Array<Capability>;
  quotaPercent: InputMaybe<Scalars['Int']['input']>;
};


/** Operations that write. */
export type MutationSetIdentityArgs = {
  appId: Scalars['ID']['input'];
  issuerId: Scalars['ID']['input'];
  returnUrl: Scalars['String']['input'];
  enabled?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Operations that write. */
export type MutationCreateRegistrationArgs = {
  input: CreateRegistrationInput;
};


/** Operations that write. */
export type MutationRotateRegistrationSecretArgs = {
  id: Scalars['ID']['input'];
  clientSecret: Scalars['String']['input'];
  secretExpiresAt: InputMaybe<Scalars['DateTime']['input']>;
};


/** Operations that write. */
export type MutationPauseRegistrationArgs = {
  id: Scalars['ID']['input'];
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Operations that write. */
export type MutationResumeRegistrationArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationRetryRegistrationArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationClearSpentQuotaArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationSetDailyQuotaArgs = {
  id: Scalars['ID']['input'];
  units: InputMaybe<Scalars['Int']['input']>;
};


/** Operations that write. */
export type MutationSetRegistrationPermissionsArgs = {
  id: Scalars['ID']['input'];
  permissions: InputMaybe<Array<Scalars['String']['input']>>;
};


/** Operations that write. */
export type MutationDismissUnknownAnswerArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationAddCallbackSecretArgs = {
  registrationId: Scalars['ID']['input'];
  secret: Scalars['String']['input'];
  idempotencyKey: InputMaybe<Scalars['String']['input']>;
};


/** Operations that write. */
export type MutationRemoveCallbackSecretArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationServeAppArgs = {
  registrationId: Scalars['ID']['input'];
  appId: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationStopServingAppArgs = {
  registrationId: Scalars['ID']['input'];
  appId: Scalars['ID']['input'];
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Operations that write. */
export type MutationCreateIdentityIssuerArgs = {
  input: CreateIdentityIssuerInput;
};


/** Operations that write. */
export type MutationRotateIdentityIssuerSecretArgs = {
  id: Scalars['ID']['input'];
  clientSecret: Scalars['String']['input'];
  secretExpiresAt: InputMaybe<Scalars['DateTime']['input']>;
};


/** Operations that write. */
export type MutationCreateWebhookEndpointArgs = {
  input: CreateWebhookEndpointInput;
};


/** Operations that write. */
export type MutationChangeWebhookEndpointArgs = {
  id: Scalars['ID']['input'];
  url: InputMaybe<Scalars['String']['input']>;
  eventTypes: InputMaybe<Array<Scalars['String']['input']>>;
};


/** Operations that write. */
export type MutationDisableWebhookEndpointArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationEnableWebhookEndpointArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationRemoveWebhookEndpointArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationRotateWebhookSecretArgs = {
  id: Scalars['ID']['input'];
  idempotencyKey: InputMaybe<Scalars['String']['input']>;
};


/** Operations that write. */
export type MutationRetireWebhookSecretArgs = {
  id: Scalars['ID']['input'];
  secretId: Scalars['ID']['input'];
  afterHours?: InputMaybe<Scalars['Int']['input']>;
};


/** Operations that write. */
export type MutationSendTestWebhookArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationRedeliverWebhookArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationRedeliverWebhooksArgs = {
  id: Scalars['ID']['input'];
  since: Scalars['DateTime']['input'];
  failedOnly?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Operations that write. */
export type MutationRetryJobArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationRetryJobsArgs = {
  filter: JobFilter;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Operations that write. */
export type MutationCancelAttemptArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationDisconnectConnectionArgs = {
  id: Scalars['ID']['input'];
};


/** Operations that write. */
export type MutationDisconnectAllArgs = {
  input: DisconnectAllInput;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Operations that write. */
export type MutationEraseSubjectArgs = {
  input: EraseSubjectInput;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Operations that write. */
export type MutationExportSubjectArgs = {
  input: ExportSubjectInput;
  after: InputMaybe<Scalars['String']['input']>;
};


/** Operations that write. */
export type MutationSetRefreshPolicyArgs = {
  appId: Scalars['ID']['input'];
  provider: SocialProvider;
  refreshMinutes: InputMaybe<Scalars['Int']['input']>;
  refreshDays?: InputMaybe<Scalars['Int']['input']>;
  refreshPosts?: InputMaybe<Scalars['Int']['input']>;
};


/** Operations that write. */
export type MutationSetRefreshShareArgs = {
  registrationId: Scalars['ID']['input'];
  percent: Scalars['Int']['input'];
};


/** Operations that write. */
export type MutationRevokeAdminTokenArgs = {
  id: Scalars['ID']['input'];
};

/** Where a page ends. */
export type PageInfo = {
  /** Pass it as `after` to get the next page. Null on an empty page. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** True if there is more. */
  hasNextPage: Scalars['Boolean']['output'];
};

/** The URLs of this service. */
export type Service = {
  /** The URL for apps' requests, on the same host as Connect unless a proxy changes that. */
  graphqlUrl: Scalars['String']['output'];
  /** One for each provider. */
  redirectUris: Array<RedirectUri>;
};

/** The URL a provider sends browsers back to. Register it there exactly. */
export type RedirectUri = {
  /** The provider. */
  provider: SocialProvider;
  /** Must match exactly. */
  url: Scalars['String']['output'];
};

/** An admin token, without its secret. */
export type AdminToken = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** Its owner or purpose. */
  label: Scalars['String']['output'];
  /** The role. */
  role: AdminRole;
  /** The instant of its creation. */
  createdAt: Scalars['DateTime']['output'];
  /** The instant at which it expires. */
  expiresAt: Scalars['DateTime']['output'];
  /** Set once it is revoked. */
  revokedAt: Maybe<Scalars['DateTime']['output']>;
  /** The instant of its last use, to within a minute. */
  lastUsedAt: Maybe<Scalars['DateTime']['output']>;
  /** True for the token of one OpenID Connect session. Nobody holds it, and it ends with the session. */
  sessionOnly: Scalars['Boolean']['output'];
};

/** A page of apps. */
export type AppPage = {
  /** In the order of the list. */
  items: Array<App>;
  /** The end of the page. */
  pageInfo: PageInfo;
};

/** A customer application and its settings. */
export type App = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The name that people read on the service's pages. */
  name: Scalars['String']['output'];
  /** A disabled app's requests are refused. */
  enabled: Scalars['Boolean']['output'];
  /** Its limit of requests per second. */
  requestsPerSecond: Scalars['Int']['output'];
  /** The instant of its creation. */
  createdAt: Scalars['DateTime']['output'];
  /** Newest first; revoked and expired ones too. */
  keys: Array<AppKey>;
  /** The number of tenants; `tenants` lists them. */
  tenantCount: Scalars['Int']['output'];
  /** The URLs that browsers may return to. */
  returnUrls: Array<Scalars['String']['output']>;
  /** Besides the origins of the return URLs. */
  launchOrigins: Array<Scalars['String']['output']>;
  /** One for each provider that it may use. */
  policies: Array<Policy>;
  /** The registrations that serve it. A new attempt uses the oldest one that is not paused. */
  registrations: Array<Registration>;
  /** How it signs people in. Null if it may not. */
  identity: Maybe<AppIdentity>;
  /** The look and the language of the pages on which people see its name. */
  branding: Branding;
  /** The reasons why it cannot connect an account now, as sentences. Empty if it can. */
  missing: Array<Scalars['String']['output']>;
};

/** The look and the language of an app's pages. */
export type Branding = {
  /** As `#rrggbb`. Null is the service's own color. */
  color: Maybe<Scalars['String']['output']>;
  /** One of `en`, `de`, `fr`, `es` and `pt-BR`. Null is the language that the browser prefers. */
  language: Maybe<Scalars['String']['output']>;
  /** Null if it has none. */
  logo: Maybe<Logo>;
};

/** An app's logo. */
export type Logo = {
  /** The URL that browsers load it from. It changes with the image. */
  url: Scalars['String']['output'];
  /** The hash of the image, in hexadecimal. */
  sha256: Scalars['String']['output'];
  /** `image/png` or `image/webp`. */
  mediaType: Scalars['String']['output'];
  /** In pixels. */
  width: Scalars['Int']['output'];
  /** In pixels. */
  height: Scalars['Int']['output'];
};

/** An app's key, without its secret. */
export type AppKey = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** What operators call it. Null if it has no label. */
  label: Maybe<Scalars['String']['output']>;
  /** The instant of its creation. */
  createdAt: Scalars['DateTime']['output'];
  /** Null if it does not expire. */
  expiresAt: Maybe<Scalars['DateTime']['output']>;
  /** Set once it is revoked. */
  revokedAt: Maybe<Scalars['DateTime']['output']>;
  /** The service writes it at most hourly, so the last use may be up to an hour later. Null if it was never used. */
  lastUsedAt: Maybe<Scalars['DateTime']['output']>;
  /** Neither revoked nor expired. An app has at most two active keys. */
  active: Scalars['Boolean']['output'];
};

/** The capabilities that an app may request at a provider. */
export type Policy = {
  /** The provider. */
  provider: SocialProvider;
  /** The capabilities. */
  capabilities: Array<Capability>;
  /**
   * The most of a registration's daily quota that the app may use, in percent. Null is the default: all of it while the
   * registration serves no other app, otherwise half.
   */
  quotaPercent: Maybe<Scalars['Int']['output']>;
  /** The interval of automatic refreshes in minutes. Null if they are off. */
  refreshMinutes: Maybe<Scalars['Int']['output']>;
  /** The number of last days whose posts a refresh reads. */
  refreshDays: Scalars['Int']['output'];
  /** The number of newest posts of these days that a refresh reads. */
  refreshPosts: Scalars['Int']['output'];
};

/** How an app signs people in. */
export type AppIdentity = {
  /** The OpenID issuer. */
  issuer: IdentityIssuer;
  /** The URL that browsers return to. */
  returnUrl: Scalars['String']['output'];
  /** True if it is in use. */
  enabled: Scalars['Boolean']['output'];
};

/** A new key. */
export type IssuedKey = {
  /** The key without its secret. */
  key: AppKey;
  /**
   * `<key-id>.<secret>`. You see it only once, and the service does not store it. Null in the answer to a repeated request: if
   * you lost the first answer, revoke the key and issue another.
   */
  secret: Maybe<Scalars['String']['output']>;
};

/** A page of tenants. */
export type TenantPage = {
  /** In the order of the list. */
  items: Array<Tenant>;
  /** The end of the page. */
  pageInfo: PageInfo;
};

/** A tenant of an app, in the app's own words. */
export type Tenant = {
  /** The tenant's key, in the app's own words. */
  tenantKey: Scalars['String']['output'];
  /** The instant of its creation. */
  createdAt: Scalars['DateTime']['output'];
  /** Connections in it, in any status. */
  connectionCount: Scalars['Int']['output'];
};

/** The effect of removing a tenant. */
export type RemovedTenant = {
  /** True if nothing was changed. */
  dryRun: Scalars['Boolean']['output'];
  /** Its connections that could still be disconnected. */
  connectionCount: Scalars['Int']['output'];
  /** The bulk disconnect that was started. Null with KEEP, on a dry run, and if there was nothing to disconnect. */
  bulkDisconnect: Maybe<BulkDisconnect>;
};

/** Our OAuth client at one provider, without its secret. */
export type Registration = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The provider. */
  provider: SocialProvider;
  /** A label for operators. */
  label: Scalars['String']['output'];
  /** The provider's id of our client. */
  clientId: Scalars['String']['output'];
  /** The instant of its creation. */
  createdAt: Scalars['DateTime']['output'];
  /** The instant at which the current secret was stored. */
  secretSetAt: Scalars['DateTime']['output'];
  /** The instant at which the secret expires at the provider, if known. */
  secretExpiresAt: Maybe<Scalars['DateTime']['output']>;
  /** Set while it is paused. */
  pausedAt: Maybe<Scalars['DateTime']['output']>;
  /** Set while the provider refuses our client: its id, secret or set-up is wrong. */
  rejectedAt: Maybe<Scalars['DateTime']['output']>;
  /**
   * Set while the provider refuses unusually many accounts: until some of them work again, or `retryRegistration`, their
   * connections stay as they are.
   */
  doubtedAt: Maybe<Scalars['DateTime']['output']>;
  /** The permissions that the service uses at this provider. */
  permissions: Array<RegistrationPermission>;
  /** What a new connection can be read for, if the person grants all permissions that the client asks for. */
  capabilities: Array<Capability>;
  /** The use of its quota. */
  usage: RegistrationUsage;
  /** Its connections that are CONNECTED, SUSPENDED or RECONNECT_REQUIRED. */
  connectionCount: Scalars['Int']['output'];
  /** The URL the provider sends browsers back to. Register it there exactly. */
  redirectUri: Scalars['String']['output'];
  /** The URLs the platform calls. Enter them there exactly. Empty if it sends no callbacks. */
  callbackUrls: Array<CallbackUrl>;
  /** Secrets with which the platform may sign its callbacks, without their values, oldest first. */
  callbackSecrets: Array<CallbackSecret>;
  /** The apps it serves, in the order they were added. */
  apps: Array<ServedApp>;
  /** The largest part of the daily quota and the rate limit that automatic refreshes may use, in percent. */
  refreshPercent: Scalars['Int']['output'];
};

/** A permission of a provider, in its own words. */
export type RegistrationPermission = {
  /** The name. */
  name: Scalars['String']['output'];
  /** Whether the client asks people for it. */
  isAsked: Scalars['Boolean']['output'];
  /** Whether the service can do nothing without it. */
  isNeeded: Scalars['Boolean']['output'];
};

/** An answer of a provider that no adapter knows. Names, numbers, ids and addresses are removed from its text. */
export type UnknownAnswer = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The provider. */
  provider: SocialProvider;
  /** The request that it answered. */
  request: Scalars['String']['output'];
  /** The HTTP status. */
  status: Scalars['Int']['output'];
  /** The provider's own error codes. Empty without one. */
  code: Scalars['String']['output'];
  /** The rest of its text, or how its format differs. */
  text: Scalars['String']['output'];
  /** What the service made of it, such as RetryLater. */
  madeOfIt: Scalars['String']['output'];
  /** The number of times that it came, at least. */
  times: Scalars['Int']['output'];
  /** The instant at which it came first. */
  firstSeenAt: Scalars['DateTime']['output'];
  /** The instant at which it came last. */
  lastSeenAt: Scalars['DateTime']['output'];
};

/** A page of answers. */
export type UnknownAnswerPage = {
  /** The answers. */
  items: Array<UnknownAnswer>;
  /** The position of the page. */
  pageInfo: PageInfo;
};

/** A URL at which a platform reports that a person has removed the app there or requests the deletion of their data. */
export type CallbackUrl = {
  /** The platform's name of the set-up field for this URL. */
  enteredAs: Scalars['String']['output'];
  /** Of this registration only. */
  url: Scalars['String']['output'];
};

/** A secret of a platform's callbacks, without its value. */
export type CallbackSecret = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The instant at which it was stored. */
  createdAt: Scalars['DateTime']['output'];
};

/** An app that a registration serves. */
export type ServedApp = {
  /** The id of the app. */
  appId: Scalars['ID']['output'];
  /** The name that people read on the service's pages. */
  name: Scalars['String']['output'];
  /** The instant since which the registration serves it. */
  since: Scalars['DateTime']['output'];
  /** Units of the daily quota that it has used on the day of `usage`. */
  unitsUsed: Scalars['Int']['output'];
  /** The share of the daily quota that it may use, in percent: from its policy, or the default. */
  quotaPercent: Scalars['Int']['output'];
  /** The same share in units. Null if it is not limited. */
  unitsAllowed: Maybe<Scalars['Int']['output']>;
};

/** The use of a registration's daily quota, by our own count. */
export type RegistrationUsage = {
  /** The provider's quota day, such as `2026-01-31`, in the zone in which its quota is reset. */
  day: Scalars['String']['output'];
  /** Units used on that day. Each HTTP call is one unit, unless the provider's price list differs. */
  unitsUsed: Scalars['Int']['output'];
  /** Units a day: set with `setDailyQuota`, or the provider's documented default. Null if it has no daily quota. */
  unitsAllowed: Maybe<Scalars['Int']['output']>;
  /** The remaining units, at least 0. */
  unitsLeft: Maybe<Scalars['Int']['output']>;
  /** Set once the quota is used up. Until then the service sends no reads. */
  spentUntil: Maybe<Scalars['DateTime']['output']>;
};

/** The effect of pausing a registration, or of stopping it from serving an app. */
export type RegistrationChange = {
  /** True if nothing was changed. */
  dryRun: Scalars['Boolean']['output'];
  /** The current registration. */
  registration: Registration;
  /** Live connections that become unreadable. */
  connectionCount: Scalars['Int']['output'];
  /** Jobs that will wait, or fail, because of it. */
  openJobCount: Scalars['Int']['output'];
};

/** An OpenID provider that apps may sign people in with, without our secret there. */
export type IdentityIssuer = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The issuer's exact URL. */
  issuer: Scalars['String']['output'];
  /** The issuer's id of our client. */
  clientId: Scalars['String']['output'];
  /** How our client authenticates there. */
  tokenAuthMethod: TokenAuthMethod;
  /** The instant of its creation. */
  createdAt: Scalars['DateTime']['output'];
  /** The instant at which the current secret was stored. */
  secretSetAt: Scalars['DateTime']['output'];
  /** The instant at which the secret expires at the issuer, if known. */
  secretExpiresAt: Maybe<Scalars['DateTime']['output']>;
  /** The URL it sends browsers back to. Register it there exactly. */
  redirectUri: Scalars['String']['output'];
};

/** A page of connections. */
export type ConnectionPage = {
  /** In the order of the list. */
  items: Array<Connection>;
  /** The end of the page. */
  pageInfo: PageInfo;
};

/** The link between a subject and an account. */
export type Connection = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** The name of the app. */
  appName: Scalars['String']['output'];
  /** In the app's own words. */
  tenantKey: Scalars['String']['output'];
  /** In the app's own words. */
  externalSubjectId: Scalars['String']['output'];
  /** The provider. */
  provider: SocialProvider;
  /** The registration it uses. */
  registrationId: Scalars['ID']['output'];
  /** The label of the registration. */
  registrationLabel: Scalars['String']['output'];
  /** The status. */
  status: ConnectionStatus;
  /** The code that a read by its app answers, or null if the app may read it. */
  readErrorCode: Maybe<Scalars['String']['output']>;
  /** The freshness of its posts. */
  syncStatus: SyncStatus;
  /** The capabilities. */
  capabilities: Array<CapabilityState>;
  /** The instant at which the last complete scan requested its first page. */
  lastSuccessfulSyncAt: Maybe<Scalars['DateTime']['output']>;
  /** Set while a failed scan waits to retry. */
  nextRetryAt: Maybe<Scalars['DateTime']['output']>;
  /** The instant of its creation. */
  createdAt: Scalars['DateTime']['output'];
  /** The instant of its last status change. */
  changedAt: Scalars['DateTime']['output'];
  /** Its workflows in the Temporal UI, if configured. */
  workflowsUrl: Maybe<Scalars['String']['output']>;
};

/** One capability of the last connect, with its current state. */
export type CapabilityState = {
  /** The capability. */
  capability: Capability;
  /** Says whether it is available. */
  availability: Availability;
  /** The reason if it is not AVAILABLE. */
  reason: Maybe<Scalars['String']['output']>;
};

/** The whole history of one connection. */
export type ConnectionStory = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** Null once it is erased. */
  connection: Maybe<Connection>;
  /** The last 50 attempts to create or reconnect it, newest first. */
  attempts: Array<Attempt>;
  /** Newest first; the last 50. */
  grants: Array<Grant>;
  /** The two receipts of its disconnect: the revoke and the erase. Empty until it is disconnected. */
  receipts: Array<Job>;
  /** Its reads, newest first; the last 50. */
  jobs: Array<Job>;
  /** The last 50 acts of operators on it, its jobs and its attempts, newest first. */
  audit: Array<AuditEntry>;
};

/** One consent, without its tokens. */
export type Grant = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The attempt that created it. */
  attemptId: Scalars['ID']['output'];
  /** The status. */
  status: GrantStatus;
  /** The provider's own permission strings, as granted. */
  permissions: Array<Scalars['String']['output']>;
  /** The instant at which the code was exchanged. */
  obtainedAt: Scalars['DateTime']['output'];
  /** The instant at which its access token expires. */
  accessExpiresAt: Maybe<Scalars['DateTime']['output']>;
  /** The instant at which it expires unless refreshed. Null if it has no fixed end. */
  refreshExpiresAt: Maybe<Scalars['DateTime']['output']>;
  /** The number of token refreshes. */
  refreshCount: Scalars['Int']['output'];
  /** Set while a refresh is in progress or its answer is lost. */
  refreshClaimedAt: Maybe<Scalars['DateTime']['output']>;
};

/** A page of attempts. */
export type AttemptPage = {
  /** In the order of the list. */
  items: Array<Attempt>;
  /** The end of the page. */
  pageInfo: PageInfo;
};

/** One try to connect. */
export type Attempt = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** The name of the app. */
  appName: Scalars['String']['output'];
  /** The provider. */
  provider: SocialProvider;
  /** The registration it uses. */
  registrationId: Scalars['ID']['output'];
  /** The label of the registration. */
  registrationLabel: Scalars['String']['output'];
  /** The capabilities. */
  capabilities: Array<Capability>;
  /** EXPIRED as soon as its deadline has passed. */
  status: ConnectSessionStatus;
  /** The reason of its end, as its app reads it. */
  resultCode: Maybe<Scalars['String']['output']>;
  /** `resultCode` in words. */
  resultMessage: Maybe<Scalars['String']['output']>;
  /** The connection it created or reconnected. */
  connectionId: Maybe<Scalars['ID']['output']>;
  /** The connection to reconnect. */
  reconnectConnectionId: Maybe<Scalars['ID']['output']>;
  /** A manual step for the owner of the account. */
  creatorAction: Maybe<ConnectCreatorAction>;
  /** The instant of its creation. */
  createdAt: Scalars['DateTime']['output'];
  /** The instant at which it expires. */
  expiresAt: Scalars['DateTime']['output'];
  /** Set once it has ended. */
  finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** The correlation id of its request; also in the log and in the workflow's memo. */
  correlationId: Scalars['ID']['output'];
  /** The id of its workflow. */
  workflowId: Scalars['ID']['output'];
  /** Its page in the Temporal UI, if configured. */
  workflowUrl: Maybe<Scalars['String']['output']>;
};

/** A page of jobs. */
export type JobPage = {
  /** In the order of the list. */
  items: Array<Job>;
  /** The end of the page. */
  pageInfo: PageInfo;
};

/** Work in progress or ended. */
export type Job = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The kind. */
  kind: JobKind;
  /** The status. */
  status: JobStatus;
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** The name of the app. */
  appName: Scalars['String']['output'];
  /** In the app's own words. Null once its connection or attempt is gone. */
  tenantKey: Maybe<Scalars['String']['output']>;
  /** The provider. */
  provider: SocialProvider;
  /** The registration it uses. */
  registrationId: Maybe<Scalars['ID']['output']>;
  /** The connection of the job. */
  connectionId: Maybe<Scalars['ID']['output']>;
  /** The attempt whose grant it revokes. */
  attemptId: Maybe<Scalars['ID']['output']>;
  /**
   * True if the job is open and a try has failed, if it is open and has made no progress for 15 minutes, or if it is a FAILED
   * revoke that you can retry.
   */
  stuck: Scalars['Boolean']['output'];
  /** The instant since which it is stuck: its first failed try, or its last progress. Null if it is not stuck. */
  stuckSince: Maybe<Scalars['DateTime']['output']>;
  /** True if `retryJob` has an effect. */
  retryable: Scalars['Boolean']['output'];
  /** Failed tries so far. */
  tries: Scalars['Int']['output'];
  /** The reason why the last try failed. */
  lastFailure: Maybe<Failure>;
  /** The instant at which a try first failed. */
  firstFailedAt: Maybe<Scalars['DateTime']['output']>;
  /** The instant of its next try. Null unless it waits for one. */
  nextTryAt: Maybe<Scalars['DateTime']['output']>;
  /** The instant at which a revoke gives up. */
  givesUpAt: Maybe<Scalars['DateTime']['output']>;
  /** The reason why it FAILED. */
  failure: Maybe<Failure>;
  /** A manual step for the owner of the account. */
  creatorAction: Maybe<ConnectCreatorAction>;
  /** Posts read so far by a scan. */
  itemCount: Maybe<Scalars['Int']['output']>;
  /** The reason why a scan did not read its whole window. */
  incompleteReason: Maybe<Scalars['String']['output']>;
  /** The instant of its creation. */
  createdAt: Scalars['DateTime']['output'];
  /** The instant at which it started. */
  startedAt: Maybe<Scalars['DateTime']['output']>;
  /** Set once it has ended. */
  finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** The correlation id of its request; also in the log and in the workflow's memo. */
  correlationId: Scalars['ID']['output'];
  /** The id of its workflow. */
  workflowId: Scalars['ID']['output'];
  /** Its page in the Temporal UI, if configured. */
  workflowUrl: Maybe<Scalars['String']['output']>;
};

/** Stuck jobs, counted. */
export type StuckWork = {
  /** Jobs that are stuck. */
  count: Scalars['Int']['output'];
  /** Of these, the ones that `retryJobs` would retry. The others are being tried, or a retry has no effect. */
  retryableCount: Scalars['Int']['output'];
  /** The number of groups. */
  groupCount: Scalars['Int']['output'];
  /** The largest first. */
  groups: Array<StuckGroup>;
};

/** Stuck jobs of one kind, of one app, at one provider, for one reason. */
export type StuckGroup = {
  /** The app they belong to. */
  appId: Scalars['ID']['output'];
  /** The name that people read on the service's pages. */
  appName: Scalars['String']['output'];
  /** The provider. */
  provider: SocialProvider;
  /** The kind. */
  kind: JobKind;
  /** The reason why each of them, or its last try, failed. Null if none has failed: they make no progress. */
  lastFailure: Maybe<Failure>;
  /** The number. */
  count: Scalars['Int']['output'];
  /** Of these, revokes that have FAILED. */
  failedCount: Scalars['Int']['output'];
  /** The instant since which the oldest of them is stuck. */
  since: Scalars['DateTime']['output'];
};

/** The reason of a failure: a code of a closed set and a message of this service, never a provider's text. */
export type Failure = {
  /** A code of a closed set. */
  code: Scalars['String']['output'];
  /** A sentence for a person. */
  message: Scalars['String']['output'];
};

/** The state of an attempt, job or bulk disconnect in its workflow. */
export type LiveState = {
  /** The id of the workflow. */
  workflowId: Scalars['ID']['output'];
  /** The state of its latest run. */
  state: WorkflowState;
  /** True if its own code fails, or does not replay: it goes on only with another build of the worker. */
  failing: Scalars['Boolean']['output'];
  /** Its answer to the query `progress`. Null if it has closed, or if no worker answered in time. */
  progress: Maybe<WorkflowProgress>;
  /** The activities that it waits for. */
  pendingActivities: Array<PendingActivity>;
  /** The number of events in its history. Null if not known. */
  historyLength: Maybe<Scalars['Int']['output']>;
  /** The build of the worker that took its last task. Null if not known. */
  workerBuild: Maybe<Scalars['String']['output']>;
  /** A sentence, if the row and the workflow disagree. */
  disagreement: Maybe<Scalars['String']['output']>;
};

/** A workflow's answer to the query `progress`. */
export type WorkflowProgress = {
  /** The step. */
  step: WorkflowStep;
  /** The instant at which this run began the step. */
  since: Scalars['DateTime']['output'];
  /** Failed tries of the step. */
  tries: Scalars['Int']['output'];
  /** The reason why the last try of this run failed. */
  lastFailure: Maybe<Failure>;
  /** Null while it works. */
  waitingFor: Maybe<WorkflowWait>;
  /** The instant at which the wait ends by itself. */
  waitingUntil: Maybe<Scalars['DateTime']['output']>;
  /** Parts of the step that are done. Null for a step without parts. */
  done: Maybe<Scalars['Int']['output']>;
  /** All parts of the step. */
  total: Maybe<Scalars['Int']['output']>;
};

/** An activity that a workflow waits for. */
export type PendingActivity = {
  /** The name. */
  name: Scalars['String']['output'];
  /** The number of its attempt, 1 for the first. */
  attempt: Scalars['Int']['output'];
  /** The type of the last attempt's failure. Null if none has failed. */
  lastFailureType: Maybe<Scalars['String']['output']>;
  /** The instant of its next attempt. Null while it runs. */
  nextTryAt: Maybe<Scalars['DateTime']['output']>;
};

/** The effect of retrying many jobs. */
export type RetriedJobs = {
  /** True if nothing was changed. */
  dryRun: Scalars['Boolean']['output'];
  /** Jobs that are retried, or would be on a real run. */
  count: Scalars['Int']['output'];
  /** Of these, revokes that had FAILED. */
  failedCount: Scalars['Int']['output'];
  /** True if more jobs match than one request retries. */
  more: Scalars['Boolean']['output'];
};

/** The effect of a bulk disconnect. */
export type DisconnectedAll = {
  /** True if nothing was changed. */
  dryRun: Scalars['Boolean']['output'];
  /** Connections to disconnect. */
  connectionCount: Scalars['Int']['output'];
  /** Null on a dry run, and if there is nothing to disconnect. */
  bulkDisconnect: Maybe<BulkDisconnect>;
};

/** A bulk disconnect. */
export type BulkDisconnect = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Maybe<Scalars['ID']['output']>;
  /** The name of the app. */
  appName: Maybe<Scalars['String']['output']>;
  /** The tenant, if the run is over a tenant's connections. */
  tenantKey: Maybe<Scalars['String']['output']>;
  /** The registration, if the run is over a registration's connections. */
  registrationId: Maybe<Scalars['ID']['output']>;
  /** The instant at which it started. */
  startedAt: Scalars['DateTime']['output'];
  /** Set once the last connection is disconnected. */
  finishedAt: Maybe<Scalars['DateTime']['output']>;
  /** Connections at its start. */
  total: Scalars['Int']['output'];
  /** Connections disconnected so far. */
  disconnected: Scalars['Int']['output'];
  /** Of these, the ones whose revoke or erase has not ended. */
  unsettled: Scalars['Int']['output'];
  /** Of these, the ones whose revoke FAILED. */
  revokesFailed: Scalars['Int']['output'];
  /** The id of its workflow. */
  workflowId: Scalars['ID']['output'];
  /** Its page in the Temporal UI, if configured. */
  workflowUrl: Maybe<Scalars['String']['output']>;
};

/** The effect of erasing a person. */
export type ErasedSubject = {
  /** True if nothing was changed. */
  dryRun: Scalars['Boolean']['output'];
  /** Connections it affects. */
  connectionCount: Scalars['Int']['output'];
  /** Unfinished attempts, which are canceled. */
  attemptCount: Scalars['Int']['output'];
  /** Kept tokens of FAILED revokes. */
  keptTokenCount: Scalars['Int']['output'];
  /** The receipt. Null on a dry run, unless the subject was erased before. */
  erasure: Maybe<Erasure>;
};

/** A page of all that we hold of a person. */
export type SubjectExport = {
  /**
   * At most 500 rows. Each is a JSON object: `table` is our name of the kind of record, `row` its values by column, and
   * `sealed` the columns whose value is sealed.
   */
  rows: Array<Scalars['String']['output']>;
  /** Its position, for the next page. Null after the last row. */
  endCursor: Maybe<Scalars['String']['output']>;
};

/** The receipt of an erasure. Holds random ids only. */
export type Erasure = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** The instant of the first request. */
  requestedAt: Scalars['DateTime']['output'];
  /** The instant since which only receipts remain: no connection, grant, kept token or open job. Null until then. */
  completedAt: Maybe<Scalars['DateTime']['output']>;
  /** Connections it covers, including those with only the kept tokens of a failed revoke left. */
  connectionIds: Array<Scalars['ID']['output']>;
  /** Of these, the ones not yet erased. */
  remaining: Scalars['Int']['output'];
  /** The receipts: revokes and erases, and the revokes of unused grants. */
  jobs: Array<Job>;
};

/** A type of event that a webhook endpoint can receive. */
export type WebhookEventType = {
  /** Its name, such as `connection.connected`. */
  name: Scalars['String']['output'];
  /** When it is sent. */
  description: Scalars['String']['output'];
};

/** A URL of an app to which the service sends events. The guide to webhooks describes them. */
export type WebhookEndpoint = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** The name of the app. */
  appName: Scalars['String']['output'];
  /** The URL. A VIEWER sees its origin only, and `…` for the rest: that may contain a secret of the app. */
  url: Scalars['String']['output'];
  /** The types of events it receives. */
  eventTypes: Array<Scalars['String']['output']>;
  /** True if the service sends to it. */
  enabled: Scalars['Boolean']['output'];
  /** Null if it is enabled. */
  disabledReason: Maybe<WebhookDisabledReason>;
  /** Null if it is enabled. */
  disabledAt: Maybe<Scalars['DateTime']['output']>;
  /** The instant of the first failed try since the last success. Null if the last try succeeded. */
  failingSince: Maybe<Scalars['DateTime']['output']>;
  /** Failed tries since the last success. */
  failures: Scalars['Int']['output'];
  /** The service tries no delivery before this instant: after several failures, or because the endpoint asked for it. */
  pausedUntil: Maybe<Scalars['DateTime']['output']>;
  /** The secrets that sign now, oldest first: one, or two during a rotation. */
  secrets: Array<WebhookSecret>;
  /** The instant of its creation. */
  createdAt: Scalars['DateTime']['output'];
  /** The id of the workflow that sends its deliveries. */
  workflowId: Scalars['ID']['output'];
  /** Its page in the Temporal UI, if configured. */
  workflowUrl: Maybe<Scalars['String']['output']>;
};

/** A page of webhook endpoints. */
export type WebhookEndpointPage = {
  /** In the order of the list. */
  items: Array<WebhookEndpoint>;
  /** The end of the page. */
  pageInfo: PageInfo;
};

/** A secret with which deliveries are signed. No operation shows it again. */
export type WebhookSecret = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The instant of its creation. */
  createdAt: Scalars['DateTime']['output'];
  /** It signs until then. Null until it is retired. */
  retiresAt: Maybe<Scalars['DateTime']['output']>;
};

/** A new secret of a webhook endpoint. */
export type NewWebhookSecret = {
  /** The endpoint. */
  endpoint: WebhookEndpoint;
  /** The secret, which begins `whsec_`. Null if the request was repeated: only the first answer shows it. */
  secret: Maybe<Scalars['String']['output']>;
};

/** A page of deliveries. */
export type WebhookDeliveryPage = {
  /** In the order of the list. */
  items: Array<WebhookDelivery>;
  /** The end of the page. */
  pageInfo: PageInfo;
};

/** An event on its way to one endpoint. The service keeps no body of an answer. */
export type WebhookDelivery = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The `webhook-id` that the endpoint receives. */
  eventId: Scalars['ID']['output'];
  /** The type of the event. */
  eventType: Scalars['String']['output'];
  /** The instant at which the event occurred. */
  occurredAt: Scalars['DateTime']['output'];
  /** The endpoint, which may be gone. */
  endpointId: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** The connection of the event. */
  connectionId: Maybe<Scalars['ID']['output']>;
  /** The status. */
  status: WebhookDeliveryStatus;
  /** Tries since it was last sent, or sent again. */
  tries: Scalars['Int']['output'];
  /** The instant of the next try. It waits longer while its endpoint is paused or disabled. */
  nextTryAt: Maybe<Scalars['DateTime']['output']>;
  /** The HTTP status of the last answer. Null if the last try got none. */
  lastHttpStatus: Maybe<Scalars['Int']['output']>;
  /** The reason why the last try failed. Null if it succeeded. */
  lastFailure: Maybe<Failure>;
  /** The instant of the last try. */
  lastTriedAt: Maybe<Scalars['DateTime']['output']>;
  /** Set once it has ended. */
  finishedAt: Maybe<Scalars['DateTime']['output']>;
};

/** The effect of sending many events again. */
export type RedeliveredWebhooks = {
  /** Events that are sent again. */
  count: Scalars['Int']['output'];
  /** If there may be more: repeat the request from this instant. */
  continueAt: Maybe<Scalars['DateTime']['output']>;
};

/** A page of receipts of erasures. */
export type ErasurePage = {
  /** In the order of the list. */
  items: Array<ErasureReceipt>;
  /** The end of the page. */
  pageInfo: PageInfo;
};

/** The receipt of an erasure, in a list. */
export type ErasureReceipt = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Scalars['ID']['output'];
  /** The name of the app. */
  appName: Scalars['String']['output'];
  /** The instant of the first request. */
  requestedAt: Scalars['DateTime']['output'];
  /** The instant since which only receipts remain. Null until then. */
  completedAt: Maybe<Scalars['DateTime']['output']>;
  /** The number of connections it covers. */
  connectionCount: Scalars['Int']['output'];
  /** Of these, the ones not yet erased. */
  remaining: Scalars['Int']['output'];
};

/** A thing that `find` has found. */
export type Found = {
  /** The kind. */
  kind: FoundKind;
  /** Its id. Of a tenant: its key. Of entries of the audit log: the correlation id or the id that they name. */
  id: Scalars['ID']['output'];
  /** The app it belongs to. */
  appId: Maybe<Scalars['ID']['output']>;
  /** Its name or state, if it has one. */
  label: Maybe<Scalars['String']['output']>;
};

/** A statement that the data of a connection was deleted. */
export type ProofOfDeletion = {
  /** The connection. */
  connectionId: Scalars['ID']['output'];
  /** JSON with ids, the deleted and kept data, and instants. */
  document: Scalars['String']['output'];
  /** A keyed hash over the document. `verifyProofOfDeletion` checks it while the key is configured. */
  signature: Scalars['String']['output'];
};

/** A credential with an expiry date. */
export type ExpiringCredential = {
  /** The kind. */
  kind: CredentialKind;
  /** The id of the key, registration, issuer or token. */
  id: Scalars['ID']['output'];
  /** Its name: an app's name, a label or an issuer. */
  label: Scalars['String']['output'];
  /** The app it belongs to. */
  appId: Maybe<Scalars['ID']['output']>;
  /** The instant at which it expires. */
  expiresAt: Scalars['DateTime']['output'];
  /** True if that instant has passed. */
  expired: Scalars['Boolean']['output'];
};

/** A page of the audit log. */
export type AuditPage = {
  /** In the order of the list. */
  items: Array<AuditEntry>;
  /** The end of the page. */
  pageInfo: PageInfo;
};

/** One act or refusal of an operator. It contains ids, codes, origins and keyed hashes, never other arguments. */
export type AuditEntry = {
  /** The id. */
  id: Scalars['ID']['output'];
  /** The instant. */
  happenedAt: Scalars['DateTime']['output'];
  /** `token:<id>`, `openid:<the issuer's id of the operator>`, `command line`, or `unknown`. */
  actor: Scalars['String']['output'];
  /** The label of the token, even if it was revoked or has expired. Null for any other actor. */
  actorLabel: Maybe<Scalars['String']['output']>;
  /** The operation or command. */
  action: Scalars['String']['output'];
  /** The id of its target. */
  target: Maybe<Scalars['String']['output']>;
  /**
   * Its other names: ids that it passed, created or affected, closed codes that it passed, and the origins of URLs. A
   * tenant and a subject are named by a keyed hash, as `tenant:...` and `subject:...`: filter by their keys to find them.
   */
  related: Array<Scalars['ID']['output']>;
  /** DONE, DRY_RUN, FAILED, or the code of the refusal. */
  outcome: Scalars['String']['output'];
  /** The correlation id of the request; also in the log. */
  correlationId: Maybe<Scalars['ID']['output']>;
};

/** The operators and the actions of the audit log, at most 500 of each. */
export type AuditChoices = {
  /** By label, then by name. */
  actors: Array<AuditActor>;
  /** By name. */
  actions: Array<Scalars['String']['output']>;
};

/** An operator in the audit log. */
export type AuditActor = {
  /** As in an entry. */
  actor: Scalars['String']['output'];
  /** The label of the token. Null for any other actor. */
  actorLabel: Maybe<Scalars['String']['output']>;
};

/** The connections, the stuck jobs and the state of the providers. */
export type Overview = {
  /** The instant it describes. */
  at: Scalars['DateTime']['output'];
  /** One for each status that occurs. */
  connections: Array<ConnectionCount>;
  /** Open and failed jobs, by kind and status. */
  jobs: Array<JobCount>;
  /** Connect attempts that have not ended. */
  openAttempts: Scalars['Int']['output'];
  /** Revokes that are stuck. */
  stuckRevokes: Scalars['Int']['output'];
  /** The instant since which the oldest of them exists. */
  oldestStuckRevokeAt: Maybe<Scalars['DateTime']['output']>;
  /** All jobs that are stuck, revokes included. */
  stuckJobs: Scalars['Int']['output'];
  /** The instant since which the oldest of them exists. */
  oldestStuckJobAt: Maybe<Scalars['DateTime']['output']>;
  /** Workflows that wait to be started. More than a few mean that Temporal cannot be reached. */
  outboxWaiting: Scalars['Int']['output'];
  /** The instant since which the oldest of them waits. */
  outboxOldestAt: Maybe<Scalars['DateTime']['output']>;
  /** One for each provider. */
  providers: Array<ProviderHealth>;
  /** Credentials that expire within 30 days. */
  expiringCredentialCount: Scalars['Int']['output'];
  /** Workflows whose own code fails, or does not replay: they wait for another build. Null if Temporal did not answer within a second. */
  failingWorkflows: Maybe<Scalars['Int']['output']>;
  /** Where the Temporal UI lists them. Null if no UI is configured. */
  failingWorkflowsUrl: Maybe<Scalars['String']['output']>;
};

/** Work that ended in a period. */
export type EndedWork = {
  /** The beginning of the period. */
  since: Scalars['DateTime']['output'];
  /** Its end, which may be in the future: the end of the current hour or day. */
  before: Scalars['DateTime']['output'];
  /** One for each hour or day, kind and outcome that occurs. */
  counts: Array<EndedWorkCount>;
};

/** The number of pieces of work of a kind that ended in one way, in an hour or a day. */
export type EndedWorkCount = {
  /** The beginning of the hour or day. */
  at: Scalars['DateTime']['output'];
  /** The kind. */
  kind: EndedWorkKind;
  /** COMPLETED, SUCCEEDED, DELIVERED or CANCELED; otherwise the code of the reason. */
  outcome: Scalars['String']['output'];
  /** The outcome, for a person. */
  message: Scalars['String']['output'];
  /** True if it succeeded. */
  succeeded: Scalars['Boolean']['output'];
  /** The number. */
  count: Scalars['Int']['output'];
  /** True if rows of this age are still stored, so that a list with the same filter shows them, except erased ones. */
  rowsKept: Scalars['Boolean']['output'];
};

/** The number of connections in a status. */
export type ConnectionCount = {
  /** The provider. */
  provider: SocialProvider;
  /** The status. */
  status: ConnectionStatus;
  /** The number. */
  count: Scalars['Int']['output'];
};

/** The number of jobs of a kind in a status. */
export type JobCount = {
  /** The kind. */
  kind: JobKind;
  /** The status. */
  status: JobStatus;
  /** The number. */
  count: Scalars['Int']['output'];
};

/** The state of a provider, as its jobs see it. */
export type ProviderHealth = {
  /** The provider. */
  provider: SocialProvider;
  /** Jobs queued or running. */
  openJobs: Scalars['Int']['output'];
  /** Open jobs whose last try failed, by reason. */
  failing: Array<FailureCount>;
  /** Jobs that succeeded in the last hour. */
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

/** The number of jobs that wait for one reason. */
export type FailureCount = {
  /** The reason. */
  failure: Failure;
  /** The number. */
  count: Scalars['Int']['output'];
  /** The instant since which the oldest of them fails. */
  since: Scalars['DateTime']['output'];
};

/** Filters the list of apps. Omitted fields do not filter. */
export type AppFilter = {
  /** Part of the name, case-insensitive, or the beginning of the id. 1 to 200 characters. */
  search?: InputMaybe<Scalars['String']['input']>;
};

/** Filters a list of connections. Omitted fields do not filter. */
export type ConnectionFilter = {
  /** The app it belongs to. */
  appId?: InputMaybe<Scalars['ID']['input']>;
  /** The provider. */
  provider?: InputMaybe<SocialProvider>;
  /** The registration it uses. */
  registrationId?: InputMaybe<Scalars['ID']['input']>;
  /** Only with one of these statuses. */
  statuses?: InputMaybe<Array<ConnectionStatus>>;
  /** Needs `appId`. */
  tenantKey?: InputMaybe<Scalars['String']['input']>;
  /** Needs `tenantKey`. */
  externalSubjectId?: InputMaybe<Scalars['String']['input']>;
};

/** Filters a list of attempts. Omitted fields do not filter. */
export type AttemptFilter = {
  /** The app it belongs to. */
  appId?: InputMaybe<Scalars['ID']['input']>;
  /** The provider. */
  provider?: InputMaybe<SocialProvider>;
  /** The registration it uses. */
  registrationId?: InputMaybe<Scalars['ID']['input']>;
  /** Only with one of these statuses. */
  statuses?: InputMaybe<Array<ConnectSessionStatus>>;
  /** The connection that it created or reconnected. */
  connectionId?: InputMaybe<Scalars['ID']['input']>;
  /** Only those with this result code. */
  resultCode?: InputMaybe<Scalars['String']['input']>;
  /** Only those that began at this instant or later. */
  since?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only those that began before this instant. */
  before?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Filters a list of jobs. Omitted fields do not filter. */
export type JobFilter = {
  /** The app it belongs to. */
  appId?: InputMaybe<Scalars['ID']['input']>;
  /** The provider. */
  provider?: InputMaybe<SocialProvider>;
  /** The connection of the job. */
  connectionId?: InputMaybe<Scalars['ID']['input']>;
  /** Only of one of these kinds. */
  kinds?: InputMaybe<Array<JobKind>>;
  /** Only with one of these statuses. */
  statuses?: InputMaybe<Array<JobStatus>>;
  /** Only those with this code in `failure` or, if that is null, in `lastFailure`. */
  lastFailure?: InputMaybe<Scalars['String']['input']>;
  /** True: only those with neither `failure` nor `lastFailure`. False: only those with one of them. */
  neverFailed?: InputMaybe<Scalars['Boolean']['input']>;
  /** True: only stuck ones. False: only others. */
  stuck?: InputMaybe<Scalars['Boolean']['input']>;
  /** Only those that ended at this instant or later. The list is then in the order of their ends. */
  endedSince?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only those that ended before this instant. The list is then in the order of their ends. */
  endedBefore?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Filters the audit log. Omitted fields do not filter. */
export type AuditFilter = {
  /** Exactly as in an entry. */
  actor?: InputMaybe<Scalars['String']['input']>;
  /** The operation or command. */
  action?: InputMaybe<Scalars['String']['input']>;
  /** The id of a target, or another name that entries have. */
  target?: InputMaybe<Scalars['String']['input']>;
  /** The app that entries name. Not together with `target`. */
  appId?: InputMaybe<Scalars['ID']['input']>;
  /** Needs `appId`. Entries that name this tenant, by its keyed hash. */
  tenantKey?: InputMaybe<Scalars['String']['input']>;
  /** Needs `tenantKey`. Entries that name this subject, by its keyed hash. */
  externalSubjectId?: InputMaybe<Scalars['String']['input']>;
  /** DONE, or a code. */
  outcome?: InputMaybe<Scalars['String']['input']>;
  /** The correlation id of the request. */
  correlationId?: InputMaybe<Scalars['ID']['input']>;
};

/** A new app. */
export type CreateAppInput = {
  /** The name that people read on the service's pages. 1 to 100 characters in one line; the service trims spaces around it. */
  name: Scalars['String']['input'];
  /** Its limit of requests per second. 1 to 100,000. */
  requestsPerSecond?: InputMaybe<Scalars['Int']['input']>;
  /** 1 to 100 characters. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A new key. */
export type IssueKeyInput = {
  /** The id of the app. */
  appId: Scalars['ID']['input'];
  /** An instant in the future. If omitted, the key never expires. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** For operators, such as the system that holds it. 1 to 100 characters in one line; the service trims spaces around it. */
  label?: InputMaybe<Scalars['String']['input']>;
  /** 1 to 100 characters. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A new client at a provider. */
export type CreateRegistrationInput = {
  /** The provider. */
  provider: SocialProvider;
  /** 1 to 200 characters in one line; the service trims spaces around it. */
  label: Scalars['String']['input'];
  /** 1 to 200 characters in one line; the service trims spaces around it. */
  clientId: Scalars['String']['input'];
  /** 1 to 4,000 characters. */
  clientSecret: Scalars['String']['input'];
  /** The instant, in the future, at which the secret expires at the provider, if known. */
  secretExpiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** 1 to 100 characters. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A new client at an OpenID issuer. */
export type CreateIdentityIssuerInput = {
  /** The issuer's exact URL: https (in development also http on loopback), without query or fragment. 1 to 500 characters. */
  issuer: Scalars['String']['input'];
  /** 1 to 200 characters in one line; the service trims spaces around it. */
  clientId: Scalars['String']['input'];
  /** 1 to 4,000 characters. */
  clientSecret: Scalars['String']['input'];
  /** How our client authenticates there. */
  tokenAuthMethod?: InputMaybe<TokenAuthMethod>;
  /** The instant, in the future, at which the secret expires at the issuer, if known. */
  secretExpiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** 1 to 100 characters. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** A new webhook endpoint. */
export type CreateWebhookEndpointInput = {
  /** The id of the app. */
  appId: Scalars['ID']['input'];
  /** https (in development also http on addresses that are not public), without credentials and fragment. 1 to 2,048 characters. */
  url: Scalars['String']['input'];
  /** At least one, without duplicates. If omitted, all. */
  eventTypes?: InputMaybe<Array<Scalars['String']['input']>>;
  /** 1 to 100 characters. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** Filters the list of deliveries. Omitted fields do not filter. */
export type WebhookDeliveryFilter = {
  /** The app it belongs to. */
  appId?: InputMaybe<Scalars['ID']['input']>;
  /** The endpoint. */
  endpointId?: InputMaybe<Scalars['ID']['input']>;
  /** Only with this status. */
  status?: InputMaybe<WebhookDeliveryStatus>;
  /** Only of events of this type. */
  eventType?: InputMaybe<Scalars['String']['input']>;
  /** The connection of the event. */
  connectionId?: InputMaybe<Scalars['ID']['input']>;
  /** Only of events that occurred at this instant or later. */
  since?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only of events that occurred before this instant. */
  before?: InputMaybe<Scalars['DateTime']['input']>;
  /** Only those whose last try failed with this code. */
  lastFailure?: InputMaybe<Scalars['String']['input']>;
};

/** The connections to disconnect: those of a tenant or of a registration. */
export type DisconnectAllInput = {
  /** The app. Pass it together with `tenantKey`. */
  appId?: InputMaybe<Scalars['ID']['input']>;
  /** The tenant. Pass it together with `appId`. */
  tenantKey?: InputMaybe<Scalars['String']['input']>;
  /** The registration. Pass it alone. */
  registrationId?: InputMaybe<Scalars['ID']['input']>;
};

/** The subject to export. */
export type ExportSubjectInput = {
  /** The app of the subject. */
  appId: Scalars['ID']['input'];
  /** The tenant's key, in the app's own words. */
  tenantKey: Scalars['String']['input'];
  /** The subject, in the app's own words. */
  externalSubjectId: Scalars['String']['input'];
};

/** The subject to erase. */
export type EraseSubjectInput = {
  /** The app of the subject. */
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
  OperationEffect: OperationEffect;
  AdminRole: AdminRole;
  JobKind: JobKind;
  GrantStatus: GrantStatus;
  TokenAuthMethod: TokenAuthMethod;
  TenantConnections: TenantConnections;
  CredentialKind: CredentialKind;
  WebhookDisabledReason: WebhookDisabledReason;
  WebhookDeliveryStatus: WebhookDeliveryStatus;
  WorkPeriod: WorkPeriod;
  EndedWorkKind: EndedWorkKind;
  WorkflowState: WorkflowState;
  WorkflowStep: WorkflowStep;
  WorkflowWait: WorkflowWait;
  FoundKind: FoundKind;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Service: ResolverTypeWrapper<Service>;
  RedirectUri: ResolverTypeWrapper<RedirectUri>;
  AdminToken: ResolverTypeWrapper<AdminToken>;
  AppPage: ResolverTypeWrapper<AppPage>;
  App: ResolverTypeWrapper<App>;
  Branding: ResolverTypeWrapper<Branding>;
  Logo: ResolverTypeWrapper<Logo>;
  AppKey: ResolverTypeWrapper<AppKey>;
  Policy: ResolverTypeWrapper<Policy>;
  AppIdentity: ResolverTypeWrapper<AppIdentity>;
  IssuedKey: ResolverTypeWrapper<IssuedKey>;
  TenantPage: ResolverTypeWrapper<TenantPage>;
  Tenant: ResolverTypeWrapper<Tenant>;
  RemovedTenant: ResolverTypeWrapper<RemovedTenant>;
  Registration: ResolverTypeWrapper<Registration>;
  RegistrationPermission: ResolverTypeWrapper<RegistrationPermission>;
  UnknownAnswer: ResolverTypeWrapper<UnknownAnswer>;
  UnknownAnswerPage: ResolverTypeWrapper<UnknownAnswerPage>;
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
  LiveState: ResolverTypeWrapper<LiveState>;
  WorkflowProgress: ResolverTypeWrapper<WorkflowProgress>;
  PendingActivity: ResolverTypeWrapper<PendingActivity>;
  RetriedJobs: ResolverTypeWrapper<RetriedJobs>;
  DisconnectedAll: ResolverTypeWrapper<DisconnectedAll>;
  BulkDisconnect: ResolverTypeWrapper<BulkDisconnect>;
  ErasedSubject: ResolverTypeWrapper<ErasedSubject>;
  SubjectExport: ResolverTypeWrapper<SubjectExport>;
  Erasure: ResolverTypeWrapper<Erasure>;
  WebhookEventType: ResolverTypeWrapper<WebhookEventType>;
  WebhookEndpoint: ResolverTypeWrapper<WebhookEndpoint>;
  WebhookEndpointPage: ResolverTypeWrapper<WebhookEndpointPage>;
  WebhookSecret: ResolverTypeWrapper<WebhookSecret>;
  NewWebhookSecret: ResolverTypeWrapper<NewWebhookSecret>;
  WebhookDeliveryPage: ResolverTypeWrapper<WebhookDeliveryPage>;
  WebhookDelivery: ResolverTypeWrapper<WebhookDelivery>;
  RedeliveredWebhooks: ResolverTypeWrapper<RedeliveredWebhooks>;
  ErasurePage: ResolverTypeWrapper<ErasurePage>;
  ErasureReceipt: ResolverTypeWrapper<ErasureReceipt>;
  Found: ResolverTypeWrapper<Found>;
  ProofOfDeletion: ResolverTypeWrapper<ProofOfDeletion>;
  ExpiringCredential: ResolverTypeWrapper<ExpiringCredential>;
  AuditPage: ResolverTypeWrapper<AuditPage>;
  AuditEntry: ResolverTypeWrapper<AuditEntry>;
  AuditChoices: ResolverTypeWrapper<AuditChoices>;
  AuditActor: ResolverTypeWrapper<AuditActor>;
  Overview: ResolverTypeWrapper<Overview>;
  EndedWork: ResolverTypeWrapper<EndedWork>;
  EndedWorkCount: ResolverTypeWrapper<EndedWorkCount>;
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
  CreateWebhookEndpointInput: CreateWebhookEndpointInput;
  WebhookDeliveryFilter: WebhookDeliveryFilter;
  DisconnectAllInput: DisconnectAllInput;
  ExportSubjectInput: ExportSubjectInput;
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
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  String: Scalars['String']['output'];
  Boolean: Scalars['Boolean']['output'];
  Mutation: Record<PropertyKey, never>;
  PageInfo: PageInfo;
  Service: Service;
  RedirectUri: RedirectUri;
  AdminToken: AdminToken;
  AppPage: AppPage;
  App: App;
  Branding: Branding;
  Logo: Logo;
  AppKey: AppKey;
  Policy: Policy;
  AppIdentity: AppIdentity;
  IssuedKey: IssuedKey;
  TenantPage: TenantPage;
  Tenant: Tenant;
  RemovedTenant: RemovedTenant;
  Registration: Registration;
  RegistrationPermission: RegistrationPermission;
  UnknownAnswer: UnknownAnswer;
  UnknownAnswerPage: UnknownAnswerPage;
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
  LiveState: LiveState;
  WorkflowProgress: WorkflowProgress;
  PendingActivity: PendingActivity;
  RetriedJobs: RetriedJobs;
  DisconnectedAll: DisconnectedAll;
  BulkDisconnect: BulkDisconnect;
  ErasedSubject: ErasedSubject;
  SubjectExport: SubjectExport;
  Erasure: Erasure;
  WebhookEventType: WebhookEventType;
  WebhookEndpoint: WebhookEndpoint;
  WebhookEndpointPage: WebhookEndpointPage;
  WebhookSecret: WebhookSecret;
  NewWebhookSecret: NewWebhookSecret;
  WebhookDeliveryPage: WebhookDeliveryPage;
  WebhookDelivery: WebhookDelivery;
  RedeliveredWebhooks: RedeliveredWebhooks;
  ErasurePage: ErasurePage;
  ErasureReceipt: ErasureReceipt;
  Found: Found;
  ProofOfDeletion: ProofOfDeletion;
  ExpiringCredential: ExpiringCredential;
  AuditPage: AuditPage;
  AuditEntry: AuditEntry;
  AuditChoices: AuditChoices;
  AuditActor: AuditActor;
  Overview: Overview;
  EndedWork: EndedWork;
  EndedWorkCount: EndedWorkCount;
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
  CreateWebhookEndpointInput: CreateWebhookEndpointInput;
  WebhookDeliveryFilter: WebhookDeliveryFilter;
  DisconnectAllInput: DisconnectAllInput;
  ExportSubjectInput: ExportSubjectInput;
  EraseSubjectInput: EraseSubjectInput;
  DateTime: Scalars['DateTime']['output'];
  DecimalCount: Scalars['DecimalCount']['output'];
};

export type OperationDirectiveArgs = {
  role: AdminRole;
  effect?: OperationEffect;
};

export type OperationDirectiveResolver<Result, Parent, ContextType = AdminContext, Args = OperationDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type QueryResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  me: Resolver<ResolversTypes['AdminToken'], ParentType, ContextType>;
  service: Resolver<ResolversTypes['Service'], ParentType, ContextType>;
  overview: Resolver<ResolversTypes['Overview'], ParentType, ContextType>;
  endedWork: Resolver<ResolversTypes['EndedWork'], ParentType, ContextType, RequireFields<QueryEndedWorkArgs, 'period'>>;
  apps: Resolver<ResolversTypes['AppPage'], ParentType, ContextType, RequireFields<QueryAppsArgs, 'first'>>;
  app: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<QueryAppArgs, 'id'>>;
  tenants: Resolver<ResolversTypes['TenantPage'], ParentType, ContextType, RequireFields<QueryTenantsArgs, 'appId' | 'first'>>;
  registrations: Resolver<Array<ResolversTypes['Registration']>, ParentType, ContextType>;
  registration: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<QueryRegistrationArgs, 'id'>>;
  unknownAnswers: Resolver<ResolversTypes['UnknownAnswerPage'], ParentType, ContextType, RequireFields<QueryUnknownAnswersArgs, 'first'>>;
  identityIssuers: Resolver<Array<ResolversTypes['IdentityIssuer']>, ParentType, ContextType>;
  connections: Resolver<ResolversTypes['ConnectionPage'], ParentType, ContextType, RequireFields<QueryConnectionsArgs, 'first'>>;
  connection: Resolver<ResolversTypes['ConnectionStory'], ParentType, ContextType, RequireFields<QueryConnectionArgs, 'id'>>;
  attempts: Resolver<ResolversTypes['AttemptPage'], ParentType, ContextType, RequireFields<QueryAttemptsArgs, 'first'>>;
  attempt: Resolver<ResolversTypes['Attempt'], ParentType, ContextType, RequireFields<QueryAttemptArgs, 'id'>>;
  jobs: Resolver<ResolversTypes['JobPage'], ParentType, ContextType, RequireFields<QueryJobsArgs, 'first'>>;
  stuckWork: Resolver<ResolversTypes['StuckWork'], ParentType, ContextType, RequireFields<QueryStuckWorkArgs, 'first'>>;
  job: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<QueryJobArgs, 'id'>>;
  liveState: Resolver<ResolversTypes['LiveState'], ParentType, ContextType, RequireFields<QueryLiveStateArgs, 'id'>>;
  bulkDisconnect: Resolver<ResolversTypes['BulkDisconnect'], ParentType, ContextType, RequireFields<QueryBulkDisconnectArgs, 'id'>>;
  bulkDisconnects: Resolver<Array<ResolversTypes['BulkDisconnect']>, ParentType, ContextType>;
  erasure: Resolver<ResolversTypes['Erasure'], ParentType, ContextType, RequireFields<QueryErasureArgs, 'id'>>;
  webhookEventTypes: Resolver<Array<ResolversTypes['WebhookEventType']>, ParentType, ContextType>;
  webhookEndpoints: Resolver<Array<ResolversTypes['WebhookEndpoint']>, ParentType, ContextType, RequireFields<QueryWebhookEndpointsArgs, 'appId'>>;
  troubledWebhookEndpoints: Resolver<ResolversTypes['WebhookEndpointPage'], ParentType, ContextType, RequireFields<QueryTroubledWebhookEndpointsArgs, 'first'>>;
  webhookEndpoint: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType, RequireFields<QueryWebhookEndpointArgs, 'id'>>;
  webhookDeliveries: Resolver<ResolversTypes['WebhookDeliveryPage'], ParentType, ContextType, RequireFields<QueryWebhookDeliveriesArgs, 'first'>>;
  webhookDelivery: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType, RequireFields<QueryWebhookDeliveryArgs, 'id'>>;
  erasures: Resolver<ResolversTypes['ErasurePage'], ParentType, ContextType, RequireFields<QueryErasuresArgs, 'first'>>;
  find: Resolver<Array<ResolversTypes['Found']>, ParentType, ContextType, RequireFields<QueryFindArgs, 'text'>>;
  proofOfDeletion: Resolver<ResolversTypes['ProofOfDeletion'], ParentType, ContextType, RequireFields<QueryProofOfDeletionArgs, 'connectionId'>>;
  verifyProofOfDeletion: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<QueryVerifyProofOfDeletionArgs, 'document' | 'signature'>>;
  expiringCredentials: Resolver<Array<ResolversTypes['ExpiringCredential']>, ParentType, ContextType, RequireFields<QueryExpiringCredentialsArgs, 'withinDays'>>;
  auditLog: Resolver<ResolversTypes['AuditPage'], ParentType, ContextType, RequireFields<QueryAuditLogArgs, 'first'>>;
  auditChoices: Resolver<ResolversTypes['AuditChoices'], ParentType, ContextType>;
  adminTokens: Resolver<Array<ResolversTypes['AdminToken']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createApp: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationCreateAppArgs, 'input'>>;
  changeApp: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationChangeAppArgs, 'id'>>;
  disableApp: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationDisableAppArgs, 'id'>>;
  enableApp: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationEnableAppArgs, 'id'>>;
  issueKey: Resolver<ResolversTypes['IssuedKey'], ParentType, ContextType, RequireFields<MutationIssueKeyArgs, 'input'>>;
  changeKey: Resolver<ResolversTypes['AppKey'], ParentType, ContextType, RequireFields<MutationChangeKeyArgs, 'id'>>;
  revokeKey: Resolver<ResolversTypes['AppKey'], ParentType, ContextType, RequireFields<MutationRevokeKeyArgs, 'id'>>;
  addTenant: Resolver<ResolversTypes['Tenant'], ParentType, ContextType, RequireFields<MutationAddTenantArgs, 'appId' | 'tenantKey'>>;
  removeTenant: Resolver<ResolversTypes['RemovedTenant'], ParentType, ContextType, RequireFields<MutationRemoveTenantArgs, 'appId' | 'tenantKey' | 'connections' | 'dryRun'>>;
  addReturnUrl: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationAddReturnUrlArgs, 'appId' | 'url'>>;
  removeReturnUrl: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationRemoveReturnUrlArgs, 'appId' | 'url'>>;
  addLaunchOrigin: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationAddLaunchOriginArgs, 'appId' | 'origin'>>;
  removeLaunchOrigin: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationRemoveLaunchOriginArgs, 'appId' | 'origin'>>;
  setBranding: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationSetBrandingArgs, 'appId'>>;
  setLogo: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationSetLogoArgs, 'appId' | 'image'>>;
  removeLogo: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationRemoveLogoArgs, 'appId'>>;
  setPolicy: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationSetPolicyArgs, 'appId' | 'provider' | 'capabilities'>>;
  setIdentity: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationSetIdentityArgs, 'appId' | 'issuerId' | 'returnUrl' | 'enabled'>>;
  createRegistration: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationCreateRegistrationArgs, 'input'>>;
  rotateRegistrationSecret: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationRotateRegistrationSecretArgs, 'id' | 'clientSecret'>>;
  pauseRegistration: Resolver<ResolversTypes['RegistrationChange'], ParentType, ContextType, RequireFields<MutationPauseRegistrationArgs, 'id' | 'dryRun'>>;
  resumeRegistration: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationResumeRegistrationArgs, 'id'>>;
  retryRegistration: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationRetryRegistrationArgs, 'id'>>;
  clearSpentQuota: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationClearSpentQuotaArgs, 'id'>>;
  setDailyQuota: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationSetDailyQuotaArgs, 'id'>>;
  setRegistrationPermissions: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationSetRegistrationPermissionsArgs, 'id'>>;
  dismissUnknownAnswer: Resolver<ResolversTypes['UnknownAnswer'], ParentType, ContextType, RequireFields<MutationDismissUnknownAnswerArgs, 'id'>>;
  addCallbackSecret: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationAddCallbackSecretArgs, 'registrationId' | 'secret'>>;
  removeCallbackSecret: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationRemoveCallbackSecretArgs, 'id'>>;
  serveApp: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationServeAppArgs, 'registrationId' | 'appId'>>;
  stopServingApp: Resolver<ResolversTypes['RegistrationChange'], ParentType, ContextType, RequireFields<MutationStopServingAppArgs, 'registrationId' | 'appId' | 'dryRun'>>;
  createIdentityIssuer: Resolver<ResolversTypes['IdentityIssuer'], ParentType, ContextType, RequireFields<MutationCreateIdentityIssuerArgs, 'input'>>;
  rotateIdentityIssuerSecret: Resolver<ResolversTypes['IdentityIssuer'], ParentType, ContextType, RequireFields<MutationRotateIdentityIssuerSecretArgs, 'id' | 'clientSecret'>>;
  createWebhookEndpoint: Resolver<ResolversTypes['NewWebhookSecret'], ParentType, ContextType, RequireFields<MutationCreateWebhookEndpointArgs, 'input'>>;
  changeWebhookEndpoint: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType, RequireFields<MutationChangeWebhookEndpointArgs, 'id'>>;
  disableWebhookEndpoint: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType, RequireFields<MutationDisableWebhookEndpointArgs, 'id'>>;
  enableWebhookEndpoint: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType, RequireFields<MutationEnableWebhookEndpointArgs, 'id'>>;
  removeWebhookEndpoint: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationRemoveWebhookEndpointArgs, 'id'>>;
  rotateWebhookSecret: Resolver<ResolversTypes['NewWebhookSecret'], ParentType, ContextType, RequireFields<MutationRotateWebhookSecretArgs, 'id'>>;
  retireWebhookSecret: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType, RequireFields<MutationRetireWebhookSecretArgs, 'id' | 'secretId' | 'afterHours'>>;
  sendTestWebhook: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType, RequireFields<MutationSendTestWebhookArgs, 'id'>>;
  redeliverWebhook: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType, RequireFields<MutationRedeliverWebhookArgs, 'id'>>;
  redeliverWebhooks: Resolver<ResolversTypes['RedeliveredWebhooks'], ParentType, ContextType, RequireFields<MutationRedeliverWebhooksArgs, 'id' | 'since' | 'failedOnly'>>;
  retryJob: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationRetryJobArgs, 'id'>>;
  retryJobs: Resolver<ResolversTypes['RetriedJobs'], ParentType, ContextType, RequireFields<MutationRetryJobsArgs, 'filter' | 'dryRun'>>;
  cancelAttempt: Resolver<ResolversTypes['Attempt'], ParentType, ContextType, RequireFields<MutationCancelAttemptArgs, 'id'>>;
  disconnectConnection: Resolver<ResolversTypes['ConnectionStory'], ParentType, ContextType, RequireFields<MutationDisconnectConnectionArgs, 'id'>>;
  disconnectAll: Resolver<ResolversTypes['DisconnectedAll'], ParentType, ContextType, RequireFields<MutationDisconnectAllArgs, 'input' | 'dryRun'>>;
  eraseSubject: Resolver<ResolversTypes['ErasedSubject'], ParentType, ContextType, RequireFields<MutationEraseSubjectArgs, 'input' | 'dryRun'>>;
  exportSubject: Resolver<ResolversTypes['SubjectExport'], ParentType, ContextType, RequireFields<MutationExportSubjectArgs, 'input'>>;
  setRefreshPolicy: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationSetRefreshPolicyArgs, 'appId' | 'provider' | 'refreshDays' | 'refreshPosts'>>;
  setRefreshShare: Resolver<ResolversTypes['Registration'], ParentType, ContextType, RequireFields<MutationSetRefreshShareArgs, 'registrationId' | 'percent'>>;
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
  branding?: Resolver<ResolversTypes['Branding'], ParentType, ContextType>;
  missing?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type BrandingResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Branding'] = ResolversParentTypes['Branding']> = {
  color?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  language?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  logo?: Resolver<Maybe<ResolversTypes['Logo']>, ParentType, ContextType>;
};

export type LogoResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Logo'] = ResolversParentTypes['Logo']> = {
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sha256?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mediaType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  width?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  height?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type AppKeyResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['AppKey'] = ResolversParentTypes['AppKey']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  revokedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  active?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type PolicyResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Policy'] = ResolversParentTypes['Policy']> = {
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  capabilities?: Resolver<Array<ResolversTypes['Capability']>, ParentType, ContextType>;
  quotaPercent?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  refreshMinutes?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  refreshDays?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  refreshPosts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
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
  doubtedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  permissions?: Resolver<Array<ResolversTypes['RegistrationPermission']>, ParentType, ContextType>;
  capabilities?: Resolver<Array<ResolversTypes['Capability']>, ParentType, ContextType>;
  usage?: Resolver<ResolversTypes['RegistrationUsage'], ParentType, ContextType>;
  connectionCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  redirectUri?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  callbackUrls?: Resolver<Array<ResolversTypes['CallbackUrl']>, ParentType, ContextType>;
  callbackSecrets?: Resolver<Array<ResolversTypes['CallbackSecret']>, ParentType, ContextType>;
  apps?: Resolver<Array<ResolversTypes['ServedApp']>, ParentType, ContextType>;
  refreshPercent?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type RegistrationPermissionResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['RegistrationPermission'] = ResolversParentTypes['RegistrationPermission']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isAsked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isNeeded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type UnknownAnswerResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['UnknownAnswer'] = ResolversParentTypes['UnknownAnswer']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['SocialProvider'], ParentType, ContextType>;
  request?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  madeOfIt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  times?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  firstSeenAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  lastSeenAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type UnknownAnswerPageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['UnknownAnswerPage'] = ResolversParentTypes['UnknownAnswerPage']> = {
  items?: Resolver<Array<ResolversTypes['UnknownAnswer']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
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
  unitsUsed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  quotaPercent?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  unitsAllowed?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type RegistrationUsageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['RegistrationUsage'] = ResolversParentTypes['RegistrationUsage']> = {
  day?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  unitsUsed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  unitsAllowed?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  unitsLeft?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
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
  registrationLabel?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ConnectionStatus'], ParentType, ContextType>;
  readErrorCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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
  registrationLabel?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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

export type LiveStateResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['LiveState'] = ResolversParentTypes['LiveState']> = {
  workflowId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['WorkflowState'], ParentType, ContextType>;
  failing?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  progress?: Resolver<Maybe<ResolversTypes['WorkflowProgress']>, ParentType, ContextType>;
  pendingActivities?: Resolver<Array<ResolversTypes['PendingActivity']>, ParentType, ContextType>;
  historyLength?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  workerBuild?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  disagreement?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WorkflowProgressResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['WorkflowProgress'] = ResolversParentTypes['WorkflowProgress']> = {
  step?: Resolver<ResolversTypes['WorkflowStep'], ParentType, ContextType>;
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  tries?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lastFailure?: Resolver<Maybe<ResolversTypes['Failure']>, ParentType, ContextType>;
  waitingFor?: Resolver<Maybe<ResolversTypes['WorkflowWait']>, ParentType, ContextType>;
  waitingUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  done?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type PendingActivityResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['PendingActivity'] = ResolversParentTypes['PendingActivity']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  attempt?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lastFailureType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nextTryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
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
  bulkDisconnect?: Resolver<Maybe<ResolversTypes['BulkDisconnect']>, ParentType, ContextType>;
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

export type SubjectExportResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['SubjectExport'] = ResolversParentTypes['SubjectExport']> = {
  rows?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type WebhookEventTypeResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['WebhookEventType'] = ResolversParentTypes['WebhookEventType']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type WebhookEndpointResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['WebhookEndpoint'] = ResolversParentTypes['WebhookEndpoint']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventTypes?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  enabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  disabledReason?: Resolver<Maybe<ResolversTypes['WebhookDisabledReason']>, ParentType, ContextType>;
  disabledAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  failingSince?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  failures?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  pausedUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  secrets?: Resolver<Array<ResolversTypes['WebhookSecret']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  workflowId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  workflowUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookEndpointPageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['WebhookEndpointPage'] = ResolversParentTypes['WebhookEndpointPage']> = {
  items?: Resolver<Array<ResolversTypes['WebhookEndpoint']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type WebhookSecretResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['WebhookSecret'] = ResolversParentTypes['WebhookSecret']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  retiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type NewWebhookSecretResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['NewWebhookSecret'] = ResolversParentTypes['NewWebhookSecret']> = {
  endpoint?: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType>;
  secret?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookDeliveryPageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['WebhookDeliveryPage'] = ResolversParentTypes['WebhookDeliveryPage']> = {
  items?: Resolver<Array<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type WebhookDeliveryResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  eventId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  eventType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  occurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  endpointId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  connectionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WebhookDeliveryStatus'], ParentType, ContextType>;
  tries?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  nextTryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastHttpStatus?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  lastFailure?: Resolver<Maybe<ResolversTypes['Failure']>, ParentType, ContextType>;
  lastTriedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type RedeliveredWebhooksResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['RedeliveredWebhooks'] = ResolversParentTypes['RedeliveredWebhooks']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  continueAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type ErasurePageResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['ErasurePage'] = ResolversParentTypes['ErasurePage']> = {
  items?: Resolver<Array<ResolversTypes['ErasureReceipt']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ErasureReceiptResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['ErasureReceipt'] = ResolversParentTypes['ErasureReceipt']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  completedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  connectionCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  remaining?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type FoundResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['Found'] = ResolversParentTypes['Found']> = {
  kind?: Resolver<ResolversTypes['FoundKind'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  appId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type AuditChoicesResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['AuditChoices'] = ResolversParentTypes['AuditChoices']> = {
  actors?: Resolver<Array<ResolversTypes['AuditActor']>, ParentType, ContextType>;
  actions?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AuditActorResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['AuditActor'] = ResolversParentTypes['AuditActor']> = {
  actor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  actorLabel?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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
  failingWorkflows?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  failingWorkflowsUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type EndedWorkResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['EndedWork'] = ResolversParentTypes['EndedWork']> = {
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  before?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  counts?: Resolver<Array<ResolversTypes['EndedWorkCount']>, ParentType, ContextType>;
};

export type EndedWorkCountResolvers<ContextType = AdminContext, ParentType extends ResolversParentTypes['EndedWorkCount'] = ResolversParentTypes['EndedWorkCount']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['EndedWorkKind'], ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  succeeded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  rowsKept?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
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
  Branding?: BrandingResolvers<ContextType>;
  Logo?: LogoResolvers<ContextType>;
  AppKey?: AppKeyResolvers<ContextType>;
  Policy?: PolicyResolvers<ContextType>;
  AppIdentity?: AppIdentityResolvers<ContextType>;
  IssuedKey?: IssuedKeyResolvers<ContextType>;
  TenantPage?: TenantPageResolvers<ContextType>;
  Tenant?: TenantResolvers<ContextType>;
  RemovedTenant?: RemovedTenantResolvers<ContextType>;
  Registration?: RegistrationResolvers<ContextType>;
  RegistrationPermission?: RegistrationPermissionResolvers<ContextType>;
  UnknownAnswer?: UnknownAnswerResolvers<ContextType>;
  UnknownAnswerPage?: UnknownAnswerPageResolvers<ContextType>;
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
  LiveState?: LiveStateResolvers<ContextType>;
  WorkflowProgress?: WorkflowProgressResolvers<ContextType>;
  PendingActivity?: PendingActivityResolvers<ContextType>;
  RetriedJobs?: RetriedJobsResolvers<ContextType>;
  DisconnectedAll?: DisconnectedAllResolvers<ContextType>;
  BulkDisconnect?: BulkDisconnectResolvers<ContextType>;
  ErasedSubject?: ErasedSubjectResolvers<ContextType>;
  SubjectExport?: SubjectExportResolvers<ContextType>;
  Erasure?: ErasureResolvers<ContextType>;
  WebhookEventType?: WebhookEventTypeResolvers<ContextType>;
  WebhookEndpoint?: WebhookEndpointResolvers<ContextType>;
  WebhookEndpointPage?: WebhookEndpointPageResolvers<ContextType>;
  WebhookSecret?: WebhookSecretResolvers<ContextType>;
  NewWebhookSecret?: NewWebhookSecretResolvers<ContextType>;
  WebhookDeliveryPage?: WebhookDeliveryPageResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  RedeliveredWebhooks?: RedeliveredWebhooksResolvers<ContextType>;
  ErasurePage?: ErasurePageResolvers<ContextType>;
  ErasureReceipt?: ErasureReceiptResolvers<ContextType>;
  Found?: FoundResolvers<ContextType>;
  ProofOfDeletion?: ProofOfDeletionResolvers<ContextType>;
  ExpiringCredential?: ExpiringCredentialResolvers<ContextType>;
  AuditPage?: AuditPageResolvers<ContextType>;
  AuditEntry?: AuditEntryResolvers<ContextType>;
  AuditChoices?: AuditChoicesResolvers<ContextType>;
  AuditActor?: AuditActorResolvers<ContextType>;
  Overview?: OverviewResolvers<ContextType>;
  EndedWork?: EndedWorkResolvers<ContextType>;
  EndedWorkCount?: EndedWorkCountResolvers<ContextType>;
  ConnectionCount?: ConnectionCountResolvers<ContextType>;
  JobCount?: JobCountResolvers<ContextType>;
  ProviderHealth?: ProviderHealthResolvers<ContextType>;
  FailureCount?: FailureCountResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  DecimalCount?: GraphQLScalarType;
};

export type DirectiveResolvers<ContextType = AdminContext> = {
  operation?: OperationDirectiveResolver<any, any, ContextType>;
};
/** admin.graphql, each operation's description begun with its role, and the scalars and enums of schema.graphql. */
export const schemaText = [
  "\"\"\"",
  "Operates the service: its apps and settings, its connections and jobs, and stuck work.",
  "",
  "One endpoint, `POST /api/admin/graphql`, for operators and their tools. Every operation needs either",
  "`Authorization: Bearer <token-id>.<secret>` with an admin token, which `admin token create` issues at the command line",
  "and shows once, or the cookie of a session. A session starts with `POST /api/admin/session` and the JSON body",
  "`{\"token\": \"<token-id>.<secret>\"}`, from a page of this origin; it answers 204 and the cookie, and ends with",
  "`DELETE /api/admin/session`, after 30 minutes of rest, after 8 hours, or with its token. With a cookie the request's",
  "`Origin` must be this origin.",
  "",
  "A token has one of three roles: a VIEWER reads, an OPERATOR also operates, an ADMIN also administers. The directive",
  "`@operation` declares the role and the effect of each operation; at `/api/admin/schema.graphql` each description begins",
  "with them. The audit log records every mutation and every refusal. If",
  "requests from one address have an invalid credential, it records a burst of them, then one a minute. It does not record",
  "requests without any token or session.",
  "",
  "Errors look like those of the callers' schema, and use its codes: `UNAUTHENTICATED` (no token, or one that is malformed,",
  "unknown, revoked or expired; no session, or one that has ended; answers to an address that keeps failing are delayed),",
  "`FORBIDDEN` (the role is too low), `NOT_FOUND`, `BAD_USER_INPUT` (HTTP 400) and `UPSTREAM_UNAVAILABLE` (the service",
  "failed). Only this schema has one further code: `FRESH_SIGN_IN_REQUIRED` answers an operation that needs a fresh sign-in",
  "by its effect, in a session without a sign-in within the last five minutes. Send the token to `POST /api/admin/session`",
  "again, or open `GET /api/admin/sign-in?again=1&from=/admin/...`, and repeat the request. A token in the request's own",
  "header is fresh: its sender holds it. So is a dry run, which changes nothing.",
  "",
  "Limits of a request: one operation, 40 aliases of 64 characters, fields nested 16 deep, a cost of 500 (each root field",
  "costs 10, each field below it 1), 2,000 tokens, 1,000 lines, variables of 250 values in all, with lists of 100 elements",
  "and nested 8 deep, a JSON body of 64 KiB, no batching. Page sizes are 1 to 100.",
  "",
  "Mutations that create something take an `idempotencyKey`: the same key with the same input within 24 hours returns",
  "the result of the first request. With another input it is refused as `BAD_USER_INPUT`.",
  "",
  "Scalars and the enums of accounts, attempts and jobs are those of the callers' schema.",
  "\"\"\"",
  "schema {",
  "  query: Query",
  "  mutation: Mutation",
  "}",
  "",
  "\"Declares the role and the effect of an operation. Fresh sign-in, audit and tests follow from it.\"",
  "directive @operation(",
  "  \"The lowest role that may run it.\"",
  "  role: AdminRole!",
  "  \"Its strongest effect. Every mutation names one.\"",
  "  effect: OperationEffect! = READ",
  ") on FIELD_DEFINITION",
  "",
  "\"The effect of an operation. It decides when a session needs a sign-in within the last five minutes.\"",
  "enum OperationEffect {",
  "  \"Reads. Needs no fresh sign-in.\"",
  "  READ",
  "  \"Changes what a later call can change back. It opens nothing new and ends nothing. Needs no fresh sign-in.\"",
  "  CHANGE",
  "  \"\"\"",
  "  Stops the use of something that many use, until one call resumes it. Needs a fresh sign-in from the fourth within an hour",
  "  on, so that operators can stop something while their issuer is away.",
  "  \"\"\"",
  "  STOP",
  "  \"Ends one connection, attempt or token. Needs a fresh sign-in from the eleventh within an hour on.\"",
  "  END_ONE",
  "  \"Ends the access of many, or all that belongs to a person. Needs a fresh sign-in.\"",
  "  END_MANY",
  "  \"\"\"",
  "  Sends data or access to a new place: a URL, a client, the holder of a secret, or the reader of an export; or lets an app",
  "  ask for more. Needs a fresh sign-in.",
  "  \"\"\"",
  "  OPEN",
  "}",
  "",
  "\"The role of a token. Each role includes the ones before it.\"",
  "enum AdminRole {",
  "  \"Reads everything except secrets.\"",
  "  VIEWER",
  "  \"Also operates: retries jobs, cancels attempts, pauses registrations, revokes keys, erases a person.\"",
  "  OPERATOR",
  "  \"Also administers: sets up apps, keys, registrations and policies, and starts bulk disconnects.\"",
  "  ADMIN",
  "}",
  "",
  "\"The kind of a job. The first three read, the others revoke and erase.\"",
  "enum JobKind {",
  "  \"Reads a window of posts.\"",
  "  SCAN",
  "  \"Reads one post's metrics again.\"",
  "  METRICS",
  "  \"Looks one post up by its URL.\"",
  "  LOOKUP",
  "  \"Ends the grant of a disconnected connection at the provider.\"",
  "  REVOKE",
  "  \"Deletes the data of a disconnected connection.\"",
  "  ERASE",
  "  \"Revokes a grant that was never used.\"",
  "  COMPENSATION",
  "}",
  "",
  "\"The status of a grant.\"",
  "enum GrantStatus {",
  "  \"Exchanged, not yet a connection's.\"",
  "  PENDING",
  "  \"In use by its connection.\"",
  "  LIVE",
  "  \"Waits to be revoked.\"",
  "  REVOKING",
  "  \"Ended; its tokens are discarded.\"",
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
  "\"The handling of a removed tenant's connections.\"",
  "enum TenantConnections {",
  "  \"They stay stored and unreadable (`FORBIDDEN`), until the tenant is added again.\"",
  "  KEEP",
  "  \"They are disconnected: revoked and erased.\"",
  "  DISCONNECT_ALL",
  "}",
  "",
  "\"The kind of a credential.\"",
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
  "\"The reason why a webhook endpoint is disabled.\"",
  "enum WebhookDisabledReason {",
  "  \"An operator disabled it.\"",
  "  OPERATOR",
  "  \"It answered 410 Gone.\"",
  "  GONE",
  "  \"It accepted no event for 3 days.\"",
  "  FAILING",
  "}",
  "",
  "\"The status of a webhook's delivery.\"",
  "enum WebhookDeliveryStatus {",
  "  \"Waits for its next try.\"",
  "  PENDING",
  "  \"The endpoint accepted it.\"",
  "  DELIVERED",
  "  \"The service gave up.\"",
  "  FAILED",
  "}",
  "",
  "\"A period up to now.\"",
  "enum WorkPeriod {",
  "  \"The last 24 hours, by the hour.\"",
  "  DAY",
  "  \"The last 30 days, by the day. Days begin at 00:00 UTC.\"",
  "  MONTH",
  "}",
  "",
  "\"The kind of work that `endedWork` counts.\"",
  "enum EndedWorkKind {",
  "  \"Connect attempts, in the hour in which they began. Imports do not count.\"",
  "  CONNECT",
  "  \"Scans, metrics refreshes and lookups, in the hour in which they ended.\"",
  "  READ",
  "  \"Refreshes of tokens, and connections that lost their grant (RECONNECT_REQUIRED). They leave no row of their own.\"",
  "  TOKEN_REFRESH",
  "  \"Revokes, compensations included, in the hour in which they ended. One that is retried after it failed counts again.\"",
  "  REVOKE",
  "  \"Deliveries of webhooks, in the hour of their event. One that is sent again counts again.\"",
  "  WEBHOOK",
  "}",
  "",
  "\"The state of a workflow, as Temporal answers.\"",
  "enum WorkflowState {",
  "  \"It has not ended.\"",
  "  RUNNING",
  "  \"It has ended.\"",
  "  CLOSED",
  "  \"Temporal has no such workflow: it has not started, or Temporal has deleted it.\"",
  "  MISSING",
  "  \"Temporal did not answer in time.\"",
  "  NOT_KNOWN",
  "}",
  "",
  "\"The step of a workflow.\"",
  "enum WorkflowStep {",
  "  \"Waits for the person at the provider or issuer.\"",
  "  WAIT_FOR_PERSON",
  "  \"Exchanges the code for tokens or claims.\"",
  "  EXCHANGE_CODE",
  "  \"Creates or updates the connection.\"",
  "  COMPLETE_ATTEMPT",
  "  \"Records the end.\"",
  "  RECORD_END",
  "  \"Keeps a sign-in's claims until they expire.\"",
  "  KEEP_CLAIMS",
  "  \"Deletes posts and profile.\"",
  "  PURGE",
  "  \"Revokes the grant.\"",
  "  REVOKE",
  "  \"Deletes the rest of the data.\"",
  "  ERASE",
  "  \"Reads a window of posts.\"",
  "  SCAN",
  "  \"Reads one post's metrics.\"",
  "  METRICS_REFRESH",
  "  \"Looks one post up.\"",
  "  LOOKUP",
  "  \"Asks the provider whether grants are alive.\"",
  "  VERIFY",
  "  \"Refreshes a grant and a profile.\"",
  "  UPKEEP",
  "  \"Disconnects the connections of a bulk disconnect.\"",
  "  DISCONNECT_ALL",
  "  \"Sends webhooks to an endpoint.\"",
  "  SEND_WEBHOOKS",
  "  \"Asks a provider whether it still refuses our client.\"",
  "  PROBE",
  "  \"Handles rows that are due.\"",
  "  SWEEP",
  "  \"It has nothing left to do.\"",
  "  ENDED",
  "}",
  "",
  "\"The event that ends a workflow's wait.\"",
  "enum WorkflowWait {",
  "  \"The person returns, or the deadline passes.\"",
  "  PERSON",
  "  \"The next try after a failure.\"",
  "  NEXT_TRY",
  "  \"Our own rate limit allows the next call.\"",
  "  RATE_LIMIT",
  "  \"A sign-in's claims expire.\"",
  "  CLAIMS_EXPIRY",
  "  \"Further events for a webhook endpoint.\"",
  "  EVENTS",
  "}",
  "",
  "\"A kind of thing that `find` finds.\"",
  "enum FoundKind {",
  "  \"A connection, or its receipts after the erase.\"",
  "  CONNECTION",
  "  \"A job of any kind.\"",
  "  JOB",
  "  \"A Connect attempt.\"",
  "  ATTEMPT",
  "  \"An app.\"",
  "  APP",
  "  \"A tenant of an app.\"",
  "  TENANT",
  "  \"Our client at a provider.\"",
  "  REGISTRATION",
  "  \"An app's key.\"",
  "  KEY",
  "  \"An OpenID issuer.\"",
  "  ISSUER",
  "  \"A bulk disconnect.\"",
  "  BULK_DISCONNECT",
  "  \"The receipt of an erasure.\"",
  "  ERASURE",
  "  \"Entries of the audit log.\"",
  "  AUDIT_ENTRY",
  "}",
  "",
  "\"Operations that read.\"",
  "type Query {",
  "  \"VIEWER. The token of this request.\"",
  "  me: AdminToken! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. The URLs of this service for callers, browsers and providers.\"",
  "  service: Service! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. The connections, the stuck jobs and the state of the providers.\"",
  "  overview: Overview! @operation(role: VIEWER)",
  "  \"\"\"",
  "  VIEWER. The work that ended in a period, counted by kind and outcome. The counts remain when the rows they count are",
  "  deleted.",
  "  \"\"\"",
  "  endedWork(",
  "    \"The period.\"",
  "    period: WorkPeriod!",
  "    \"The app it belongs to. If omitted, all apps.\"",
  "    appId: ID",
  "    \"The provider. If omitted, all providers, and webhooks.\"",
  "    provider: SocialProvider",
  "  ): EndedWork! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. Apps, newest first.\"",
  "  apps(",
  "    \"The filter. Without one, the list is complete.\"",
  "    filter: AppFilter",
  "    \"The page size, 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the previous page, with the same filter.\"",
  "    after: String",
  "  ): AppPage! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. One app. `NOT_FOUND`.\"",
  "  app(\"The id.\" id: ID!): App! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. An app's tenants, by key. `NOT_FOUND` for an unknown app.\"",
  "  tenants(",
  "    \"The id of the app.\"",
  "    appId: ID!",
  "    \"The page size, 1 to 100.\"",
  "    first: Int = 50",
  "    \"`pageInfo.endCursor` of the previous page.\"",
  "    after: String",
  "  ): TenantPage! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. All our clients at providers, oldest first.\"",
  "  registrations: [Registration!]! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. One of our clients at a provider. `NOT_FOUND`.\"",
  "  registration(\"The id.\" id: ID!): Registration! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. Answers of providers that no adapter knows, those first seen last first. They contain no secret and no personal data.\"",
  "  unknownAnswers(",
  "    \"The provider. Without one, those of all.\"",
  "    provider: SocialProvider",
  "    \"The page size, 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the previous page, with the same provider.\"",
  "    after: String",
  "  ): UnknownAnswerPage! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. All OpenID issuers that apps may sign people in with, oldest first.\"",
  "  identityIssuers: [IdentityIssuer!]! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. Connections, newest first.\"",
  "  connections(",
  "    \"The filter. Without one, the list is complete.\"",
  "    filter: ConnectionFilter",
  "    \"The page size, 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the previous page, with the same filter.\"",
  "    after: String",
  "  ): ConnectionPage! @operation(role: VIEWER)",
  "",
  "  \"\"\"",
  "  VIEWER. The whole history of one connection. For 7 days after the erase, its receipts remain. `NOT_FOUND` after that.",
  "  \"\"\"",
  "  connection(\"The id.\" id: ID!): ConnectionStory! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. Connect attempts, newest first.\"",
  "  attempts(",
  "    \"The filter. Without one, the list is complete.\"",
  "    filter: AttemptFilter",
  "    \"The page size, 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the previous page, with the same filter.\"",
  "    after: String",
  "  ): AttemptPage! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. One Connect attempt. `NOT_FOUND`.\"",
  "  attempt(\"The id.\" id: ID!): Attempt! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. Jobs, newest first. With `stuck`, the longest stuck come first.\"",
  "  jobs(",
  "    \"The filter. Without one, the list is complete.\"",
  "    filter: JobFilter",
  "    \"The page size, 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the previous page, with the same filter.\"",
  "    after: String",
  "  ): JobPage! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. Stuck jobs, counted by app, provider, kind and reason.\"",
  "  stuckWork(",
  "    \"The filter. Without one, all stuck work counts.\"",
  "    filter: JobFilter",
  "    \"The most groups, 1 to 100.\"",
  "    first: Int = 20",
  "  ): StuckWork! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. One job. `NOT_FOUND`.\"",
  "  job(\"The id.\" id: ID!): Job! @operation(role: VIEWER)",
  "",
  "  \"\"\"",
  "  VIEWER. The state of an attempt, job or bulk disconnect in its workflow, asked now. Answers within a second; the service",
  "  asks at most 16 workflows at a time. `NOT_FOUND`.",
  "  \"\"\"",
  "  liveState(\"The id of the attempt, job or bulk disconnect.\" id: ID!): LiveState! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. One bulk disconnect. `NOT_FOUND`.\"",
  "  bulkDisconnect(\"The id.\" id: ID!): BulkDisconnect! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. The last 50 bulk disconnects, newest first.\"",
  "  bulkDisconnects: [BulkDisconnect!]! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. The receipt of an erasure. `NOT_FOUND`.\"",
  "  erasure(\"The id.\" id: ID!): Erasure! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. The types of events that a webhook endpoint can receive.\"",
  "  webhookEventTypes: [WebhookEventType!]! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. The webhook endpoints of an app, oldest first. An app has at most ten. `NOT_FOUND` for an unknown app.\"",
  "  webhookEndpoints(\"The id of the app.\" appId: ID!): [WebhookEndpoint!]! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. The webhook endpoints of all apps that are disabled, or whose last try failed. The newest endpoint comes first.\"",
  "  troubledWebhookEndpoints(",
  "    \"The page size, 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the previous page.\"",
  "    after: String",
  "  ): WebhookEndpointPage! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. One webhook endpoint. `NOT_FOUND`.\"",
  "  webhookEndpoint(\"The id.\" id: ID!): WebhookEndpoint! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. Deliveries of the last 30 days, the newest event first.\"",
  "  webhookDeliveries(",
  "    \"The filter. Without one, the list is complete.\"",
  "    filter: WebhookDeliveryFilter",
  "    \"The page size, 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the previous page, with the same filter.\"",
  "    after: String",
  "  ): WebhookDeliveryPage! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. One delivery. `NOT_FOUND`.\"",
  "  webhookDelivery(\"The id.\" id: ID!): WebhookDelivery! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. Receipts of erasures, newest first.\"",
  "  erasures(",
  "    \"The page size, 1 to 100.\"",
  "    first: Int = 20",
  "    \"`pageInfo.endCursor` of the previous page.\"",
  "    after: String",
  "  ): ErasurePage! @operation(role: VIEWER)",
  "",
  "  \"\"\"",
  "  VIEWER. Everything with an id: whole, its first 8 characters or more, or the correlation id of a request. Also tenants by",
  "  their exact key. Empty if nothing is found. At most 10 of each kind.",
  "  \"\"\"",
  "  find(",
  "    \"1 to 500 characters that contain the id, such as a workflow's id or a line of the log.\"",
  "    text: String!",
  "  ): [Found!]! @operation(role: VIEWER)",
  "",
  "  \"\"\"",
  "  VIEWER. A statement of the deleted data of a connection, signed with a keyed hash. `kept` lists the data that the service",
  "  still holds, and until when: the receipts (7 days), results of attempts to connect with the ids that the app gave (at most",
  "  24 hours), the tokens of a failed revoke, grants of earlier attempts whose revoke has not ended, and webhook events",
  "  (30 days, ids and codes only). A later proof lists less. Export it within 7 days of the disconnect. It holds only random ids and instants. `NOT_FOUND` after its receipts are",
  "  deleted, `BAD_USER_INPUT` until the erase has ended.",
  "  \"\"\"",
  "  proofOfDeletion(\"Of the connection.\" connectionId: ID!): ProofOfDeletion! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. True if this service made the proof of deletion and nobody changed it since.\"",
  "  verifyProofOfDeletion(",
  "    \"The exact `ProofOfDeletion.document`.\"",
  "    document: String!",
  "    \"`ProofOfDeletion.signature`.\"",
  "    signature: String!",
  "  ): Boolean! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. Keys, secrets and tokens in use that expire soon or have expired. The first to expire comes first.\"",
  "  expiringCredentials(\"The days from now, 1 to 365.\" withinDays: Int = 30): [ExpiringCredential!]!",
  "    @operation(role: VIEWER)",
  "",
  "  \"VIEWER. The audit log, newest first.\"",
  "  auditLog(",
  "    \"The filter. Without one, the list is complete.\"",
  "    filter: AuditFilter",
  "    \"The page size, 1 to 100.\"",
  "    first: Int = 50",
  "    \"`pageInfo.endCursor` of the previous page, with the same filter.\"",
  "    after: String",
  "  ): AuditPage! @operation(role: VIEWER)",
  "",
  "  \"VIEWER. The operators and the actions that occur in the audit log, as choices for its filter.\"",
  "  auditChoices: AuditChoices! @operation(role: VIEWER)",
  "",
  "  \"ADMIN. All admin tokens that have not expired, newest first, including those of open sessions.\"",
  "  adminTokens: [AdminToken!]! @operation(role: ADMIN)",
  "}",
  "",
  "\"Operations that write.\"",
  "type Mutation {",
  "  \"ADMIN. Registers a customer application. It can do nothing until it has a key, a tenant, a return URL and a policy.\"",
  "  createApp(\"The input.\" input: CreateAppInput!): App! @operation(role: ADMIN, effect: CHANGE)",
  "",
  "  \"ADMIN. Changes an app's name or rate limit. Omitted values stay. `NOT_FOUND`.\"",
  "  changeApp(",
  "    \"The id.\"",
  "    id: ID!",
  "    \"The name that people read on the service's pages. 1 to 100 characters in one line.\"",
  "    name: String",
  "    \"Its limit of requests per second. 1 to 100,000.\"",
  "    requestsPerSecond: Int",
  "  ): App! @operation(role: ADMIN, effect: CHANGE)",
  "",
  "  \"OPERATOR, STOP. Refuses an app's requests from now on. Its connections stay. `NOT_FOUND`.\"",
  "  disableApp(\"The id.\" id: ID!): App! @operation(role: OPERATOR, effect: STOP)",
  "",
  "  \"OPERATOR. Enables a disabled app. `NOT_FOUND`.\"",
  "  enableApp(\"The id.\" id: ID!): App! @operation(role: OPERATOR, effect: CHANGE)",
  "",
  "  \"ADMIN, OPEN. Issues a key. `NOT_FOUND`; `BAD_USER_INPUT` while the app has two active keys.\"",
  "  issueKey(\"The input.\" input: IssueKeyInput!): IssuedKey! @operation(role: ADMIN, effect: OPEN)",
  "  \"ADMIN. Changes a key's label.\"",
  "  changeKey(",
  "    \"The id.\"",
  "    id: ID!",
  "    \"1 to 100 characters in one line; the service trims spaces around it. If omitted or null, the key has none.\"",
  "    label: String",
  "  ): AppKey! @operation(role: ADMIN, effect: CHANGE)",
  "",
  "  \"OPERATOR, END_MANY. Revokes a key at once. `NOT_FOUND` if it is unknown or already revoked.\"",
  "  revokeKey(\"The id.\" id: ID!): AppKey! @operation(role: OPERATOR, effect: END_MANY)",
  "",
  "  \"ADMIN. Registers a tenant of an app. An existing one stays unchanged. `NOT_FOUND`.\"",
  "  addTenant(\"The id of the app.\" appId: ID!, \"1 to 128 characters.\" tenantKey: String!): Tenant!",
  "    @operation(role: ADMIN, effect: CHANGE)",
  "",
  "  \"ADMIN, END_MANY. Removes a tenant. `NOT_FOUND`.\"",
  "  removeTenant(",
  "    \"The id of the app.\"",
  "    appId: ID!",
  "    \"1 to 128 characters.\"",
  "    tenantKey: String!",
  "    \"The handling of its connections.\"",
  "    connections: TenantConnections!",
  "    \"If true, changes nothing and returns the effect.\"",
  "    dryRun: Boolean = false",
  "  ): RemovedTenant! @operation(role: ADMIN, effect: END_MANY)",
  "",
  "  \"\"\"",
  "  ADMIN, OPEN. Registers a return URL, which must match exactly: https (in development also http on loopback), without",
  "  fragment, credentials and query parameters beginning with `ss_`. `NOT_FOUND`.",
  "  \"\"\"",
  "  addReturnUrl(\"The id of the app.\" appId: ID!, \"Must match exactly.\" url: String!): App!",
  "    @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"ADMIN, END_MANY. Removes a return URL. Browsers of open attempts still return there. `NOT_FOUND`.\"",
  "  removeReturnUrl(\"The id of the app.\" appId: ID!, \"Must match exactly.\" url: String!): App!",
  "    @operation(role: ADMIN, effect: END_MANY)",
  "",
  "  \"ADMIN, OPEN. Registers a further origin whose pages may post a launch token. `NOT_FOUND`.\"",
  "  addLaunchOrigin(",
  "    \"The id of the app.\"",
  "    appId: ID!",
  "    \"Scheme, host and port only, such as `https://app.example`.\"",
  "    origin: String!",
  "  ): App! @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"ADMIN, END_MANY. Removes a launch origin. `NOT_FOUND`.\"",
  "  removeLaunchOrigin(\"The id of the app.\" appId: ID!, \"Must match exactly.\" origin: String!): App!",
  "    @operation(role: ADMIN, effect: END_MANY)",
  "",
  "  \"\"\"",
  "  ADMIN. Sets the look and the language of the pages on which people see the app's name. Omitted values stay; null restores the default.",
  "  Text stays readable in any color, in light and dark. `NOT_FOUND`.",
  "  \"\"\"",
  "  setBranding(",
  "    \"The id of the app.\"",
  "    appId: ID!",
  "    \"As `#rrggbb`. Null is the service's own color.\"",
  "    color: String",
  "    \"One of `en`, `de`, `fr`, `es` and `pt-BR`. Null is the language that the browser prefers.\"",
  "    language: String",
  "  ): App! @operation(role: ADMIN, effect: CHANGE)",
  "",
  "  \"\"\"",
  "  ADMIN. Sets the logo on the pages on which people see the app's name. It replaces an earlier one. `NOT_FOUND`;",
  "  `BAD_USER_INPUT` for any other image.",
  "  \"\"\"",
  "  setLogo(",
  "    \"The id of the app.\"",
  "    appId: ID!",
  "    \"A PNG or WebP image in base64: at most 32 KiB, 16 to 1024 pixels wide and high, not animated.\"",
  "    image: String!",
  "  ): App! @operation(role: ADMIN, effect: CHANGE)",
  "",
  "  \"ADMIN. Removes an app's logo. `NOT_FOUND` if it has none.\"",
  "  removeLogo(\"The id of the app.\" appId: ID!): App! @operation(role: ADMIN, effect: CHANGE)",
  "",
  "  \"ADMIN, OPEN. Sets the capabilities that an app may request at a provider. An empty list forbids the provider. `NOT_FOUND`.\"",
  "  setPolicy(",
  "    \"The id of the app.\"",
  "    appId: ID!",
  "    \"The provider.\"",
  "    provider: SocialProvider!",
  "    \"Without duplicates.\"",
  "    capabilities: [Capability!]!",
  "    \"1 to 100, or null for the default. If omitted, it stays unchanged.\"",
  "    quotaPercent: Int",
  "  ): App! @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"ADMIN, OPEN. Lets an app sign people in at an issuer. `enabled: false` ends that. `NOT_FOUND`.\"",
  "  setIdentity(",
  "    \"The id of the app.\"",
  "    appId: ID!",
  "    \"The id of the issuer.\"",
  "    issuerId: ID!",
  "    \"Must match exactly, like a return URL.\"",
  "    returnUrl: String!",
  "    \"True if the app may sign people in.\"",
  "    enabled: Boolean = true",
  "  ): App! @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"ADMIN, OPEN. Stores our client at a provider. The secret is sealed at once: no operation shows it again.\"",
  "  createRegistration(\"The input.\" input: CreateRegistrationInput!): Registration! @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"ADMIN, OPEN. Replaces a registration's client secret; calls from now on use the new one. `NOT_FOUND`.\"",
  "  rotateRegistrationSecret(",
  "    \"The id.\"",
  "    id: ID!",
  "    \"1 to 4,000 characters. Sealed at once.\"",
  "    clientSecret: String!",
  "    \"The instant, in the future, at which it expires at the provider, if known.\"",
  "    secretExpiresAt: DateTime",
  "  ): Registration! @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"\"\"",
  "  OPERATOR, STOP. Stops reads and new attempts through a registration. Its connections stay CONNECTED, but reads of them answer",
  "  `AUTHORIZATION_SUSPENDED`. Revokes continue. `NOT_FOUND`.",
  "  \"\"\"",
  "  pauseRegistration(",
  "    \"The id.\"",
  "    id: ID!",
  "    \"If true, changes nothing and returns the effect.\"",
  "    dryRun: Boolean = false",
  "  ): RegistrationChange! @operation(role: OPERATOR, effect: STOP)",
  "",
  "  \"OPERATOR. Resumes a paused registration. `NOT_FOUND`.\"",
  "  resumeRegistration(\"The id.\" id: ID!): Registration! @operation(role: OPERATOR, effect: CHANGE)",
  "",
  "  \"\"\"",
  "  OPERATOR. Retries a registration whose client the provider has refused, after the cause was fixed. If the provider refuses unusually",
  "  many accounts (`doubtedAt`), the service believes it for a day. Another registration stays unchanged. `NOT_FOUND`.",
  "  \"\"\"",
  "  retryRegistration(\"The id.\" id: ID!): Registration! @operation(role: OPERATOR, effect: CHANGE)",
  "",
  "  \"\"\"",
  "  OPERATOR. Lets the service read with a registration before its quota resets, for example after the provider has raised the",
  "  quota. It does not wake waiting jobs: retry them. `NOT_FOUND`.",
  "  \"\"\"",
  "  clearSpentQuota(\"The id.\" id: ID!): Registration! @operation(role: OPERATOR, effect: CHANGE)",
  "",
  "  \"\"\"",
  "  ADMIN, STOP. Sets the units a day that the provider has granted this client. The apps' shares are fractions of it.",
  "  `NOT_FOUND`; `BAD_USER_INPUT` for a provider without a daily quota.",
  "  \"\"\"",
  "  setDailyQuota(",
  "    \"The id.\"",
  "    id: ID!",
  "    \"At least 1. Null means the provider's documented default.\"",
  "    units: Int",
  "  ): Registration! @operation(role: ADMIN, effect: STOP)",
  "",
  "  \"\"\"",
  "  ADMIN. Sets the permissions that the client asks people for, where the provider approves them one by one. Existing grants stay as they",
  "  are. `NOT_FOUND`; `BAD_USER_INPUT` for one that the service does not use, and without one that it needs.",
  "  \"\"\"",
  "  setRegistrationPermissions(",
  "    \"The id.\"",
  "    id: ID!",
  "    \"The provider's names. Null means all that the service uses.\"",
  "    permissions: [String!]",
  "  ): Registration! @operation(role: ADMIN, effect: CHANGE)",
  "",
  "  \"OPERATOR. Removes an answer from `unknownAnswers`. If it comes again, it counts as new. `NOT_FOUND`.\"",
  "  dismissUnknownAnswer(\"The id.\" id: ID!): UnknownAnswer! @operation(role: OPERATOR, effect: CHANGE)",
  "",
  "  \"\"\"",
  "  ADMIN, OPEN. Stores a secret with which the platform signs its callbacks. The service seals it at once: no operation shows it",
  "  again. It accepts a callback that is signed with any secret of the registration. `NOT_FOUND`; `BAD_USER_INPUT` if the",
  "  provider sends no callbacks.",
  "  \"\"\"",
  "  addCallbackSecret(",
  "    \"The id of the registration.\"",
  "    registrationId: ID!",
  "    \"1 to 4,000 characters.\"",
  "    secret: String!",
  "    \"1 to 100 characters.\"",
  "    idempotencyKey: String",
  "  ): Registration! @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"ADMIN, END_MANY. Removes a callback secret. From now on, callbacks signed with it are refused. `NOT_FOUND`.\"",
  "  removeCallbackSecret(\"The id.\" id: ID!): Registration! @operation(role: ADMIN, effect: END_MANY)",
  "",
  "  \"ADMIN, OPEN. Lets a registration serve an app. `NOT_FOUND`.\"",
  "  serveApp(\"The id of the registration.\" registrationId: ID!, \"The id of the app.\" appId: ID!): Registration!",
  "    @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"ADMIN, END_MANY. Stops a registration from serving an app. Its connections answer `CAPABILITY_UNAVAILABLE`. `NOT_FOUND`.\"",
  "  stopServingApp(",
  "    \"The id of the registration.\"",
  "    registrationId: ID!",
  "    \"The id of the app.\"",
  "    appId: ID!",
  "    \"If true, changes nothing and returns the effect.\"",
  "    dryRun: Boolean = false",
  "  ): RegistrationChange! @operation(role: ADMIN, effect: END_MANY)",
  "",
  "  \"ADMIN, OPEN. Stores our client at an OpenID issuer. The secret is sealed at once.\"",
  "  createIdentityIssuer(\"The input.\" input: CreateIdentityIssuerInput!): IdentityIssuer!",
  "    @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"ADMIN, OPEN. Replaces our client secret at an issuer. `NOT_FOUND`.\"",
  "  rotateIdentityIssuerSecret(",
  "    \"The id.\"",
  "    id: ID!",
  "    \"1 to 4,000 characters. Sealed at once.\"",
  "    clientSecret: String!",
  "    \"The instant, in the future, at which it expires at the issuer, if known.\"",
  "    secretExpiresAt: DateTime",
  "  ): IdentityIssuer! @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"\"\"",
  "  ADMIN, OPEN. Adds a webhook endpoint to an app, with its first secret. `NOT_FOUND`; `BAD_USER_INPUT` if the URL is not allowed or",
  "  the app has ten endpoints.",
  "  \"\"\"",
  "  createWebhookEndpoint(\"The input.\" input: CreateWebhookEndpointInput!): NewWebhookSecret!",
  "    @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"\"\"",
  "  ADMIN, OPEN. Changes a webhook endpoint. Omitted values stay. Waiting deliveries go to the new URL. `NOT_FOUND`; `BAD_USER_INPUT`",
  "  if the URL is not allowed.",
  "  \"\"\"",
  "  changeWebhookEndpoint(",
  "    \"The id.\"",
  "    id: ID!",
  "    \"https (in development also http on addresses that are not public), without credentials and fragment.\"",
  "    url: String",
  "    \"At least one, without duplicates. The new list applies to later events.\"",
  "    eventTypes: [String!]",
  "  ): WebhookEndpoint! @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"OPERATOR, STOP. Stops sending to an endpoint. Events from now on are not kept for it. A disabled one stays unchanged. `NOT_FOUND`.\"",
  "  disableWebhookEndpoint(\"The id.\" id: ID!): WebhookEndpoint! @operation(role: OPERATOR, effect: STOP)",
  "",
  "  \"OPERATOR. Sends to an endpoint again, first the waiting deliveries. `NOT_FOUND`.\"",
  "  enableWebhookEndpoint(\"The id.\" id: ID!): WebhookEndpoint! @operation(role: OPERATOR, effect: CHANGE)",
  "",
  "  \"ADMIN, END_MANY. Removes an endpoint and its secrets. Its deliveries stay in the list for 30 days. `NOT_FOUND`.\"",
  "  removeWebhookEndpoint(\"The id.\" id: ID!): App! @operation(role: ADMIN, effect: END_MANY)",
  "",
  "  \"\"\"",
  "  ADMIN, OPEN. Adds a second secret to an endpoint. Each delivery is signed with both until you retire one. `NOT_FOUND`;",
  "  `BAD_USER_INPUT` while two secrets sign.",
  "  \"\"\"",
  "  rotateWebhookSecret(",
  "    \"The id of the endpoint.\"",
  "    id: ID!",
  "    \"1 to 100 characters.\"",
  "    idempotencyKey: String",
  "  ): NewWebhookSecret! @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"ADMIN, END_MANY. Ends the use of a secret. `NOT_FOUND`; `BAD_USER_INPUT` if it is the only one that stays.\"",
  "  retireWebhookSecret(",
  "    \"The id of the endpoint.\"",
  "    id: ID!",
  "    \"The id of the secret.\"",
  "    secretId: ID!",
  "    \"The hours for which it still signs, 0 to 168.\"",
  "    afterHours: Int = 0",
  "  ): WebhookEndpoint! @operation(role: ADMIN, effect: END_MANY)",
  "",
  "  \"OPERATOR. Sends a `webhook.test` event to an endpoint. `NOT_FOUND`; `BAD_USER_INPUT` while the endpoint is disabled.\"",
  "  sendTestWebhook(\"The id of the endpoint.\" id: ID!): WebhookDelivery! @operation(role: OPERATOR, effect: CHANGE)",
  "",
  "  \"\"\"",
  "  OPERATOR. Sends one event again, also one that was delivered. Its id stays the same. `NOT_FOUND` if the delivery or its",
  "  endpoint is gone.",
  "  \"\"\"",
  "  redeliverWebhook(\"The id of the delivery.\" id: ID!): WebhookDelivery! @operation(role: OPERATOR, effect: CHANGE)",
  "",
  "  \"\"\"",
  "  OPERATOR. Sends the events again that occurred since an instant, oldest first, at most 20,000. This includes events that",
  "  occurred while the endpoint was disabled or did not exist. `NOT_FOUND`.",
  "  \"\"\"",
  "  redeliverWebhooks(",
  "    \"The id of the endpoint.\"",
  "    id: ID!",
  "    \"Events are kept for 30 days.\"",
  "    since: DateTime!",
  "    \"False: also those that the endpoint accepted.\"",
  "    failedOnly: Boolean = true",
  "  ): RedeliveredWebhooks! @operation(role: OPERATOR, effect: CHANGE)",
  "",
  "  \"\"\"",
  "  OPERATOR. Retries a waiting job now, or a FAILED revoke for up to 72 hours. A job that is already trying is left alone.",
  "  `NOT_FOUND`; `BAD_USER_INPUT` for a job that has ended, and for a revoke whose tokens are gone.",
  "  \"\"\"",
  "  retryJob(\"The id.\" id: ID!): Job! @operation(role: OPERATOR, effect: CHANGE)",
  "",
  "  \"OPERATOR. Retries all waiting jobs and FAILED revokes of a filter, at most 1,000 per request.\"",
  "  retryJobs(",
  "    \"The jobs to retry.\"",
  "    filter: JobFilter!",
  "    \"If true, changes nothing and returns the number.\"",
  "    dryRun: Boolean = false",
  "  ): RetriedJobs! @operation(role: OPERATOR, effect: CHANGE)",
  "",
  "  \"OPERATOR, END_ONE. Cancels an unfinished attempt and revokes its grant, if it has one. `NOT_FOUND`; `BAD_USER_INPUT` for one that has ended.\"",
  "  cancelAttempt(\"The id.\" id: ID!): Attempt! @operation(role: OPERATOR, effect: END_ONE)",
  "",
  "  \"OPERATOR, END_ONE. Disconnects one connection as its app would: ends access, revokes the grant, erases the data. `NOT_FOUND`.\"",
  "  disconnectConnection(\"The id.\" id: ID!): ConnectionStory! @operation(role: OPERATOR, effect: END_ONE)",
  "",
  "  \"\"\"",
  "  ADMIN, END_MANY. Disconnects all connections of a tenant, or of a registration, in the background. A second call",
  "  returns the run in progress. `NOT_FOUND`.",
  "  \"\"\"",
  "  disconnectAll(",
  "    \"The input.\"",
  "    input: DisconnectAllInput!",
  "    \"If true, changes nothing and returns the number.\"",
  "    dryRun: Boolean = false",
  "  ): DisconnectedAll! @operation(role: ADMIN, effect: END_MANY)",
  "",
  "  \"\"\"",
  "  OPERATOR, END_MANY. Erases a person: erases the subject's id at once, disconnects all connections, cancels unfinished attempts, and",
  "  discards the kept tokens of FAILED revokes, so that only the person can end those grants. Open revokes continue and keep",
  "  no tokens if they fail. A second call returns the same receipt. `NOT_FOUND` for an unknown app, and for a subject without",
  "  data.",
  "  \"\"\"",
  "  eraseSubject(",
  "    \"The input.\"",
  "    input: EraseSubjectInput!",
  "    \"If true, changes nothing and returns the effect.\"",
  "    dryRun: Boolean = false",
  "  ): ErasedSubject! @operation(role: OPERATOR, effect: END_MANY)",
  "",
  "  \"\"\"",
  "  ADMIN, OPEN. Reads all that we hold of a person, for an access request, in pages. The audit log records each page. Names",
  "  sealed values, such as tokens, but does not open them. `NOT_FOUND` for an unknown app, and for a subject without data.",
  "  \"\"\"",
  "  exportSubject(",
  "    \"The input.\"",
  "    input: ExportSubjectInput!",
  "    \"The `endCursor` of the page before.\"",
  "    after: String",
  "  ): SubjectExport! @operation(role: ADMIN, effect: OPEN)",
  "",
  "  \"\"\"",
  "  ADMIN. Sets how often the service refreshes the posts and metrics of an app's connections at a provider by itself. Off by",
  "  default. An account that does not change is refreshed less often, down to twice a day. `NOT_FOUND` for an unknown app,",
  "  `BAD_USER_INPUT` for a provider that the app may not use.",
  "  \"\"\"",
  "  setRefreshPolicy(",
  "    \"The app.\"",
  "    appId: ID!",
  "    \"The provider.\"",
  "    provider: SocialProvider!",
  "    \"The interval in minutes: 15 to 43200. Null turns refreshes off.\"",
  "    refreshMinutes: Int",
  "    \"The number of last days whose posts a refresh reads: 1 to 90.\"",
  "    refreshDays: Int = 7",
  "    \"The number of newest posts of these days that a refresh reads, with their metrics: 1 to 100.\"",
  "    refreshPosts: Int = 100",
  "  ): App! @operation(role: ADMIN, effect: CHANGE)",
  "",
  "  \"\"\"",
  "  ADMIN. Sets the largest part of a registration's daily quota and rate limit that automatic refreshes may use, in",
  "  percent: 1 to 100; 50 by default. `NOT_FOUND`.",
  "  \"\"\"",
  "  setRefreshShare(\"The registration.\" registrationId: ID!, \"In percent.\" percent: Int!): Registration!",
  "    @operation(role: ADMIN, effect: CHANGE)",
  "",
  "  \"ADMIN, END_ONE. Revokes an admin token and ends its sessions at once. `NOT_FOUND`.\"",
  "  revokeAdminToken(\"The id.\" id: ID!): AdminToken! @operation(role: ADMIN, effect: END_ONE)",
  "}",
  "",
  "\"Where a page ends.\"",
  "type PageInfo {",
  "  \"Pass it as `after` to get the next page. Null on an empty page.\"",
  "  endCursor: String",
  "  \"True if there is more.\"",
  "  hasNextPage: Boolean!",
  "}",
  "",
  "\"The URLs of this service.\"",
  "type Service {",
  "  \"The URL for apps' requests, on the same host as Connect unless a proxy changes that.\"",
  "  graphqlUrl: String!",
  "  \"One for each provider.\"",
  "  redirectUris: [RedirectUri!]!",
  "}",
  "",
  "\"The URL a provider sends browsers back to. Register it there exactly.\"",
  "type RedirectUri {",
  "  \"The provider.\"",
  "  provider: SocialProvider!",
  "  \"Must match exactly.\"",
  "  url: String!",
  "}",
  "",
  "\"An admin token, without its secret.\"",
  "type AdminToken {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"Its owner or purpose.\"",
  "  label: String!",
  "  \"The role.\"",
  "  role: AdminRole!",
  "  \"The instant of its creation.\"",
  "  createdAt: DateTime!",
  "  \"The instant at which it expires.\"",
  "  expiresAt: DateTime!",
  "  \"Set once it is revoked.\"",
  "  revokedAt: DateTime",
  "  \"The instant of its last use, to within a minute.\"",
  "  lastUsedAt: DateTime",
  "  \"True for the token of one OpenID Connect session. Nobody holds it, and it ends with the session.\"",
  "  sessionOnly: Boolean!",
  "}",
  "",
  "\"A page of apps.\"",
  "type AppPage {",
  "  \"In the order of the list.\"",
  "  items: [App!]!",
  "  \"The end of the page.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"A customer application and its settings.\"",
  "type App {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The name that people read on the service's pages.\"",
  "  name: String!",
  "  \"A disabled app's requests are refused.\"",
  "  enabled: Boolean!",
  "  \"Its limit of requests per second.\"",
  "  requestsPerSecond: Int!",
  "  \"The instant of its creation.\"",
  "  createdAt: DateTime!",
  "  \"Newest first; revoked and expired ones too.\"",
  "  keys: [AppKey!]!",
  "  \"The number of tenants; `tenants` lists them.\"",
  "  tenantCount: Int!",
  "  \"The URLs that browsers may return to.\"",
  "  returnUrls: [String!]!",
  "  \"Besides the origins of the return URLs.\"",
  "  launchOrigins: [String!]!",
  "  \"One for each provider that it may use.\"",
  "  policies: [Policy!]!",
  "  \"The registrations that serve it. A new attempt uses the oldest one that is not paused.\"",
  "  registrations: [Registration!]!",
  "  \"How it signs people in. Null if it may not.\"",
  "  identity: AppIdentity",
  "  \"The look and the language of the pages on which people see its name.\"",
  "  branding: Branding!",
  "  \"The reasons why it cannot connect an account now, as sentences. Empty if it can.\"",
  "  missing: [String!]!",
  "}",
  "",
  "\"The look and the language of an app's pages.\"",
  "type Branding {",
  "  \"As `#rrggbb`. Null is the service's own color.\"",
  "  color: String",
  "  \"One of `en`, `de`, `fr`, `es` and `pt-BR`. Null is the language that the browser prefers.\"",
  "  language: String",
  "  \"Null if it has none.\"",
  "  logo: Logo",
  "}",
  "",
  "\"An app's logo.\"",
  "type Logo {",
  "  \"The URL that browsers load it from. It changes with the image.\"",
  "  url: String!",
  "  \"The hash of the image, in hexadecimal.\"",
  "  sha256: String!",
  "  \"`image/png` or `image/webp`.\"",
  "  mediaType: String!",
  "  \"In pixels.\"",
  "  width: Int!",
  "  \"In pixels.\"",
  "  height: Int!",
  "}",
  "",
  "\"An app's key, without its secret.\"",
  "type AppKey {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"What operators call it. Null if it has no label.\"",
  "  label: String",
  "  \"The instant of its creation.\"",
  "  createdAt: DateTime!",
  "  \"Null if it does not expire.\"",
  "  expiresAt: DateTime",
  "  \"Set once it is revoked.\"",
  "  revokedAt: DateTime",
  "  \"The service writes it at most hourly, so the last use may be up to an hour later. Null if it was never used.\"",
  "  lastUsedAt: DateTime",
  "  \"Neither revoked nor expired. An app has at most two active keys.\"",
  "  active: Boolean!",
  "}",
  "",
  "\"The capabilities that an app may request at a provider.\"",
  "type Policy {",
  "  \"The provider.\"",
  "  provider: SocialProvider!",
  "  \"The capabilities.\"",
  "  capabilities: [Capability!]!",
  "  \"\"\"",
  "  The most of a registration's daily quota that the app may use, in percent. Null is the default: all of it while the",
  "  registration serves no other app, otherwise half.",
  "  \"\"\"",
  "  quotaPercent: Int",
  "  \"The interval of automatic refreshes in minutes. Null if they are off.\"",
  "  refreshMinutes: Int",
  "  \"The number of last days whose posts a refresh reads.\"",
  "  refreshDays: Int!",
  "  \"The number of newest posts of these days that a refresh reads.\"",
  "  refreshPosts: Int!",
  "}",
  "",
  "\"How an app signs people in.\"",
  "type AppIdentity {",
  "  \"The OpenID issuer.\"",
  "  issuer: IdentityIssuer!",
  "  \"The URL that browsers return to.\"",
  "  returnUrl: String!",
  "  \"True if it is in use.\"",
  "  enabled: Boolean!",
  "}",
  "",
  "\"A new key.\"",
  "type IssuedKey {",
  "  \"The key without its secret.\"",
  "  key: AppKey!",
  "  \"\"\"",
  "  `<key-id>.<secret>`. You see it only once, and the service does not store it. Null in the answer to a repeated request: if",
  "  you lost the first answer, revoke the key and issue another.",
  "  \"\"\"",
  "  secret: String",
  "}",
  "",
  "\"A page of tenants.\"",
  "type TenantPage {",
  "  \"In the order of the list.\"",
  "  items: [Tenant!]!",
  "  \"The end of the page.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"A tenant of an app, in the app's own words.\"",
  "type Tenant {",
  "  \"The tenant's key, in the app's own words.\"",
  "  tenantKey: String!",
  "  \"The instant of its creation.\"",
  "  createdAt: DateTime!",
  "  \"Connections in it, in any status.\"",
  "  connectionCount: Int!",
  "}",
  "",
  "\"The effect of removing a tenant.\"",
  "type RemovedTenant {",
  "  \"True if nothing was changed.\"",
  "  dryRun: Boolean!",
  "  \"Its connections that could still be disconnected.\"",
  "  connectionCount: Int!",
  "  \"The bulk disconnect that was started. Null with KEEP, on a dry run, and if there was nothing to disconnect.\"",
  "  bulkDisconnect: BulkDisconnect",
  "}",
  "",
  "\"Our OAuth client at one provider, without its secret.\"",
  "type Registration {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The provider.\"",
  "  provider: SocialProvider!",
  "  \"A label for operators.\"",
  "  label: String!",
  "  \"The provider's id of our client.\"",
  "  clientId: String!",
  "  \"The instant of its creation.\"",
  "  createdAt: DateTime!",
  "  \"The instant at which the current secret was stored.\"",
  "  secretSetAt: DateTime!",
  "  \"The instant at which the secret expires at the provider, if known.\"",
  "  secretExpiresAt: DateTime",
  "  \"Set while it is paused.\"",
  "  pausedAt: DateTime",
  "  \"Set while the provider refuses our client: its id, secret or set-up is wrong.\"",
  "  rejectedAt: DateTime",
  "  \"\"\"",
  "  Set while the provider refuses unusually many accounts: until some of them work again, or `retryRegistration`, their",
  "  connections stay as they are.",
  "  \"\"\"",
  "  doubtedAt: DateTime",
  "  \"The permissions that the service uses at this provider.\"",
  "  permissions: [RegistrationPermission!]!",
  "  \"What a new connection can be read for, if the person grants all permissions that the client asks for.\"",
  "  capabilities: [Capability!]!",
  "  \"The use of its quota.\"",
  "  usage: RegistrationUsage!",
  "  \"Its connections that are CONNECTED, SUSPENDED or RECONNECT_REQUIRED.\"",
  "  connectionCount: Int!",
  "  \"The URL the provider sends browsers back to. Register it there exactly.\"",
  "  redirectUri: String!",
  "  \"The URLs the platform calls. Enter them there exactly. Empty if it sends no callbacks.\"",
  "  callbackUrls: [CallbackUrl!]!",
  "  \"Secrets with which the platform may sign its callbacks, without their values, oldest first.\"",
  "  callbackSecrets: [CallbackSecret!]!",
  "  \"The apps it serves, in the order they were added.\"",
  "  apps: [ServedApp!]!",
  "  \"The largest part of the daily quota and the rate limit that automatic refreshes may use, in percent.\"",
  "  refreshPercent: Int!",
  "}",
  "",
  "\"A permission of a provider, in its own words.\"",
  "type RegistrationPermission {",
  "  \"The name.\"",
  "  name: String!",
  "  \"Whether the client asks people for it.\"",
  "  isAsked: Boolean!",
  "  \"Whether the service can do nothing without it.\"",
  "  isNeeded: Boolean!",
  "}",
  "",
  "\"An answer of a provider that no adapter knows. Names, numbers, ids and addresses are removed from its text.\"",
  "type UnknownAnswer {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The provider.\"",
  "  provider: SocialProvider!",
  "  \"The request that it answered.\"",
  "  request: String!",
  "  \"The HTTP status.\"",
  "  status: Int!",
  "  \"The provider's own error codes. Empty without one.\"",
  "  code: String!",
  "  \"The rest of its text, or how its format differs.\"",
  "  text: String!",
  "  \"What the service made of it, such as RetryLater.\"",
  "  madeOfIt: String!",
  "  \"The number of times that it came, at least.\"",
  "  times: Int!",
  "  \"The instant at which it came first.\"",
  "  firstSeenAt: DateTime!",
  "  \"The instant at which it came last.\"",
  "  lastSeenAt: DateTime!",
  "}",
  "",
  "\"A page of answers.\"",
  "type UnknownAnswerPage {",
  "  \"The answers.\"",
  "  items: [UnknownAnswer!]!",
  "  \"The position of the page.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"A URL at which a platform reports that a person has removed the app there or requests the deletion of their data.\"",
  "type CallbackUrl {",
  "  \"The platform's name of the set-up field for this URL.\"",
  "  enteredAs: String!",
  "  \"Of this registration only.\"",
  "  url: String!",
  "}",
  "",
  "\"A secret of a platform's callbacks, without its value.\"",
  "type CallbackSecret {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The instant at which it was stored.\"",
  "  createdAt: DateTime!",
  "}",
  "",
  "\"An app that a registration serves.\"",
  "type ServedApp {",
  "  \"The id of the app.\"",
  "  appId: ID!",
  "  \"The name that people read on the service's pages.\"",
  "  name: String!",
  "  \"The instant since which the registration serves it.\"",
  "  since: DateTime!",
  "  \"Units of the daily quota that it has used on the day of `usage`.\"",
  "  unitsUsed: Int!",
  "  \"The share of the daily quota that it may use, in percent: from its policy, or the default.\"",
  "  quotaPercent: Int!",
  "  \"The same share in units. Null if it is not limited.\"",
  "  unitsAllowed: Int",
  "}",
  "",
  "\"The use of a registration's daily quota, by our own count.\"",
  "type RegistrationUsage {",
  "  \"The provider's quota day, such as `2026-01-31`, in the zone in which its quota is reset.\"",
  "  day: String!",
  "  \"Units used on that day. Each HTTP call is one unit, unless the provider's price list differs.\"",
  "  unitsUsed: Int!",
  "  \"Units a day: set with `setDailyQuota`, or the provider's documented default. Null if it has no daily quota.\"",
  "  unitsAllowed: Int",
  "  \"The remaining units, at least 0.\"",
  "  unitsLeft: Int",
  "  \"Set once the quota is used up. Until then the service sends no reads.\"",
  "  spentUntil: DateTime",
  "}",
  "",
  "\"The effect of pausing a registration, or of stopping it from serving an app.\"",
  "type RegistrationChange {",
  "  \"True if nothing was changed.\"",
  "  dryRun: Boolean!",
  "  \"The current registration.\"",
  "  registration: Registration!",
  "  \"Live connections that become unreadable.\"",
  "  connectionCount: Int!",
  "  \"Jobs that will wait, or fail, because of it.\"",
  "  openJobCount: Int!",
  "}",
  "",
  "\"An OpenID provider that apps may sign people in with, without our secret there.\"",
  "type IdentityIssuer {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The issuer's exact URL.\"",
  "  issuer: String!",
  "  \"The issuer's id of our client.\"",
  "  clientId: String!",
  "  \"How our client authenticates there.\"",
  "  tokenAuthMethod: TokenAuthMethod!",
  "  \"The instant of its creation.\"",
  "  createdAt: DateTime!",
  "  \"The instant at which the current secret was stored.\"",
  "  secretSetAt: DateTime!",
  "  \"The instant at which the secret expires at the issuer, if known.\"",
  "  secretExpiresAt: DateTime",
  "  \"The URL it sends browsers back to. Register it there exactly.\"",
  "  redirectUri: String!",
  "}",
  "",
  "\"A page of connections.\"",
  "type ConnectionPage {",
  "  \"In the order of the list.\"",
  "  items: [Connection!]!",
  "  \"The end of the page.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"The link between a subject and an account.\"",
  "type Connection {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"The name of the app.\"",
  "  appName: String!",
  "  \"In the app's own words.\"",
  "  tenantKey: String!",
  "  \"In the app's own words.\"",
  "  externalSubjectId: String!",
  "  \"The provider.\"",
  "  provider: SocialProvider!",
  "  \"The registration it uses.\"",
  "  registrationId: ID!",
  "  \"The label of the registration.\"",
  "  registrationLabel: String!",
  "  \"The status.\"",
  "  status: ConnectionStatus!",
  "  \"The code that a read by its app answers, or null if the app may read it.\"",
  "  readErrorCode: String",
  "  \"The freshness of its posts.\"",
  "  syncStatus: SyncStatus!",
  "  \"The capabilities.\"",
  "  capabilities: [CapabilityState!]!",
  "  \"The instant at which the last complete scan requested its first page.\"",
  "  lastSuccessfulSyncAt: DateTime",
  "  \"Set while a failed scan waits to retry.\"",
  "  nextRetryAt: DateTime",
  "  \"The instant of its creation.\"",
  "  createdAt: DateTime!",
  "  \"The instant of its last status change.\"",
  "  changedAt: DateTime!",
  "  \"Its workflows in the Temporal UI, if configured.\"",
  "  workflowsUrl: String",
  "}",
  "",
  "\"One capability of the last connect, with its current state.\"",
  "type CapabilityState {",
  "  \"The capability.\"",
  "  capability: Capability!",
  "  \"Says whether it is available.\"",
  "  availability: Availability!",
  "  \"The reason if it is not AVAILABLE.\"",
  "  reason: String",
  "}",
  "",
  "\"The whole history of one connection.\"",
  "type ConnectionStory {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"Null once it is erased.\"",
  "  connection: Connection",
  "  \"The last 50 attempts to create or reconnect it, newest first.\"",
  "  attempts: [Attempt!]!",
  "  \"Newest first; the last 50.\"",
  "  grants: [Grant!]!",
  "  \"The two receipts of its disconnect: the revoke and the erase. Empty until it is disconnected.\"",
  "  receipts: [Job!]!",
  "  \"Its reads, newest first; the last 50.\"",
  "  jobs: [Job!]!",
  "  \"The last 50 acts of operators on it, its jobs and its attempts, newest first.\"",
  "  audit: [AuditEntry!]!",
  "}",
  "",
  "\"One consent, without its tokens.\"",
  "type Grant {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The attempt that created it.\"",
  "  attemptId: ID!",
  "  \"The status.\"",
  "  status: GrantStatus!",
  "  \"The provider's own permission strings, as granted.\"",
  "  permissions: [String!]!",
  "  \"The instant at which the code was exchanged.\"",
  "  obtainedAt: DateTime!",
  "  \"The instant at which its access token expires.\"",
  "  accessExpiresAt: DateTime",
  "  \"The instant at which it expires unless refreshed. Null if it has no fixed end.\"",
  "  refreshExpiresAt: DateTime",
  "  \"The number of token refreshes.\"",
  "  refreshCount: Int!",
  "  \"Set while a refresh is in progress or its answer is lost.\"",
  "  refreshClaimedAt: DateTime",
  "}",
  "",
  "\"A page of attempts.\"",
  "type AttemptPage {",
  "  \"In the order of the list.\"",
  "  items: [Attempt!]!",
  "  \"The end of the page.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"One try to connect.\"",
  "type Attempt {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"The name of the app.\"",
  "  appName: String!",
  "  \"The provider.\"",
  "  provider: SocialProvider!",
  "  \"The registration it uses.\"",
  "  registrationId: ID!",
  "  \"The label of the registration.\"",
  "  registrationLabel: String!",
  "  \"The capabilities.\"",
  "  capabilities: [Capability!]!",
  "  \"EXPIRED as soon as its deadline has passed.\"",
  "  status: ConnectSessionStatus!",
  "  \"The reason of its end, as its app reads it.\"",
  "  resultCode: String",
  "  \"`resultCode` in words.\"",
  "  resultMessage: String",
  "  \"The connection it created or reconnected.\"",
  "  connectionId: ID",
  "  \"The connection to reconnect.\"",
  "  reconnectConnectionId: ID",
  "  \"A manual step for the owner of the account.\"",
  "  creatorAction: ConnectCreatorAction",
  "  \"The instant of its creation.\"",
  "  createdAt: DateTime!",
  "  \"The instant at which it expires.\"",
  "  expiresAt: DateTime!",
  "  \"Set once it has ended.\"",
  "  finishedAt: DateTime",
  "  \"The correlation id of its request; also in the log and in the workflow's memo.\"",
  "  correlationId: ID!",
  "  \"The id of its workflow.\"",
  "  workflowId: ID!",
  "  \"Its page in the Temporal UI, if configured.\"",
  "  workflowUrl: String",
  "}",
  "",
  "\"A page of jobs.\"",
  "type JobPage {",
  "  \"In the order of the list.\"",
  "  items: [Job!]!",
  "  \"The end of the page.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"Work in progress or ended.\"",
  "type Job {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The kind.\"",
  "  kind: JobKind!",
  "  \"The status.\"",
  "  status: JobStatus!",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"The name of the app.\"",
  "  appName: String!",
  "  \"In the app's own words. Null once its connection or attempt is gone.\"",
  "  tenantKey: String",
  "  \"The provider.\"",
  "  provider: SocialProvider!",
  "  \"The registration it uses.\"",
  "  registrationId: ID",
  "  \"The connection of the job.\"",
  "  connectionId: ID",
  "  \"The attempt whose grant it revokes.\"",
  "  attemptId: ID",
  "  \"\"\"",
  "  True if the job is open and a try has failed, if it is open and has made no progress for 15 minutes, or if it is a FAILED",
  "  revoke that you can retry.",
  "  \"\"\"",
  "  stuck: Boolean!",
  "  \"The instant since which it is stuck: its first failed try, or its last progress. Null if it is not stuck.\"",
  "  stuckSince: DateTime",
  "  \"True if `retryJob` has an effect.\"",
  "  retryable: Boolean!",
  "  \"Failed tries so far.\"",
  "  tries: Int!",
  "  \"The reason why the last try failed.\"",
  "  lastFailure: Failure",
  "  \"The instant at which a try first failed.\"",
  "  firstFailedAt: DateTime",
  "  \"The instant of its next try. Null unless it waits for one.\"",
  "  nextTryAt: DateTime",
  "  \"The instant at which a revoke gives up.\"",
  "  givesUpAt: DateTime",
  "  \"The reason why it FAILED.\"",
  "  failure: Failure",
  "  \"A manual step for the owner of the account.\"",
  "  creatorAction: ConnectCreatorAction",
  "  \"Posts read so far by a scan.\"",
  "  itemCount: Int",
  "  \"The reason why a scan did not read its whole window.\"",
  "  incompleteReason: String",
  "  \"The instant of its creation.\"",
  "  createdAt: DateTime!",
  "  \"The instant at which it started.\"",
  "  startedAt: DateTime",
  "  \"Set once it has ended.\"",
  "  finishedAt: DateTime",
  "  \"The correlation id of its request; also in the log and in the workflow's memo.\"",
  "  correlationId: ID!",
  "  \"The id of its workflow.\"",
  "  workflowId: ID!",
  "  \"Its page in the Temporal UI, if configured.\"",
  "  workflowUrl: String",
  "}",
  "",
  "\"Stuck jobs, counted.\"",
  "type StuckWork {",
  "  \"Jobs that are stuck.\"",
  "  count: Int!",
  "  \"Of these, the ones that `retryJobs` would retry. The others are being tried, or a retry has no effect.\"",
  "  retryableCount: Int!",
  "  \"The number of groups.\"",
  "  groupCount: Int!",
  "  \"The largest first.\"",
  "  groups: [StuckGroup!]!",
  "}",
  "",
  "\"Stuck jobs of one kind, of one app, at one provider, for one reason.\"",
  "type StuckGroup {",
  "  \"The app they belong to.\"",
  "  appId: ID!",
  "  \"The name that people read on the service's pages.\"",
  "  appName: String!",
  "  \"The provider.\"",
  "  provider: SocialProvider!",
  "  \"The kind.\"",
  "  kind: JobKind!",
  "  \"The reason why each of them, or its last try, failed. Null if none has failed: they make no progress.\"",
  "  lastFailure: Failure",
  "  \"The number.\"",
  "  count: Int!",
  "  \"Of these, revokes that have FAILED.\"",
  "  failedCount: Int!",
  "  \"The instant since which the oldest of them is stuck.\"",
  "  since: DateTime!",
  "}",
  "",
  "\"The reason of a failure: a code of a closed set and a message of this service, never a provider's text.\"",
  "type Failure {",
  "  \"A code of a closed set.\"",
  "  code: String!",
  "  \"A sentence for a person.\"",
  "  message: String!",
  "}",
  "",
  "\"The state of an attempt, job or bulk disconnect in its workflow.\"",
  "type LiveState {",
  "  \"The id of the workflow.\"",
  "  workflowId: ID!",
  "  \"The state of its latest run.\"",
  "  state: WorkflowState!",
  "  \"True if its own code fails, or does not replay: it goes on only with another build of the worker.\"",
  "  failing: Boolean!",
  "  \"Its answer to the query `progress`. Null if it has closed, or if no worker answered in time.\"",
  "  progress: WorkflowProgress",
  "  \"The activities that it waits for.\"",
  "  pendingActivities: [PendingActivity!]!",
  "  \"The number of events in its history. Null if not known.\"",
  "  historyLength: Int",
  "  \"The build of the worker that took its last task. Null if not known.\"",
  "  workerBuild: String",
  "  \"A sentence, if the row and the workflow disagree.\"",
  "  disagreement: String",
  "}",
  "",
  "\"A workflow's answer to the query `progress`.\"",
  "type WorkflowProgress {",
  "  \"The step.\"",
  "  step: WorkflowStep!",
  "  \"The instant at which this run began the step.\"",
  "  since: DateTime!",
  "  \"Failed tries of the step.\"",
  "  tries: Int!",
  "  \"The reason why the last try of this run failed.\"",
  "  lastFailure: Failure",
  "  \"Null while it works.\"",
  "  waitingFor: WorkflowWait",
  "  \"The instant at which the wait ends by itself.\"",
  "  waitingUntil: DateTime",
  "  \"Parts of the step that are done. Null for a step without parts.\"",
  "  done: Int",
  "  \"All parts of the step.\"",
  "  total: Int",
  "}",
  "",
  "\"An activity that a workflow waits for.\"",
  "type PendingActivity {",
  "  \"The name.\"",
  "  name: String!",
  "  \"The number of its attempt, 1 for the first.\"",
  "  attempt: Int!",
  "  \"The type of the last attempt's failure. Null if none has failed.\"",
  "  lastFailureType: String",
  "  \"The instant of its next attempt. Null while it runs.\"",
  "  nextTryAt: DateTime",
  "}",
  "",
  "\"The effect of retrying many jobs.\"",
  "type RetriedJobs {",
  "  \"True if nothing was changed.\"",
  "  dryRun: Boolean!",
  "  \"Jobs that are retried, or would be on a real run.\"",
  "  count: Int!",
  "  \"Of these, revokes that had FAILED.\"",
  "  failedCount: Int!",
  "  \"True if more jobs match than one request retries.\"",
  "  more: Boolean!",
  "}",
  "",
  "\"The effect of a bulk disconnect.\"",
  "type DisconnectedAll {",
  "  \"True if nothing was changed.\"",
  "  dryRun: Boolean!",
  "  \"Connections to disconnect.\"",
  "  connectionCount: Int!",
  "  \"Null on a dry run, and if there is nothing to disconnect.\"",
  "  bulkDisconnect: BulkDisconnect",
  "}",
  "",
  "\"A bulk disconnect.\"",
  "type BulkDisconnect {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"The name of the app.\"",
  "  appName: String",
  "  \"The tenant, if the run is over a tenant's connections.\"",
  "  tenantKey: String",
  "  \"The registration, if the run is over a registration's connections.\"",
  "  registrationId: ID",
  "  \"The instant at which it started.\"",
  "  startedAt: DateTime!",
  "  \"Set once the last connection is disconnected.\"",
  "  finishedAt: DateTime",
  "  \"Connections at its start.\"",
  "  total: Int!",
  "  \"Connections disconnected so far.\"",
  "  disconnected: Int!",
  "  \"Of these, the ones whose revoke or erase has not ended.\"",
  "  unsettled: Int!",
  "  \"Of these, the ones whose revoke FAILED.\"",
  "  revokesFailed: Int!",
  "  \"The id of its workflow.\"",
  "  workflowId: ID!",
  "  \"Its page in the Temporal UI, if configured.\"",
  "  workflowUrl: String",
  "}",
  "",
  "\"The effect of erasing a person.\"",
  "type ErasedSubject {",
  "  \"True if nothing was changed.\"",
  "  dryRun: Boolean!",
  "  \"Connections it affects.\"",
  "  connectionCount: Int!",
  "  \"Unfinished attempts, which are canceled.\"",
  "  attemptCount: Int!",
  "  \"Kept tokens of FAILED revokes.\"",
  "  keptTokenCount: Int!",
  "  \"The receipt. Null on a dry run, unless the subject was erased before.\"",
  "  erasure: Erasure",
  "}",
  "",
  "\"A page of all that we hold of a person.\"",
  "type SubjectExport {",
  "  \"\"\"",
  "  At most 500 rows. Each is a JSON object: `table` is our name of the kind of record, `row` its values by column, and",
  "  `sealed` the columns whose value is sealed.",
  "  \"\"\"",
  "  rows: [String!]!",
  "  \"Its position, for the next page. Null after the last row.\"",
  "  endCursor: String",
  "}",
  "",
  "\"The receipt of an erasure. Holds random ids only.\"",
  "type Erasure {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"The instant of the first request.\"",
  "  requestedAt: DateTime!",
  "  \"The instant since which only receipts remain: no connection, grant, kept token or open job. Null until then.\"",
  "  completedAt: DateTime",
  "  \"Connections it covers, including those with only the kept tokens of a failed revoke left.\"",
  "  connectionIds: [ID!]!",
  "  \"Of these, the ones not yet erased.\"",
  "  remaining: Int!",
  "  \"The receipts: revokes and erases, and the revokes of unused grants.\"",
  "  jobs: [Job!]!",
  "}",
  "",
  "\"A type of event that a webhook endpoint can receive.\"",
  "type WebhookEventType {",
  "  \"Its name, such as `connection.connected`.\"",
  "  name: String!",
  "  \"When it is sent.\"",
  "  description: String!",
  "}",
  "",
  "\"A URL of an app to which the service sends events. The guide to webhooks describes them.\"",
  "type WebhookEndpoint {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"The name of the app.\"",
  "  appName: String!",
  "  \"The URL. A VIEWER sees its origin only, and `…` for the rest: that may contain a secret of the app.\"",
  "  url: String!",
  "  \"The types of events it receives.\"",
  "  eventTypes: [String!]!",
  "  \"True if the service sends to it.\"",
  "  enabled: Boolean!",
  "  \"Null if it is enabled.\"",
  "  disabledReason: WebhookDisabledReason",
  "  \"Null if it is enabled.\"",
  "  disabledAt: DateTime",
  "  \"The instant of the first failed try since the last success. Null if the last try succeeded.\"",
  "  failingSince: DateTime",
  "  \"Failed tries since the last success.\"",
  "  failures: Int!",
  "  \"The service tries no delivery before this instant: after several failures, or because the endpoint asked for it.\"",
  "  pausedUntil: DateTime",
  "  \"The secrets that sign now, oldest first: one, or two during a rotation.\"",
  "  secrets: [WebhookSecret!]!",
  "  \"The instant of its creation.\"",
  "  createdAt: DateTime!",
  "  \"The id of the workflow that sends its deliveries.\"",
  "  workflowId: ID!",
  "  \"Its page in the Temporal UI, if configured.\"",
  "  workflowUrl: String",
  "}",
  "",
  "\"A page of webhook endpoints.\"",
  "type WebhookEndpointPage {",
  "  \"In the order of the list.\"",
  "  items: [WebhookEndpoint!]!",
  "  \"The end of the page.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"A secret with which deliveries are signed. No operation shows it again.\"",
  "type WebhookSecret {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The instant of its creation.\"",
  "  createdAt: DateTime!",
  "  \"It signs until then. Null until it is retired.\"",
  "  retiresAt: DateTime",
  "}",
  "",
  "\"A new secret of a webhook endpoint.\"",
  "type NewWebhookSecret {",
  "  \"The endpoint.\"",
  "  endpoint: WebhookEndpoint!",
  "  \"The secret, which begins `whsec_`. Null if the request was repeated: only the first answer shows it.\"",
  "  secret: String",
  "}",
  "",
  "\"A page of deliveries.\"",
  "type WebhookDeliveryPage {",
  "  \"In the order of the list.\"",
  "  items: [WebhookDelivery!]!",
  "  \"The end of the page.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"An event on its way to one endpoint. The service keeps no body of an answer.\"",
  "type WebhookDelivery {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The `webhook-id` that the endpoint receives.\"",
  "  eventId: ID!",
  "  \"The type of the event.\"",
  "  eventType: String!",
  "  \"The instant at which the event occurred.\"",
  "  occurredAt: DateTime!",
  "  \"The endpoint, which may be gone.\"",
  "  endpointId: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"The connection of the event.\"",
  "  connectionId: ID",
  "  \"The status.\"",
  "  status: WebhookDeliveryStatus!",
  "  \"Tries since it was last sent, or sent again.\"",
  "  tries: Int!",
  "  \"The instant of the next try. It waits longer while its endpoint is paused or disabled.\"",
  "  nextTryAt: DateTime",
  "  \"The HTTP status of the last answer. Null if the last try got none.\"",
  "  lastHttpStatus: Int",
  "  \"The reason why the last try failed. Null if it succeeded.\"",
  "  lastFailure: Failure",
  "  \"The instant of the last try.\"",
  "  lastTriedAt: DateTime",
  "  \"Set once it has ended.\"",
  "  finishedAt: DateTime",
  "}",
  "",
  "\"The effect of sending many events again.\"",
  "type RedeliveredWebhooks {",
  "  \"Events that are sent again.\"",
  "  count: Int!",
  "  \"If there may be more: repeat the request from this instant.\"",
  "  continueAt: DateTime",
  "}",
  "",
  "\"A page of receipts of erasures.\"",
  "type ErasurePage {",
  "  \"In the order of the list.\"",
  "  items: [ErasureReceipt!]!",
  "  \"The end of the page.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"The receipt of an erasure, in a list.\"",
  "type ErasureReceipt {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID!",
  "  \"The name of the app.\"",
  "  appName: String!",
  "  \"The instant of the first request.\"",
  "  requestedAt: DateTime!",
  "  \"The instant since which only receipts remain. Null until then.\"",
  "  completedAt: DateTime",
  "  \"The number of connections it covers.\"",
  "  connectionCount: Int!",
  "  \"Of these, the ones not yet erased.\"",
  "  remaining: Int!",
  "}",
  "",
  "\"A thing that `find` has found.\"",
  "type Found {",
  "  \"The kind.\"",
  "  kind: FoundKind!",
  "  \"Its id. Of a tenant: its key. Of entries of the audit log: the correlation id or the id that they name.\"",
  "  id: ID!",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"Its name or state, if it has one.\"",
  "  label: String",
  "}",
  "",
  "\"A statement that the data of a connection was deleted.\"",
  "type ProofOfDeletion {",
  "  \"The connection.\"",
  "  connectionId: ID!",
  "  \"JSON with ids, the deleted and kept data, and instants.\"",
  "  document: String!",
  "  \"A keyed hash over the document. `verifyProofOfDeletion` checks it while the key is configured.\"",
  "  signature: String!",
  "}",
  "",
  "\"A credential with an expiry date.\"",
  "type ExpiringCredential {",
  "  \"The kind.\"",
  "  kind: CredentialKind!",
  "  \"The id of the key, registration, issuer or token.\"",
  "  id: ID!",
  "  \"Its name: an app's name, a label or an issuer.\"",
  "  label: String!",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"The instant at which it expires.\"",
  "  expiresAt: DateTime!",
  "  \"True if that instant has passed.\"",
  "  expired: Boolean!",
  "}",
  "",
  "\"A page of the audit log.\"",
  "type AuditPage {",
  "  \"In the order of the list.\"",
  "  items: [AuditEntry!]!",
  "  \"The end of the page.\"",
  "  pageInfo: PageInfo!",
  "}",
  "",
  "\"One act or refusal of an operator. It contains ids, codes, origins and keyed hashes, never other arguments.\"",
  "type AuditEntry {",
  "  \"The id.\"",
  "  id: ID!",
  "  \"The instant.\"",
  "  happenedAt: DateTime!",
  "  \"`token:<id>`, `openid:<the issuer's id of the operator>`, `command line`, or `unknown`.\"",
  "  actor: String!",
  "  \"The label of the token, even if it was revoked or has expired. Null for any other actor.\"",
  "  actorLabel: String",
  "  \"The operation or command.\"",
  "  action: String!",
  "  \"The id of its target.\"",
  "  target: String",
  "  \"\"\"",
  "  Its other names: ids that it passed, created or affected, closed codes that it passed, and the origins of URLs. A",
  "  tenant and a subject are named by a keyed hash, as `tenant:...` and `subject:...`: filter by their keys to find them.",
  "  \"\"\"",
  "  related: [ID!]!",
  "  \"DONE, DRY_RUN, FAILED, or the code of the refusal.\"",
  "  outcome: String!",
  "  \"The correlation id of the request; also in the log.\"",
  "  correlationId: ID",
  "}",
  "",
  "\"The operators and the actions of the audit log, at most 500 of each.\"",
  "type AuditChoices {",
  "  \"By label, then by name.\"",
  "  actors: [AuditActor!]!",
  "  \"By name.\"",
  "  actions: [String!]!",
  "}",
  "",
  "\"An operator in the audit log.\"",
  "type AuditActor {",
  "  \"As in an entry.\"",
  "  actor: String!",
  "  \"The label of the token. Null for any other actor.\"",
  "  actorLabel: String",
  "}",
  "",
  "\"The connections, the stuck jobs and the state of the providers.\"",
  "type Overview {",
  "  \"The instant it describes.\"",
  "  at: DateTime!",
  "  \"One for each status that occurs.\"",
  "  connections: [ConnectionCount!]!",
  "  \"Open and failed jobs, by kind and status.\"",
  "  jobs: [JobCount!]!",
  "  \"Connect attempts that have not ended.\"",
  "  openAttempts: Int!",
  "  \"Revokes that are stuck.\"",
  "  stuckRevokes: Int!",
  "  \"The instant since which the oldest of them exists.\"",
  "  oldestStuckRevokeAt: DateTime",
  "  \"All jobs that are stuck, revokes included.\"",
  "  stuckJobs: Int!",
  "  \"The instant since which the oldest of them exists.\"",
  "  oldestStuckJobAt: DateTime",
  "  \"Workflows that wait to be started. More than a few mean that Temporal cannot be reached.\"",
  "  outboxWaiting: Int!",
  "  \"The instant since which the oldest of them waits.\"",
  "  outboxOldestAt: DateTime",
  "  \"One for each provider.\"",
  "  providers: [ProviderHealth!]!",
  "  \"Credentials that expire within 30 days.\"",
  "  expiringCredentialCount: Int!",
  "  \"Workflows whose own code fails, or does not replay: they wait for another build. Null if Temporal did not answer within a second.\"",
  "  failingWorkflows: Int",
  "  \"Where the Temporal UI lists them. Null if no UI is configured.\"",
  "  failingWorkflowsUrl: String",
  "}",
  "",
  "\"Work that ended in a period.\"",
  "type EndedWork {",
  "  \"The beginning of the period.\"",
  "  since: DateTime!",
  "  \"Its end, which may be in the future: the end of the current hour or day.\"",
  "  before: DateTime!",
  "  \"One for each hour or day, kind and outcome that occurs.\"",
  "  counts: [EndedWorkCount!]!",
  "}",
  "",
  "\"The number of pieces of work of a kind that ended in one way, in an hour or a day.\"",
  "type EndedWorkCount {",
  "  \"The beginning of the hour or day.\"",
  "  at: DateTime!",
  "  \"The kind.\"",
  "  kind: EndedWorkKind!",
  "  \"COMPLETED, SUCCEEDED, DELIVERED or CANCELED; otherwise the code of the reason.\"",
  "  outcome: String!",
  "  \"The outcome, for a person.\"",
  "  message: String!",
  "  \"True if it succeeded.\"",
  "  succeeded: Boolean!",
  "  \"The number.\"",
  "  count: Int!",
  "  \"True if rows of this age are still stored, so that a list with the same filter shows them, except erased ones.\"",
  "  rowsKept: Boolean!",
  "}",
  "",
  "\"The number of connections in a status.\"",
  "type ConnectionCount {",
  "  \"The provider.\"",
  "  provider: SocialProvider!",
  "  \"The status.\"",
  "  status: ConnectionStatus!",
  "  \"The number.\"",
  "  count: Int!",
  "}",
  "",
  "\"The number of jobs of a kind in a status.\"",
  "type JobCount {",
  "  \"The kind.\"",
  "  kind: JobKind!",
  "  \"The status.\"",
  "  status: JobStatus!",
  "  \"The number.\"",
  "  count: Int!",
  "}",
  "",
  "\"The state of a provider, as its jobs see it.\"",
  "type ProviderHealth {",
  "  \"The provider.\"",
  "  provider: SocialProvider!",
  "  \"Jobs queued or running.\"",
  "  openJobs: Int!",
  "  \"Open jobs whose last try failed, by reason.\"",
  "  failing: [FailureCount!]!",
  "  \"Jobs that succeeded in the last hour.\"",
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
  "\"The number of jobs that wait for one reason.\"",
  "type FailureCount {",
  "  \"The reason.\"",
  "  failure: Failure!",
  "  \"The number.\"",
  "  count: Int!",
  "  \"The instant since which the oldest of them fails.\"",
  "  since: DateTime!",
  "}",
  "",
  "\"Filters the list of apps. Omitted fields do not filter.\"",
  "input AppFilter {",
  "  \"Part of the name, case-insensitive, or the beginning of the id. 1 to 200 characters.\"",
  "  search: String",
  "}",
  "",
  "\"Filters a list of connections. Omitted fields do not filter.\"",
  "input ConnectionFilter {",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"The provider.\"",
  "  provider: SocialProvider",
  "  \"The registration it uses.\"",
  "  registrationId: ID",
  "  \"Only with one of these statuses.\"",
  "  statuses: [ConnectionStatus!]",
  "  \"Needs `appId`.\"",
  "  tenantKey: String",
  "  \"Needs `tenantKey`.\"",
  "  externalSubjectId: String",
  "}",
  "",
  "\"Filters a list of attempts. Omitted fields do not filter.\"",
  "input AttemptFilter {",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"The provider.\"",
  "  provider: SocialProvider",
  "  \"The registration it uses.\"",
  "  registrationId: ID",
  "  \"Only with one of these statuses.\"",
  "  statuses: [ConnectSessionStatus!]",
  "  \"The connection that it created or reconnected.\"",
  "  connectionId: ID",
  "  \"Only those with this result code.\"",
  "  resultCode: String",
  "  \"Only those that began at this instant or later.\"",
  "  since: DateTime",
  "  \"Only those that began before this instant.\"",
  "  before: DateTime",
  "}",
  "",
  "\"Filters a list of jobs. Omitted fields do not filter.\"",
  "input JobFilter {",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"The provider.\"",
  "  provider: SocialProvider",
  "  \"The connection of the job.\"",
  "  connectionId: ID",
  "  \"Only of one of these kinds.\"",
  "  kinds: [JobKind!]",
  "  \"Only with one of these statuses.\"",
  "  statuses: [JobStatus!]",
  "  \"Only those with this code in `failure` or, if that is null, in `lastFailure`.\"",
  "  lastFailure: String",
  "  \"True: only those with neither `failure` nor `lastFailure`. False: only those with one of them.\"",
  "  neverFailed: Boolean",
  "  \"True: only stuck ones. False: only others.\"",
  "  stuck: Boolean",
  "  \"Only those that ended at this instant or later. The list is then in the order of their ends.\"",
  "  endedSince: DateTime",
  "  \"Only those that ended before this instant. The list is then in the order of their ends.\"",
  "  endedBefore: DateTime",
  "}",
  "",
  "\"Filters the audit log. Omitted fields do not filter.\"",
  "input AuditFilter {",
  "  \"Exactly as in an entry.\"",
  "  actor: String",
  "  \"The operation or command.\"",
  "  action: String",
  "  \"The id of a target, or another name that entries have.\"",
  "  target: String",
  "  \"The app that entries name. Not together with `target`.\"",
  "  appId: ID",
  "  \"Needs `appId`. Entries that name this tenant, by its keyed hash.\"",
  "  tenantKey: String",
  "  \"Needs `tenantKey`. Entries that name this subject, by its keyed hash.\"",
  "  externalSubjectId: String",
  "  \"DONE, or a code.\"",
  "  outcome: String",
  "  \"The correlation id of the request.\"",
  "  correlationId: ID",
  "}",
  "",
  "\"A new app.\"",
  "input CreateAppInput {",
  "  \"The name that people read on the service's pages. 1 to 100 characters in one line; the service trims spaces around it.\"",
  "  name: String!",
  "  \"Its limit of requests per second. 1 to 100,000.\"",
  "  requestsPerSecond: Int = 500",
  "  \"1 to 100 characters.\"",
  "  idempotencyKey: String",
  "}",
  "",
  "\"A new key.\"",
  "input IssueKeyInput {",
  "  \"The id of the app.\"",
  "  appId: ID!",
  "  \"An instant in the future. If omitted, the key never expires.\"",
  "  expiresAt: DateTime",
  "  \"For operators, such as the system that holds it. 1 to 100 characters in one line; the service trims spaces around it.\"",
  "  label: String",
  "  \"1 to 100 characters.\"",
  "  idempotencyKey: String",
  "}",
  "",
  "\"A new client at a provider.\"",
  "input CreateRegistrationInput {",
  "  \"The provider.\"",
  "  provider: SocialProvider!",
  "  \"1 to 200 characters in one line; the service trims spaces around it.\"",
  "  label: String!",
  "  \"1 to 200 characters in one line; the service trims spaces around it.\"",
  "  clientId: String!",
  "  \"1 to 4,000 characters.\"",
  "  clientSecret: String!",
  "  \"The instant, in the future, at which the secret expires at the provider, if known.\"",
  "  secretExpiresAt: DateTime",
  "  \"1 to 100 characters.\"",
  "  idempotencyKey: String",
  "}",
  "",
  "\"A new client at an OpenID issuer.\"",
  "input CreateIdentityIssuerInput {",
  "  \"The issuer's exact URL: https (in development also http on loopback), without query or fragment. 1 to 500 characters.\"",
  "  issuer: String!",
  "  \"1 to 200 characters in one line; the service trims spaces around it.\"",
  "  clientId: String!",
  "  \"1 to 4,000 characters.\"",
  "  clientSecret: String!",
  "  \"How our client authenticates there.\"",
  "  tokenAuthMethod: TokenAuthMethod = CLIENT_SECRET_BASIC",
  "  \"The instant, in the future, at which the secret expires at the issuer, if known.\"",
  "  secretExpiresAt: DateTime",
  "  \"1 to 100 characters.\"",
  "  idempotencyKey: String",
  "}",
  "",
  "\"A new webhook endpoint.\"",
  "input CreateWebhookEndpointInput {",
  "  \"The id of the app.\"",
  "  appId: ID!",
  "  \"https (in development also http on addresses that are not public), without credentials and fragment. 1 to 2,048 characters.\"",
  "  url: String!",
  "  \"At least one, without duplicates. If omitted, all.\"",
  "  eventTypes: [String!]",
  "  \"1 to 100 characters.\"",
  "  idempotencyKey: String",
  "}",
  "",
  "\"Filters the list of deliveries. Omitted fields do not filter.\"",
  "input WebhookDeliveryFilter {",
  "  \"The app it belongs to.\"",
  "  appId: ID",
  "  \"The endpoint.\"",
  "  endpointId: ID",
  "  \"Only with this status.\"",
  "  status: WebhookDeliveryStatus",
  "  \"Only of events of this type.\"",
  "  eventType: String",
  "  \"The connection of the event.\"",
  "  connectionId: ID",
  "  \"Only of events that occurred at this instant or later.\"",
  "  since: DateTime",
  "  \"Only of events that occurred before this instant.\"",
  "  before: DateTime",
  "  \"Only those whose last try failed with this code.\"",
  "  lastFailure: String",
  "}",
  "",
  "\"The connections to disconnect: those of a tenant or of a registration.\"",
  "input DisconnectAllInput {",
  "  \"The app. Pass it together with `tenantKey`.\"",
  "  appId: ID",
  "  \"The tenant. Pass it together with `appId`.\"",
  "  tenantKey: String",
  "  \"The registration. Pass it alone.\"",
  "  registrationId: ID",
  "}",
  "",
  "\"The subject to export.\"",
  "input ExportSubjectInput {",
  "  \"The app of the subject.\"",
  "  appId: ID!",
  "  \"The tenant's key, in the app's own words.\"",
  "  tenantKey: String!",
  "  \"The subject, in the app's own words.\"",
  "  externalSubjectId: String!",
  "}",
  "",
  "\"The subject to erase.\"",
  "input EraseSubjectInput {",
  "  \"The app of the subject.\"",
  "  appId: ID!",
  "  \"The tenant's key, in the app's own words.\"",
  "  tenantKey: String!",
  "  \"The subject, in the app's own words.\"",
  "  externalSubjectId: String!",
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
  ""
].join('\n');
