// Generated from admin.graphql and operations/*.graphql by `npm run codegen`; do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

/** Filters the list of apps. Omitted fields do not filter. */
export type AppFilter = {
  /** Part of the name, case-insensitive, or the beginning of the id. 1 to 200 characters. */
  readonly search?: string | null | undefined;
};

/** Filters a list of connections. Omitted fields do not filter. */
export type ConnectionFilter = {
  /** The app it belongs to. */
  readonly appId?: string | null | undefined;
  /** The provider. */
  readonly provider?: SocialProvider | null | undefined;
  /** The registration it uses. */
  readonly registrationId?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: ReadonlyArray<ConnectionStatus> | null | undefined;
  /** Needs `appId`. */
  readonly tenantKey?: string | null | undefined;
  /** Needs `tenantKey`. */
  readonly externalSubjectId?: string | null | undefined;
};

/** Filters a list of attempts. Omitted fields do not filter. */
export type AttemptFilter = {
  /** The app it belongs to. */
  readonly appId?: string | null | undefined;
  /** The provider. */
  readonly provider?: SocialProvider | null | undefined;
  /** The registration it uses. */
  readonly registrationId?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: ReadonlyArray<ConnectSessionStatus> | null | undefined;
  /** The connection that it created or reconnected. */
  readonly connectionId?: string | null | undefined;
  /** Only those with this result code. */
  readonly resultCode?: string | null | undefined;
  /** Only those that began at this instant or later. */
  readonly since?: string | null | undefined;
  /** Only those that began before this instant. */
  readonly before?: string | null | undefined;
};

/** Filters a list of jobs. Omitted fields do not filter. */
export type JobFilter = {
  /** The app it belongs to. */
  readonly appId?: string | null | undefined;
  /** The provider. */
  readonly provider?: SocialProvider | null | undefined;
  /** The connection of the job. */
  readonly connectionId?: string | null | undefined;
  /** Only of one of these kinds. */
  readonly kinds?: ReadonlyArray<JobKind> | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: ReadonlyArray<JobStatus> | null | undefined;
  /** Only those with this code in `failure` or, if that is null, in `lastFailure`. */
  readonly lastFailure?: string | null | undefined;
  /** True: only those with neither `failure` nor `lastFailure`. False: only those with one of them. */
  readonly neverFailed?: boolean | null | undefined;
  /** True: only stuck ones. False: only others. */
  readonly stuck?: boolean | null | undefined;
  /** Only those that ended at this instant or later. The list is then in the order of their ends. */
  readonly endedSince?: string | null | undefined;
  /** Only those that ended before this instant. The list is then in the order of their ends. */
  readonly endedBefore?: string | null | undefined;
};

/** Filters the audit log. Omitted fields do not filter. */
export type AuditFilter = {
  /** Exactly as in an entry. */
  readonly actor?: string | null | undefined;
  /** The operation or command. */
  readonly action?: string | null | undefined;
  /** The id of a target, or another name that entries have. */
  readonly target?: string | null | undefined;
  /** The app that entries name. Not together with `target`. */
  readonly appId?: string | null | undefined;
  /** Needs `appId`. Entries that name this tenant, by its keyed hash. */
  readonly tenantKey?: string | null | undefined;
  /** Needs `tenantKey`. Entries that name this subject, by its keyed hash. */
  readonly externalSubjectId?: string | null | undefined;
  /** DONE, or a code. */
  readonly outcome?: string | null | undefined;
  /** The correlation id of the request. */
  readonly correlationId?: string | null | undefined;
};

/** A new app. */
export type CreateAppInput = {
  /** The name that people read on the service's pages. 1 to 100 characters in one line; the service trims spaces around it. */
  readonly name: string;
  /** Its limit of requests per second. 1 to 100,000. */
  readonly requestsPerSecond?: number | null | undefined;
  /** 1 to 100 characters. */
  readonly idempotencyKey?: string | null | undefined;
};

/** A new key. */
export type IssueKeyInput = {
  /** The id of the app. */
  readonly appId: string;
  /** An instant in the future. If omitted, the key never expires. */
  readonly expiresAt?: string | null | undefined;
  /** For operators, such as the system that holds it. 1 to 100 characters in one line; the service trims spaces around it. */
  readonly label?: string | null | undefined;
  /** 1 to 100 characters. */
  readonly idempotencyKey?: string | null | undefined;
};

/** A new client at a provider. */
export type CreateRegistrationInput = {
  /** The provider. */
  readonly provider: SocialProvider;
  /** 1 to 200 characters in one line; the service trims spaces around it. */
  readonly label: string;
  /** 1 to 200 characters in one line; the service trims spaces around it. */
  readonly clientId: string;
  /** 1 to 4,000 characters. */
  readonly clientSecret: string;
  /** The instant, in the future, at which the secret expires at the provider, if known. */
  readonly secretExpiresAt?: string | null | undefined;
  /** 1 to 100 characters. */
  readonly idempotencyKey?: string | null | undefined;
};

/** A new client at an OpenID issuer. */
export type CreateIdentityIssuerInput = {
  /** The issuer's exact URL: https (in development also http on loopback), without query or fragment. 1 to 500 characters. */
  readonly issuer: string;
  /** 1 to 200 characters in one line; the service trims spaces around it. */
  readonly clientId: string;
  /** 1 to 4,000 characters. */
  readonly clientSecret: string;
  /** How our client authenticates there. */
  readonly tokenAuthMethod?: TokenAuthMethod | null | undefined;
  /** The instant, in the future, at which the secret expires at the issuer, if known. */
  readonly secretExpiresAt?: string | null | undefined;
  /** 1 to 100 characters. */
  readonly idempotencyKey?: string | null | undefined;
};

/** A new webhook endpoint. */
export type CreateWebhookEndpointInput = {
  /** The id of the app. */
  readonly appId: string;
  /** https (in development also http on addresses that are not public), without credentials and fragment. 1 to 2,048 characters. */
  readonly url: string;
  /** At least one, without duplicates. If omitted, all. */
  readonly eventTypes?: ReadonlyArray<string> | null | undefined;
  /** 1 to 100 characters. */
  readonly idempotencyKey?: string | null | undefined;
};

/** Filters the list of deliveries. Omitted fields do not filter. */
export type WebhookDeliveryFilter = {
  /** The app it belongs to. */
  readonly appId?: string | null | undefined;
  /** The endpoint. */
  readonly endpointId?: string | null | undefined;
  /** Only with this status. */
  readonly status?: WebhookDeliveryStatus | null | undefined;
  /** Only of events of this type. */
  readonly eventType?: string | null | undefined;
  /** The connection of the event. */
  readonly connectionId?: string | null | undefined;
  /** Only of events that occurred at this instant or later. */
  readonly since?: string | null | undefined;
  /** Only of events that occurred before this instant. */
  readonly before?: string | null | undefined;
  /** Only those whose last try failed with this code. */
  readonly lastFailure?: string | null | undefined;
};

/** The connections to disconnect: those of a tenant or of a registration. */
export type DisconnectAllInput = {
  /** The app. Pass it together with `tenantKey`. */
  readonly appId?: string | null | undefined;
  /** The tenant. Pass it together with `appId`. */
  readonly tenantKey?: string | null | undefined;
  /** The registration. Pass it alone. */
  readonly registrationId?: string | null | undefined;
};

/** The subject to export. */
export type ExportSubjectInput = {
  /** The app of the subject. */
  readonly appId: string;
  /** The tenant's key, in the app's own words. */
  readonly tenantKey: string;
  /** The subject, in the app's own words. */
  readonly externalSubjectId: string;
};

/** The subject to erase. */
export type EraseSubjectInput = {
  /** The app of the subject. */
  readonly appId: string;
  /** The tenant's key, in the app's own words. */
  readonly tenantKey: string;
  /** The subject, in the app's own words. */
  readonly externalSubjectId: string;
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

export type AppSummaryFragment = { readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string> };

export type AppDetailsFragment = { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } };

export type ServiceQueryVariables = Exact<{ [key: string]: never; }>;


export type ServiceQuery = { readonly service: { readonly graphqlUrl: string, readonly redirectUris: ReadonlyArray<{ readonly provider: SocialProvider, readonly url: string }> } };

export type AppNameFragment = { readonly id: string, readonly name: string, readonly createdAt: string };

export type AppNamesQueryVariables = Exact<{
  search?: string | null | undefined;
}>;


export type AppNamesQuery = { readonly apps: { readonly items: ReadonlyArray<{ readonly id: string, readonly name: string, readonly createdAt: string }>, readonly pageInfo: { readonly hasNextPage: boolean } } };

export type AppNameQueryVariables = Exact<{
  id: string;
}>;


export type AppNameQuery = { readonly app: { readonly id: string, readonly name: string, readonly createdAt: string } };

export type AppsQueryVariables = Exact<{
  filter?: AppFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type AppsQuery = { readonly apps: { readonly items: ReadonlyArray<{ readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string> }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type AppQueryVariables = Exact<{
  id: string;
}>;


export type AppQuery = { readonly app: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type TenantsQueryVariables = Exact<{
  appId: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type TenantsQuery = { readonly tenants: { readonly items: ReadonlyArray<{ readonly tenantKey: string, readonly createdAt: string, readonly connectionCount: number }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type CreateAppMutationVariables = Exact<{
  input: CreateAppInput;
}>;


export type CreateAppMutation = { readonly createApp: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type ChangeAppMutationVariables = Exact<{
  id: string;
  name?: string | null | undefined;
  requestsPerSecond?: number | null | undefined;
}>;


export type ChangeAppMutation = { readonly changeApp: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type DisableAppMutationVariables = Exact<{
  id: string;
}>;


export type DisableAppMutation = { readonly disableApp: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type EnableAppMutationVariables = Exact<{
  id: string;
}>;


export type EnableAppMutation = { readonly enableApp: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type IssueKeyMutationVariables = Exact<{
  input: IssueKeyInput;
}>;


export type IssueKeyMutation = { readonly issueKey: { readonly secret: string | null, readonly key: { readonly id: string, readonly expiresAt: string | null } } };

export type ChangeKeyMutationVariables = Exact<{
  id: string;
  label?: string | null | undefined;
}>;


export type ChangeKeyMutation = { readonly changeKey: { readonly id: string, readonly label: string | null } };

export type RevokeKeyMutationVariables = Exact<{
  id: string;
}>;


export type RevokeKeyMutation = { readonly revokeKey: { readonly id: string, readonly revokedAt: string | null } };

export type AddTenantMutationVariables = Exact<{
  appId: string;
  tenantKey: string;
}>;


export type AddTenantMutation = { readonly addTenant: { readonly tenantKey: string } };

export type RemoveTenantMutationVariables = Exact<{
  appId: string;
  tenantKey: string;
  connections: TenantConnections;
  dryRun?: boolean | null | undefined;
}>;


export type RemoveTenantMutation = { readonly removeTenant: { readonly connectionCount: number, readonly bulkDisconnect: { readonly id: string } | null } };

export type AddReturnUrlMutationVariables = Exact<{
  appId: string;
  url: string;
}>;


export type AddReturnUrlMutation = { readonly addReturnUrl: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type RemoveReturnUrlMutationVariables = Exact<{
  appId: string;
  url: string;
}>;


export type RemoveReturnUrlMutation = { readonly removeReturnUrl: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type AddLaunchOriginMutationVariables = Exact<{
  appId: string;
  origin: string;
}>;


export type AddLaunchOriginMutation = { readonly addLaunchOrigin: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type RemoveLaunchOriginMutationVariables = Exact<{
  appId: string;
  origin: string;
}>;


export type RemoveLaunchOriginMutation = { readonly removeLaunchOrigin: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type SetRefreshPolicyMutationVariables = Exact<{
  appId: string;
  provider: SocialProvider;
  refreshMinutes?: number | null | undefined;
  refreshDays?: number | null | undefined;
  refreshPosts?: number | null | undefined;
}>;


export type SetRefreshPolicyMutation = { readonly setRefreshPolicy: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type SetPolicyMutationVariables = Exact<{
  appId: string;
  provider: SocialProvider;
  capabilities: ReadonlyArray<Capability> | Capability;
  quotaPercent?: number | null | undefined;
}>;


export type SetPolicyMutation = { readonly setPolicy: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type SetBrandingMutationVariables = Exact<{
  appId: string;
  color?: string | null | undefined;
  language?: string | null | undefined;
}>;


export type SetBrandingMutation = { readonly setBranding: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type SetLogoMutationVariables = Exact<{
  appId: string;
  image: string;
}>;


export type SetLogoMutation = { readonly setLogo: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type RemoveLogoMutationVariables = Exact<{
  appId: string;
}>;


export type RemoveLogoMutation = { readonly removeLogo: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type SetIdentityMutationVariables = Exact<{
  appId: string;
  issuerId: string;
  returnUrl: string;
  enabled?: boolean | null | undefined;
}>;


export type SetIdentityMutation = { readonly setIdentity: { readonly requestsPerSecond: number, readonly returnUrls: ReadonlyArray<string>, readonly launchOrigins: ReadonlyArray<string>, readonly id: string, readonly name: string, readonly enabled: boolean, readonly createdAt: string, readonly tenantCount: number, readonly missing: ReadonlyArray<string>, readonly keys: ReadonlyArray<{ readonly id: string, readonly label: string | null, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly active: boolean }>, readonly policies: ReadonlyArray<{ readonly provider: SocialProvider, readonly capabilities: ReadonlyArray<Capability>, readonly quotaPercent: number | null, readonly refreshMinutes: number | null, readonly refreshDays: number, readonly refreshPosts: number }>, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null }>, readonly identity: { readonly returnUrl: string, readonly enabled: boolean, readonly issuer: { readonly id: string, readonly issuer: string } } | null, readonly branding: { readonly color: string | null, readonly language: string | null, readonly logo: { readonly sha256: string, readonly width: number, readonly height: number } | null } } };

export type BulkDisconnectDetailsFragment = { readonly id: string, readonly appId: string | null, readonly appName: string | null, readonly tenantKey: string | null, readonly registrationId: string | null, readonly startedAt: string, readonly finishedAt: string | null, readonly total: number, readonly disconnected: number, readonly unsettled: number, readonly revokesFailed: number, readonly workflowId: string, readonly workflowUrl: string | null };

export type BulkDisconnectsQueryVariables = Exact<{ [key: string]: never; }>;


export type BulkDisconnectsQuery = { readonly bulkDisconnects: ReadonlyArray<{ readonly id: string, readonly appId: string | null, readonly appName: string | null, readonly tenantKey: string | null, readonly registrationId: string | null, readonly startedAt: string, readonly finishedAt: string | null, readonly total: number, readonly disconnected: number, readonly unsettled: number, readonly revokesFailed: number, readonly workflowId: string, readonly workflowUrl: string | null }> };

export type BulkDisconnectQueryVariables = Exact<{
  id: string;
}>;


export type BulkDisconnectQuery = { readonly bulkDisconnect: { readonly id: string, readonly appId: string | null, readonly appName: string | null, readonly tenantKey: string | null, readonly registrationId: string | null, readonly startedAt: string, readonly finishedAt: string | null, readonly total: number, readonly disconnected: number, readonly unsettled: number, readonly revokesFailed: number, readonly workflowId: string, readonly workflowUrl: string | null } };

export type DisconnectAllMutationVariables = Exact<{
  input: DisconnectAllInput;
  dryRun?: boolean | null | undefined;
}>;


export type DisconnectAllMutation = { readonly disconnectAll: { readonly connectionCount: number, readonly bulkDisconnect: { readonly id: string, readonly appId: string | null, readonly appName: string | null, readonly tenantKey: string | null, readonly registrationId: string | null, readonly startedAt: string, readonly finishedAt: string | null, readonly total: number, readonly disconnected: number, readonly unsettled: number, readonly revokesFailed: number, readonly workflowId: string, readonly workflowUrl: string | null } | null } };

export type ConnectionDetailsFragment = { readonly id: string, readonly appId: string, readonly appName: string, readonly tenantKey: string, readonly externalSubjectId: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly status: ConnectionStatus, readonly readErrorCode: string | null, readonly syncStatus: SyncStatus, readonly lastSuccessfulSyncAt: string | null, readonly nextRetryAt: string | null, readonly createdAt: string, readonly changedAt: string, readonly workflowsUrl: string | null, readonly capabilities: ReadonlyArray<{ readonly capability: Capability, readonly availability: Availability, readonly reason: string | null }> };

export type AttemptDetailsFragment = { readonly id: string, readonly appId: string, readonly appName: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly capabilities: ReadonlyArray<Capability>, readonly status: ConnectSessionStatus, readonly resultCode: string | null, readonly resultMessage: string | null, readonly connectionId: string | null, readonly reconnectConnectionId: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly createdAt: string, readonly expiresAt: string, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null };

export type AuditEntryDetailsFragment = { readonly id: string, readonly happenedAt: string, readonly actor: string, readonly actorLabel: string | null, readonly action: string, readonly target: string | null, readonly related: ReadonlyArray<string>, readonly outcome: string, readonly correlationId: string | null };

export type ConnectionStoryDetailsFragment = { readonly id: string, readonly connection: { readonly id: string, readonly appId: string, readonly appName: string, readonly tenantKey: string, readonly externalSubjectId: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly status: ConnectionStatus, readonly readErrorCode: string | null, readonly syncStatus: SyncStatus, readonly lastSuccessfulSyncAt: string | null, readonly nextRetryAt: string | null, readonly createdAt: string, readonly changedAt: string, readonly workflowsUrl: string | null, readonly capabilities: ReadonlyArray<{ readonly capability: Capability, readonly availability: Availability, readonly reason: string | null }> } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly appId: string, readonly appName: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly capabilities: ReadonlyArray<Capability>, readonly status: ConnectSessionStatus, readonly resultCode: string | null, readonly resultMessage: string | null, readonly connectionId: string | null, readonly reconnectConnectionId: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly createdAt: string, readonly expiresAt: string, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null }>, readonly grants: ReadonlyArray<{ readonly id: string, readonly attemptId: string, readonly status: GrantStatus, readonly permissions: ReadonlyArray<string>, readonly obtainedAt: string, readonly accessExpiresAt: string | null, readonly refreshExpiresAt: string | null, readonly refreshCount: number, readonly refreshClaimedAt: string | null }>, readonly receipts: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }>, readonly jobs: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }>, readonly audit: ReadonlyArray<{ readonly id: string, readonly happenedAt: string, readonly actor: string, readonly actorLabel: string | null, readonly action: string, readonly target: string | null, readonly related: ReadonlyArray<string>, readonly outcome: string, readonly correlationId: string | null }> };

export type ConnectionsQueryVariables = Exact<{
  filter?: ConnectionFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ConnectionsQuery = { readonly connections: { readonly items: ReadonlyArray<{ readonly id: string, readonly appId: string, readonly appName: string, readonly tenantKey: string, readonly externalSubjectId: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly status: ConnectionStatus, readonly readErrorCode: string | null, readonly syncStatus: SyncStatus, readonly lastSuccessfulSyncAt: string | null, readonly nextRetryAt: string | null, readonly createdAt: string, readonly changedAt: string, readonly workflowsUrl: string | null, readonly capabilities: ReadonlyArray<{ readonly capability: Capability, readonly availability: Availability, readonly reason: string | null }> }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type ConnectionQueryVariables = Exact<{
  id: string;
}>;


export type ConnectionQuery = { readonly connection: { readonly id: string, readonly connection: { readonly id: string, readonly appId: string, readonly appName: string, readonly tenantKey: string, readonly externalSubjectId: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly status: ConnectionStatus, readonly readErrorCode: string | null, readonly syncStatus: SyncStatus, readonly lastSuccessfulSyncAt: string | null, readonly nextRetryAt: string | null, readonly createdAt: string, readonly changedAt: string, readonly workflowsUrl: string | null, readonly capabilities: ReadonlyArray<{ readonly capability: Capability, readonly availability: Availability, readonly reason: string | null }> } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly appId: string, readonly appName: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly capabilities: ReadonlyArray<Capability>, readonly status: ConnectSessionStatus, readonly resultCode: string | null, readonly resultMessage: string | null, readonly connectionId: string | null, readonly reconnectConnectionId: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly createdAt: string, readonly expiresAt: string, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null }>, readonly grants: ReadonlyArray<{ readonly id: string, readonly attemptId: string, readonly status: GrantStatus, readonly permissions: ReadonlyArray<string>, readonly obtainedAt: string, readonly accessExpiresAt: string | null, readonly refreshExpiresAt: string | null, readonly refreshCount: number, readonly refreshClaimedAt: string | null }>, readonly receipts: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }>, readonly jobs: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }>, readonly audit: ReadonlyArray<{ readonly id: string, readonly happenedAt: string, readonly actor: string, readonly actorLabel: string | null, readonly action: string, readonly target: string | null, readonly related: ReadonlyArray<string>, readonly outcome: string, readonly correlationId: string | null }> } };

export type DisconnectConnectionMutationVariables = Exact<{
  id: string;
}>;


export type DisconnectConnectionMutation = { readonly disconnectConnection: { readonly id: string, readonly connection: { readonly id: string, readonly appId: string, readonly appName: string, readonly tenantKey: string, readonly externalSubjectId: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly status: ConnectionStatus, readonly readErrorCode: string | null, readonly syncStatus: SyncStatus, readonly lastSuccessfulSyncAt: string | null, readonly nextRetryAt: string | null, readonly createdAt: string, readonly changedAt: string, readonly workflowsUrl: string | null, readonly capabilities: ReadonlyArray<{ readonly capability: Capability, readonly availability: Availability, readonly reason: string | null }> } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly appId: string, readonly appName: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly capabilities: ReadonlyArray<Capability>, readonly status: ConnectSessionStatus, readonly resultCode: string | null, readonly resultMessage: string | null, readonly connectionId: string | null, readonly reconnectConnectionId: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly createdAt: string, readonly expiresAt: string, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null }>, readonly grants: ReadonlyArray<{ readonly id: string, readonly attemptId: string, readonly status: GrantStatus, readonly permissions: ReadonlyArray<string>, readonly obtainedAt: string, readonly accessExpiresAt: string | null, readonly refreshExpiresAt: string | null, readonly refreshCount: number, readonly refreshClaimedAt: string | null }>, readonly receipts: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }>, readonly jobs: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }>, readonly audit: ReadonlyArray<{ readonly id: string, readonly happenedAt: string, readonly actor: string, readonly actorLabel: string | null, readonly action: string, readonly target: string | null, readonly related: ReadonlyArray<string>, readonly outcome: string, readonly correlationId: string | null }> } };

export type AttemptsQueryVariables = Exact<{
  filter?: AttemptFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type AttemptsQuery = { readonly attempts: { readonly items: ReadonlyArray<{ readonly id: string, readonly appId: string, readonly appName: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly capabilities: ReadonlyArray<Capability>, readonly status: ConnectSessionStatus, readonly resultCode: string | null, readonly resultMessage: string | null, readonly connectionId: string | null, readonly reconnectConnectionId: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly createdAt: string, readonly expiresAt: string, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type AttemptQueryVariables = Exact<{
  id: string;
}>;


export type AttemptQuery = { readonly attempt: { readonly id: string, readonly appId: string, readonly appName: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly capabilities: ReadonlyArray<Capability>, readonly status: ConnectSessionStatus, readonly resultCode: string | null, readonly resultMessage: string | null, readonly connectionId: string | null, readonly reconnectConnectionId: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly createdAt: string, readonly expiresAt: string, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null } };

export type CancelAttemptMutationVariables = Exact<{
  id: string;
}>;


export type CancelAttemptMutation = { readonly cancelAttempt: { readonly id: string, readonly appId: string, readonly appName: string, readonly provider: SocialProvider, readonly registrationId: string, readonly registrationLabel: string, readonly capabilities: ReadonlyArray<Capability>, readonly status: ConnectSessionStatus, readonly resultCode: string | null, readonly resultMessage: string | null, readonly connectionId: string | null, readonly reconnectConnectionId: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly createdAt: string, readonly expiresAt: string, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null } };

export type FindQueryVariables = Exact<{
  text: string;
}>;


export type FindQuery = { readonly find: ReadonlyArray<{ readonly kind: FoundKind, readonly id: string, readonly appId: string | null, readonly label: string | null }> };

export type JobDetailsFragment = { readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null };

export type JobsQueryVariables = Exact<{
  filter?: JobFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type JobsQuery = { readonly jobs: { readonly items: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type StuckWorkDetailsFragment = { readonly count: number, readonly retryableCount: number, readonly groupCount: number, readonly groups: ReadonlyArray<{ readonly appId: string, readonly appName: string, readonly provider: SocialProvider, readonly kind: JobKind, readonly count: number, readonly failedCount: number, readonly since: string, readonly lastFailure: { readonly code: string, readonly message: string } | null }> };

export type StuckWorkQueryVariables = Exact<{
  filter?: JobFilter | null | undefined;
  first?: number | null | undefined;
}>;


export type StuckWorkQuery = { readonly stuckWork: { readonly count: number, readonly retryableCount: number, readonly groupCount: number, readonly groups: ReadonlyArray<{ readonly appId: string, readonly appName: string, readonly provider: SocialProvider, readonly kind: JobKind, readonly count: number, readonly failedCount: number, readonly since: string, readonly lastFailure: { readonly code: string, readonly message: string } | null }> } };

export type JobQueryVariables = Exact<{
  id: string;
}>;


export type JobQuery = { readonly job: { readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null } };

export type RetryJobMutationVariables = Exact<{
  id: string;
}>;


export type RetryJobMutation = { readonly retryJob: { readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null } };

export type RetryJobsMutationVariables = Exact<{
  filter: JobFilter;
  dryRun?: boolean | null | undefined;
}>;


export type RetryJobsMutation = { readonly retryJobs: { readonly count: number, readonly failedCount: number, readonly more: boolean } };

export type LiveStateQueryVariables = Exact<{
  id: string;
}>;


export type LiveStateQuery = { readonly liveState: { readonly workflowId: string, readonly state: WorkflowState, readonly historyLength: number | null, readonly workerBuild: string | null, readonly failing: boolean, readonly disagreement: string | null, readonly progress: { readonly step: WorkflowStep, readonly since: string, readonly tries: number, readonly waitingFor: WorkflowWait | null, readonly waitingUntil: string | null, readonly done: number | null, readonly total: number | null, readonly lastFailure: { readonly code: string, readonly message: string } | null } | null, readonly pendingActivities: ReadonlyArray<{ readonly name: string, readonly attempt: number, readonly lastFailureType: string | null, readonly nextTryAt: string | null }> } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { readonly me: { readonly id: string, readonly label: string, readonly role: AdminRole, readonly expiresAt: string } };

export type AuditLogQueryVariables = Exact<{
  filter?: AuditFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type AuditLogQuery = { readonly auditLog: { readonly items: ReadonlyArray<{ readonly id: string, readonly happenedAt: string, readonly actor: string, readonly actorLabel: string | null, readonly action: string, readonly target: string | null, readonly related: ReadonlyArray<string>, readonly outcome: string, readonly correlationId: string | null }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type AuditChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type AuditChoicesQuery = { readonly auditChoices: { readonly actions: ReadonlyArray<string>, readonly actors: ReadonlyArray<{ readonly actor: string, readonly actorLabel: string | null }> } };

export type AdminTokensQueryVariables = Exact<{ [key: string]: never; }>;


export type AdminTokensQuery = { readonly adminTokens: ReadonlyArray<{ readonly id: string, readonly label: string, readonly role: AdminRole, readonly createdAt: string, readonly expiresAt: string, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly sessionOnly: boolean }> };

export type RevokeAdminTokenMutationVariables = Exact<{
  id: string;
}>;


export type RevokeAdminTokenMutation = { readonly revokeAdminToken: { readonly id: string, readonly revokedAt: string | null } };

export type OverviewQueryVariables = Exact<{ [key: string]: never; }>;


export type OverviewQuery = { readonly overview: { readonly at: string, readonly openAttempts: number, readonly stuckRevokes: number, readonly oldestStuckRevokeAt: string | null, readonly stuckJobs: number, readonly oldestStuckJobAt: string | null, readonly outboxWaiting: number, readonly outboxOldestAt: string | null, readonly failingWorkflows: number | null, readonly failingWorkflowsUrl: string | null, readonly expiringCredentialCount: number, readonly connections: ReadonlyArray<{ readonly provider: SocialProvider, readonly status: ConnectionStatus, readonly count: number }>, readonly jobs: ReadonlyArray<{ readonly kind: JobKind, readonly status: JobStatus, readonly count: number }>, readonly providers: ReadonlyArray<{ readonly provider: SocialProvider, readonly openJobs: number, readonly succeededLastHour: number, readonly failedLastHour: number, readonly pausedRegistrations: number, readonly rejectedRegistrations: number, readonly spentRegistrations: number, readonly failing: ReadonlyArray<{ readonly count: number, readonly since: string, readonly failure: { readonly code: string, readonly message: string } }> }> }, readonly stuckWork: { readonly count: number, readonly retryableCount: number, readonly groupCount: number, readonly groups: ReadonlyArray<{ readonly appId: string, readonly appName: string, readonly provider: SocialProvider, readonly kind: JobKind, readonly count: number, readonly failedCount: number, readonly since: string, readonly lastFailure: { readonly code: string, readonly message: string } | null }> }, readonly revokes: { readonly items: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } }, readonly others: { readonly items: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type EndedWorkQueryVariables = Exact<{
  period: WorkPeriod;
  appId?: string | null | undefined;
  provider?: SocialProvider | null | undefined;
}>;


export type EndedWorkQuery = { readonly endedWork: { readonly since: string, readonly before: string, readonly counts: ReadonlyArray<{ readonly at: string, readonly kind: EndedWorkKind, readonly outcome: string, readonly message: string, readonly succeeded: boolean, readonly count: number, readonly rowsKept: boolean }> } };

export type AttentionQueryVariables = Exact<{ [key: string]: never; }>;


export type AttentionQuery = { readonly troubledWebhookEndpoints: { readonly items: ReadonlyArray<{ readonly id: string, readonly appId: string, readonly appName: string, readonly url: string, readonly eventTypes: ReadonlyArray<string>, readonly enabled: boolean, readonly disabledReason: WebhookDisabledReason | null, readonly disabledAt: string | null, readonly failingSince: string | null, readonly failures: number, readonly pausedUntil: string | null, readonly createdAt: string, readonly workflowUrl: string | null, readonly secrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string, readonly retiresAt: string | null }> }>, readonly pageInfo: { readonly hasNextPage: boolean } }, readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly connectionCount: number, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null } }>, readonly expiringCredentials: ReadonlyArray<{ readonly kind: CredentialKind, readonly id: string, readonly label: string, readonly appId: string | null, readonly expiresAt: string, readonly expired: boolean }> };

export type ErasureDetailsFragment = { readonly id: string, readonly appId: string, readonly requestedAt: string, readonly completedAt: string | null, readonly connectionIds: ReadonlyArray<string>, readonly remaining: number, readonly jobs: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }> };

export type ErasureQueryVariables = Exact<{
  id: string;
}>;


export type ErasureQuery = { readonly erasure: { readonly id: string, readonly appId: string, readonly requestedAt: string, readonly completedAt: string | null, readonly connectionIds: ReadonlyArray<string>, readonly remaining: number, readonly jobs: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }> } };

export type ErasuresQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ErasuresQuery = { readonly erasures: { readonly items: ReadonlyArray<{ readonly id: string, readonly appId: string, readonly appName: string, readonly requestedAt: string, readonly completedAt: string | null, readonly connectionCount: number, readonly remaining: number }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type EraseSubjectMutationVariables = Exact<{
  input: EraseSubjectInput;
  dryRun?: boolean | null | undefined;
}>;


export type EraseSubjectMutation = { readonly eraseSubject: { readonly connectionCount: number, readonly attemptCount: number, readonly keptTokenCount: number, readonly erasure: { readonly id: string, readonly appId: string, readonly requestedAt: string, readonly completedAt: string | null, readonly connectionIds: ReadonlyArray<string>, readonly remaining: number, readonly jobs: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly status: JobStatus, readonly appId: string, readonly appName: string, readonly tenantKey: string | null, readonly provider: SocialProvider, readonly connectionId: string | null, readonly attemptId: string | null, readonly stuck: boolean, readonly stuckSince: string | null, readonly retryable: boolean, readonly tries: number, readonly firstFailedAt: string | null, readonly nextTryAt: string | null, readonly givesUpAt: string | null, readonly creatorAction: ConnectCreatorAction | null, readonly itemCount: number | null, readonly incompleteReason: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly finishedAt: string | null, readonly correlationId: string, readonly workflowId: string, readonly workflowUrl: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null, readonly failure: { readonly code: string, readonly message: string } | null }> } | null } };

export type ExportSubjectMutationVariables = Exact<{
  input: ExportSubjectInput;
  after?: string | null | undefined;
}>;


export type ExportSubjectMutation = { readonly exportSubject: { readonly rows: ReadonlyArray<string>, readonly endCursor: string | null } };

export type ProofOfDeletionQueryVariables = Exact<{
  connectionId: string;
}>;


export type ProofOfDeletionQuery = { readonly proofOfDeletion: { readonly connectionId: string, readonly document: string, readonly signature: string } };

export type VerifyProofOfDeletionQueryVariables = Exact<{
  document: string;
  signature: string;
}>;


export type VerifyProofOfDeletionQuery = { readonly verifyProofOfDeletion: boolean };

export type RegistrationDetailsFragment = { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> };

export type IssuerDetailsFragment = { readonly id: string, readonly issuer: string, readonly clientId: string, readonly tokenAuthMethod: TokenAuthMethod, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly redirectUri: string };

export type RegistrationsQueryVariables = Exact<{ [key: string]: never; }>;


export type RegistrationsQuery = { readonly registrations: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> }> };

export type RegistrationQueryVariables = Exact<{
  id: string;
}>;


export type RegistrationQuery = { readonly registration: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } };

export type CreateRegistrationMutationVariables = Exact<{
  input: CreateRegistrationInput;
}>;


export type CreateRegistrationMutation = { readonly createRegistration: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } };

export type RotateRegistrationSecretMutationVariables = Exact<{
  id: string;
  clientSecret: string;
  secretExpiresAt?: string | null | undefined;
}>;


export type RotateRegistrationSecretMutation = { readonly rotateRegistrationSecret: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } };

export type PauseRegistrationMutationVariables = Exact<{
  id: string;
  dryRun?: boolean | null | undefined;
}>;


export type PauseRegistrationMutation = { readonly pauseRegistration: { readonly connectionCount: number, readonly openJobCount: number, readonly registration: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } } };

export type ResumeRegistrationMutationVariables = Exact<{
  id: string;
}>;


export type ResumeRegistrationMutation = { readonly resumeRegistration: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } };

export type RetryRegistrationMutationVariables = Exact<{
  id: string;
}>;


export type RetryRegistrationMutation = { readonly retryRegistration: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } };

export type ClearSpentQuotaMutationVariables = Exact<{
  id: string;
}>;


export type ClearSpentQuotaMutation = { readonly clearSpentQuota: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } };

export type AddCallbackSecretMutationVariables = Exact<{
  registrationId: string;
  secret: string;
  idempotencyKey?: string | null | undefined;
}>;


export type AddCallbackSecretMutation = { readonly addCallbackSecret: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } };

export type RemoveCallbackSecretMutationVariables = Exact<{
  id: string;
}>;


export type RemoveCallbackSecretMutation = { readonly removeCallbackSecret: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } };

export type ServeAppMutationVariables = Exact<{
  registrationId: string;
  appId: string;
}>;


export type ServeAppMutation = { readonly serveApp: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } };

export type StopServingAppMutationVariables = Exact<{
  registrationId: string;
  appId: string;
  dryRun?: boolean | null | undefined;
}>;


export type StopServingAppMutation = { readonly stopServingApp: { readonly connectionCount: number, readonly openJobCount: number, readonly registration: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } } };

export type IssuersQueryVariables = Exact<{ [key: string]: never; }>;


export type IssuersQuery = { readonly identityIssuers: ReadonlyArray<{ readonly id: string, readonly issuer: string, readonly clientId: string, readonly tokenAuthMethod: TokenAuthMethod, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly redirectUri: string }> };

export type CreateIssuerMutationVariables = Exact<{
  input: CreateIdentityIssuerInput;
}>;


export type CreateIssuerMutation = { readonly createIdentityIssuer: { readonly id: string, readonly issuer: string, readonly clientId: string, readonly tokenAuthMethod: TokenAuthMethod, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly redirectUri: string } };

export type RotateIssuerSecretMutationVariables = Exact<{
  id: string;
  clientSecret: string;
  secretExpiresAt?: string | null | undefined;
}>;


export type RotateIssuerSecretMutation = { readonly rotateIdentityIssuerSecret: { readonly id: string, readonly issuer: string, readonly clientId: string, readonly tokenAuthMethod: TokenAuthMethod, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly redirectUri: string } };

export type SetDailyQuotaMutationVariables = Exact<{
  id: string;
  units?: number | null | undefined;
}>;


export type SetDailyQuotaMutation = { readonly setDailyQuota: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } };

export type SetRegistrationPermissionsMutationVariables = Exact<{
  id: string;
  permissions?: ReadonlyArray<string> | string | null | undefined;
}>;


export type SetRegistrationPermissionsMutation = { readonly setRegistrationPermissions: { readonly id: string, readonly provider: SocialProvider, readonly label: string, readonly clientId: string, readonly createdAt: string, readonly secretSetAt: string, readonly secretExpiresAt: string | null, readonly pausedAt: string | null, readonly rejectedAt: string | null, readonly doubtedAt: string | null, readonly capabilities: ReadonlyArray<Capability>, readonly connectionCount: number, readonly redirectUri: string, readonly permissions: ReadonlyArray<{ readonly name: string, readonly isAsked: boolean, readonly isNeeded: boolean }>, readonly usage: { readonly day: string, readonly unitsUsed: number, readonly unitsAllowed: number | null, readonly unitsLeft: number | null, readonly spentUntil: string | null }, readonly callbackUrls: ReadonlyArray<{ readonly enteredAs: string, readonly url: string }>, readonly apps: ReadonlyArray<{ readonly appId: string, readonly name: string, readonly since: string, readonly unitsUsed: number, readonly quotaPercent: number, readonly unitsAllowed: number | null }>, readonly callbackSecrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string }> } };

export type UnknownAnswersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type UnknownAnswersQuery = { readonly unknownAnswers: { readonly items: ReadonlyArray<{ readonly id: string, readonly provider: SocialProvider, readonly request: string, readonly status: number, readonly code: string, readonly text: string, readonly madeOfIt: string, readonly times: number, readonly firstSeenAt: string, readonly lastSeenAt: string }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type DismissUnknownAnswerMutationVariables = Exact<{
  id: string;
}>;


export type DismissUnknownAnswerMutation = { readonly dismissUnknownAnswer: { readonly id: string } };

export type WebhookEndpointDetailsFragment = { readonly id: string, readonly appId: string, readonly appName: string, readonly url: string, readonly eventTypes: ReadonlyArray<string>, readonly enabled: boolean, readonly disabledReason: WebhookDisabledReason | null, readonly disabledAt: string | null, readonly failingSince: string | null, readonly failures: number, readonly pausedUntil: string | null, readonly createdAt: string, readonly workflowUrl: string | null, readonly secrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string, readonly retiresAt: string | null }> };

export type WebhookDeliveryDetailsFragment = { readonly id: string, readonly eventId: string, readonly eventType: string, readonly occurredAt: string, readonly endpointId: string, readonly appId: string, readonly connectionId: string | null, readonly status: WebhookDeliveryStatus, readonly tries: number, readonly nextTryAt: string | null, readonly lastHttpStatus: number | null, readonly lastTriedAt: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null };

export type WebhookEventTypesQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhookEventTypesQuery = { readonly webhookEventTypes: ReadonlyArray<{ readonly name: string, readonly description: string }> };

export type WebhookEndpointsQueryVariables = Exact<{
  appId: string;
}>;


export type WebhookEndpointsQuery = { readonly webhookEndpoints: ReadonlyArray<{ readonly id: string, readonly appId: string, readonly appName: string, readonly url: string, readonly eventTypes: ReadonlyArray<string>, readonly enabled: boolean, readonly disabledReason: WebhookDisabledReason | null, readonly disabledAt: string | null, readonly failingSince: string | null, readonly failures: number, readonly pausedUntil: string | null, readonly createdAt: string, readonly workflowUrl: string | null, readonly secrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string, readonly retiresAt: string | null }> }> };

export type WebhookEndpointQueryVariables = Exact<{
  id: string;
}>;


export type WebhookEndpointQuery = { readonly webhookEndpoint: { readonly id: string, readonly appId: string, readonly appName: string, readonly url: string, readonly eventTypes: ReadonlyArray<string>, readonly enabled: boolean, readonly disabledReason: WebhookDisabledReason | null, readonly disabledAt: string | null, readonly failingSince: string | null, readonly failures: number, readonly pausedUntil: string | null, readonly createdAt: string, readonly workflowUrl: string | null, readonly secrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string, readonly retiresAt: string | null }> } };

export type WebhookDeliveriesQueryVariables = Exact<{
  filter?: WebhookDeliveryFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type WebhookDeliveriesQuery = { readonly webhookDeliveries: { readonly items: ReadonlyArray<{ readonly id: string, readonly eventId: string, readonly eventType: string, readonly occurredAt: string, readonly endpointId: string, readonly appId: string, readonly connectionId: string | null, readonly status: WebhookDeliveryStatus, readonly tries: number, readonly nextTryAt: string | null, readonly lastHttpStatus: number | null, readonly lastTriedAt: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null }>, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean } } };

export type CreateWebhookEndpointMutationVariables = Exact<{
  input: CreateWebhookEndpointInput;
}>;


export type CreateWebhookEndpointMutation = { readonly createWebhookEndpoint: { readonly secret: string | null, readonly endpoint: { readonly id: string, readonly appId: string, readonly appName: string, readonly url: string, readonly eventTypes: ReadonlyArray<string>, readonly enabled: boolean, readonly disabledReason: WebhookDisabledReason | null, readonly disabledAt: string | null, readonly failingSince: string | null, readonly failures: number, readonly pausedUntil: string | null, readonly createdAt: string, readonly workflowUrl: string | null, readonly secrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string, readonly retiresAt: string | null }> } } };

export type ChangeWebhookEndpointMutationVariables = Exact<{
  id: string;
  url?: string | null | undefined;
  eventTypes?: ReadonlyArray<string> | string | null | undefined;
}>;


export type ChangeWebhookEndpointMutation = { readonly changeWebhookEndpoint: { readonly id: string, readonly appId: string, readonly appName: string, readonly url: string, readonly eventTypes: ReadonlyArray<string>, readonly enabled: boolean, readonly disabledReason: WebhookDisabledReason | null, readonly disabledAt: string | null, readonly failingSince: string | null, readonly failures: number, readonly pausedUntil: string | null, readonly createdAt: string, readonly workflowUrl: string | null, readonly secrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string, readonly retiresAt: string | null }> } };

export type DisableWebhookEndpointMutationVariables = Exact<{
  id: string;
}>;


export type DisableWebhookEndpointMutation = { readonly disableWebhookEndpoint: { readonly id: string, readonly appId: string, readonly appName: string, readonly url: string, readonly eventTypes: ReadonlyArray<string>, readonly enabled: boolean, readonly disabledReason: WebhookDisabledReason | null, readonly disabledAt: string | null, readonly failingSince: string | null, readonly failures: number, readonly pausedUntil: string | null, readonly createdAt: string, readonly workflowUrl: string | null, readonly secrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string, readonly retiresAt: string | null }> } };

export type EnableWebhookEndpointMutationVariables = Exact<{
  id: string;
}>;


export type EnableWebhookEndpointMutation = { readonly enableWebhookEndpoint: { readonly id: string, readonly appId: string, readonly appName: string, readonly url: string, readonly eventTypes: ReadonlyArray<string>, readonly enabled: boolean, readonly disabledReason: WebhookDisabledReason | null, readonly disabledAt: string | null, readonly failingSince: string | null, readonly failures: number, readonly pausedUntil: string | null, readonly createdAt: string, readonly workflowUrl: string | null, readonly secrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string, readonly retiresAt: string | null }> } };

export type RemoveWebhookEndpointMutationVariables = Exact<{
  id: string;
}>;


export type RemoveWebhookEndpointMutation = { readonly removeWebhookEndpoint: { readonly id: string } };

export type RotateWebhookSecretMutationVariables = Exact<{
  id: string;
  idempotencyKey?: string | null | undefined;
}>;


export type RotateWebhookSecretMutation = { readonly rotateWebhookSecret: { readonly secret: string | null, readonly endpoint: { readonly id: string, readonly appId: string, readonly appName: string, readonly url: string, readonly eventTypes: ReadonlyArray<string>, readonly enabled: boolean, readonly disabledReason: WebhookDisabledReason | null, readonly disabledAt: string | null, readonly failingSince: string | null, readonly failures: number, readonly pausedUntil: string | null, readonly createdAt: string, readonly workflowUrl: string | null, readonly secrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string, readonly retiresAt: string | null }> } } };

export type RetireWebhookSecretMutationVariables = Exact<{
  id: string;
  secretId: string;
  afterHours?: number | null | undefined;
}>;


export type RetireWebhookSecretMutation = { readonly retireWebhookSecret: { readonly id: string, readonly appId: string, readonly appName: string, readonly url: string, readonly eventTypes: ReadonlyArray<string>, readonly enabled: boolean, readonly disabledReason: WebhookDisabledReason | null, readonly disabledAt: string | null, readonly failingSince: string | null, readonly failures: number, readonly pausedUntil: string | null, readonly createdAt: string, readonly workflowUrl: string | null, readonly secrets: ReadonlyArray<{ readonly id: string, readonly createdAt: string, readonly retiresAt: string | null }> } };

export type SendTestWebhookMutationVariables = Exact<{
  id: string;
}>;


export type SendTestWebhookMutation = { readonly sendTestWebhook: { readonly id: string, readonly eventId: string, readonly eventType: string, readonly occurredAt: string, readonly endpointId: string, readonly appId: string, readonly connectionId: string | null, readonly status: WebhookDeliveryStatus, readonly tries: number, readonly nextTryAt: string | null, readonly lastHttpStatus: number | null, readonly lastTriedAt: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null } };

export type RedeliverWebhookMutationVariables = Exact<{
  id: string;
}>;


export type RedeliverWebhookMutation = { readonly redeliverWebhook: { readonly id: string, readonly eventId: string, readonly eventType: string, readonly occurredAt: string, readonly endpointId: string, readonly appId: string, readonly connectionId: string | null, readonly status: WebhookDeliveryStatus, readonly tries: number, readonly nextTryAt: string | null, readonly lastHttpStatus: number | null, readonly lastTriedAt: string | null, readonly lastFailure: { readonly code: string, readonly message: string } | null } };

export type RedeliverWebhooksMutationVariables = Exact<{
  id: string;
  since: string;
  failedOnly?: boolean | null | undefined;
}>;


export type RedeliverWebhooksMutation = { readonly redeliverWebhooks: { readonly count: number, readonly continueAt: string | null } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const AppSummaryFragmentDoc = new TypedDocumentString(`
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
    `, {"fragmentName":"AppSummary"}) as unknown as TypedDocumentString<AppSummaryFragment, unknown>;
export const AppDetailsFragmentDoc = new TypedDocumentString(`
    fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}`, {"fragmentName":"AppDetails"}) as unknown as TypedDocumentString<AppDetailsFragment, unknown>;
export const AppNameFragmentDoc = new TypedDocumentString(`
    fragment AppName on App {
  id
  name
  createdAt
}
    `, {"fragmentName":"AppName"}) as unknown as TypedDocumentString<AppNameFragment, unknown>;
export const BulkDisconnectDetailsFragmentDoc = new TypedDocumentString(`
    fragment BulkDisconnectDetails on BulkDisconnect {
  id
  appId
  appName
  tenantKey
  registrationId
  startedAt
  finishedAt
  total
  disconnected
  unsettled
  revokesFailed
  workflowId
  workflowUrl
}
    `, {"fragmentName":"BulkDisconnectDetails"}) as unknown as TypedDocumentString<BulkDisconnectDetailsFragment, unknown>;
export const ConnectionDetailsFragmentDoc = new TypedDocumentString(`
    fragment ConnectionDetails on Connection {
  id
  appId
  appName
  tenantKey
  externalSubjectId
  provider
  registrationId
  registrationLabel
  status
  readErrorCode
  syncStatus
  capabilities {
    capability
    availability
    reason
  }
  lastSuccessfulSyncAt
  nextRetryAt
  createdAt
  changedAt
  workflowsUrl
}
    `, {"fragmentName":"ConnectionDetails"}) as unknown as TypedDocumentString<ConnectionDetailsFragment, unknown>;
export const AttemptDetailsFragmentDoc = new TypedDocumentString(`
    fragment AttemptDetails on Attempt {
  id
  appId
  appName
  provider
  registrationId
  registrationLabel
  capabilities
  status
  resultCode
  resultMessage
  connectionId
  reconnectConnectionId
  creatorAction
  createdAt
  expiresAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}
    `, {"fragmentName":"AttemptDetails"}) as unknown as TypedDocumentString<AttemptDetailsFragment, unknown>;
export const JobDetailsFragmentDoc = new TypedDocumentString(`
    fragment JobDetails on Job {
  id
  kind
  status
  appId
  appName
  tenantKey
  provider
  connectionId
  attemptId
  stuck
  stuckSince
  retryable
  tries
  lastFailure {
    code
    message
  }
  firstFailedAt
  nextTryAt
  givesUpAt
  failure {
    code
    message
  }
  creatorAction
  itemCount
  incompleteReason
  createdAt
  startedAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}
    `, {"fragmentName":"JobDetails"}) as unknown as TypedDocumentString<JobDetailsFragment, unknown>;
export const AuditEntryDetailsFragmentDoc = new TypedDocumentString(`
    fragment AuditEntryDetails on AuditEntry {
  id
  happenedAt
  actor
  actorLabel
  action
  target
  related
  outcome
  correlationId
}
    `, {"fragmentName":"AuditEntryDetails"}) as unknown as TypedDocumentString<AuditEntryDetailsFragment, unknown>;
export const ConnectionStoryDetailsFragmentDoc = new TypedDocumentString(`
    fragment ConnectionStoryDetails on ConnectionStory {
  id
  connection {
    ...ConnectionDetails
  }
  attempts {
    ...AttemptDetails
  }
  grants {
    id
    attemptId
    status
    permissions
    obtainedAt
    accessExpiresAt
    refreshExpiresAt
    refreshCount
    refreshClaimedAt
  }
  receipts {
    ...JobDetails
  }
  jobs {
    ...JobDetails
  }
  audit {
    ...AuditEntryDetails
  }
}
    fragment ConnectionDetails on Connection {
  id
  appId
  appName
  tenantKey
  externalSubjectId
  provider
  registrationId
  registrationLabel
  status
  readErrorCode
  syncStatus
  capabilities {
    capability
    availability
    reason
  }
  lastSuccessfulSyncAt
  nextRetryAt
  createdAt
  changedAt
  workflowsUrl
}
fragment AttemptDetails on Attempt {
  id
  appId
  appName
  provider
  registrationId
  registrationLabel
  capabilities
  status
  resultCode
  resultMessage
  connectionId
  reconnectConnectionId
  creatorAction
  createdAt
  expiresAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}
fragment AuditEntryDetails on AuditEntry {
  id
  happenedAt
  actor
  actorLabel
  action
  target
  related
  outcome
  correlationId
}
fragment JobDetails on Job {
  id
  kind
  status
  appId
  appName
  tenantKey
  provider
  connectionId
  attemptId
  stuck
  stuckSince
  retryable
  tries
  lastFailure {
    code
    message
  }
  firstFailedAt
  nextTryAt
  givesUpAt
  failure {
    code
    message
  }
  creatorAction
  itemCount
  incompleteReason
  createdAt
  startedAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}`, {"fragmentName":"ConnectionStoryDetails"}) as unknown as TypedDocumentString<ConnectionStoryDetailsFragment, unknown>;
export const StuckWorkDetailsFragmentDoc = new TypedDocumentString(`
    fragment StuckWorkDetails on StuckWork {
  count
  retryableCount
  groupCount
  groups {
    appId
    appName
    provider
    kind
    lastFailure {
      code
      message
    }
    count
    failedCount
    since
  }
}
    `, {"fragmentName":"StuckWorkDetails"}) as unknown as TypedDocumentString<StuckWorkDetailsFragment, unknown>;
export const ErasureDetailsFragmentDoc = new TypedDocumentString(`
    fragment ErasureDetails on Erasure {
  id
  appId
  requestedAt
  completedAt
  connectionIds
  remaining
  jobs {
    ...JobDetails
  }
}
    fragment JobDetails on Job {
  id
  kind
  status
  appId
  appName
  tenantKey
  provider
  connectionId
  attemptId
  stuck
  stuckSince
  retryable
  tries
  lastFailure {
    code
    message
  }
  firstFailedAt
  nextTryAt
  givesUpAt
  failure {
    code
    message
  }
  creatorAction
  itemCount
  incompleteReason
  createdAt
  startedAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}`, {"fragmentName":"ErasureDetails"}) as unknown as TypedDocumentString<ErasureDetailsFragment, unknown>;
export const RegistrationDetailsFragmentDoc = new TypedDocumentString(`
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}
    `, {"fragmentName":"RegistrationDetails"}) as unknown as TypedDocumentString<RegistrationDetailsFragment, unknown>;
export const IssuerDetailsFragmentDoc = new TypedDocumentString(`
    fragment IssuerDetails on IdentityIssuer {
  id
  issuer
  clientId
  tokenAuthMethod
  createdAt
  secretSetAt
  secretExpiresAt
  redirectUri
}
    `, {"fragmentName":"IssuerDetails"}) as unknown as TypedDocumentString<IssuerDetailsFragment, unknown>;
export const WebhookEndpointDetailsFragmentDoc = new TypedDocumentString(`
    fragment WebhookEndpointDetails on WebhookEndpoint {
  id
  appId
  appName
  url
  eventTypes
  enabled
  disabledReason
  disabledAt
  failingSince
  failures
  pausedUntil
  secrets {
    id
    createdAt
    retiresAt
  }
  createdAt
  workflowUrl
}
    `, {"fragmentName":"WebhookEndpointDetails"}) as unknown as TypedDocumentString<WebhookEndpointDetailsFragment, unknown>;
export const WebhookDeliveryDetailsFragmentDoc = new TypedDocumentString(`
    fragment WebhookDeliveryDetails on WebhookDelivery {
  id
  eventId
  eventType
  occurredAt
  endpointId
  appId
  connectionId
  status
  tries
  nextTryAt
  lastHttpStatus
  lastFailure {
    code
    message
  }
  lastTriedAt
}
    `, {"fragmentName":"WebhookDeliveryDetails"}) as unknown as TypedDocumentString<WebhookDeliveryDetailsFragment, unknown>;
export const ServiceDocument = new TypedDocumentString(`
    query Service {
  service {
    graphqlUrl
    redirectUris {
      provider
      url
    }
  }
}
    `) as unknown as TypedDocumentString<ServiceQuery, ServiceQueryVariables>;
export const AppNamesDocument = new TypedDocumentString(`
    query AppNames($search: String) {
  apps(filter: {search: $search}, first: 20) {
    items {
      ...AppName
    }
    pageInfo {
      hasNextPage
    }
  }
}
    fragment AppName on App {
  id
  name
  createdAt
}`) as unknown as TypedDocumentString<AppNamesQuery, AppNamesQueryVariables>;
export const AppNameDocument = new TypedDocumentString(`
    query AppName($id: ID!) {
  app(id: $id) {
    ...AppName
  }
}
    fragment AppName on App {
  id
  name
  createdAt
}`) as unknown as TypedDocumentString<AppNameQuery, AppNameQueryVariables>;
export const AppsDocument = new TypedDocumentString(`
    query Apps($filter: AppFilter, $first: Int, $after: String) {
  apps(filter: $filter, first: $first, after: $after) {
    items {
      ...AppSummary
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}`) as unknown as TypedDocumentString<AppsQuery, AppsQueryVariables>;
export const AppDocument = new TypedDocumentString(`
    query App($id: ID!) {
  app(id: $id) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<AppQuery, AppQueryVariables>;
export const TenantsDocument = new TypedDocumentString(`
    query Tenants($appId: ID!, $first: Int, $after: String) {
  tenants(appId: $appId, first: $first, after: $after) {
    items {
      tenantKey
      createdAt
      connectionCount
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    `) as unknown as TypedDocumentString<TenantsQuery, TenantsQueryVariables>;
export const CreateAppDocument = new TypedDocumentString(`
    mutation CreateApp($input: CreateAppInput!) {
  createApp(input: $input) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<CreateAppMutation, CreateAppMutationVariables>;
export const ChangeAppDocument = new TypedDocumentString(`
    mutation ChangeApp($id: ID!, $name: String, $requestsPerSecond: Int) {
  changeApp(id: $id, name: $name, requestsPerSecond: $requestsPerSecond) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<ChangeAppMutation, ChangeAppMutationVariables>;
export const DisableAppDocument = new TypedDocumentString(`
    mutation DisableApp($id: ID!) {
  disableApp(id: $id) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<DisableAppMutation, DisableAppMutationVariables>;
export const EnableAppDocument = new TypedDocumentString(`
    mutation EnableApp($id: ID!) {
  enableApp(id: $id) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<EnableAppMutation, EnableAppMutationVariables>;
export const IssueKeyDocument = new TypedDocumentString(`
    mutation IssueKey($input: IssueKeyInput!) {
  issueKey(input: $input) {
    key {
      id
      expiresAt
    }
    secret
  }
}
    `) as unknown as TypedDocumentString<IssueKeyMutation, IssueKeyMutationVariables>;
export const ChangeKeyDocument = new TypedDocumentString(`
    mutation ChangeKey($id: ID!, $label: String) {
  changeKey(id: $id, label: $label) {
    id
    label
  }
}
    `) as unknown as TypedDocumentString<ChangeKeyMutation, ChangeKeyMutationVariables>;
export const RevokeKeyDocument = new TypedDocumentString(`
    mutation RevokeKey($id: ID!) {
  revokeKey(id: $id) {
    id
    revokedAt
  }
}
    `) as unknown as TypedDocumentString<RevokeKeyMutation, RevokeKeyMutationVariables>;
export const AddTenantDocument = new TypedDocumentString(`
    mutation AddTenant($appId: ID!, $tenantKey: String!) {
  addTenant(appId: $appId, tenantKey: $tenantKey) {
    tenantKey
  }
}
    `) as unknown as TypedDocumentString<AddTenantMutation, AddTenantMutationVariables>;
export const RemoveTenantDocument = new TypedDocumentString(`
    mutation RemoveTenant($appId: ID!, $tenantKey: String!, $connections: TenantConnections!, $dryRun: Boolean) {
  removeTenant(
    appId: $appId
    tenantKey: $tenantKey
    connections: $connections
    dryRun: $dryRun
  ) {
    connectionCount
    bulkDisconnect {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveTenantMutation, RemoveTenantMutationVariables>;
export const AddReturnUrlDocument = new TypedDocumentString(`
    mutation AddReturnUrl($appId: ID!, $url: String!) {
  addReturnUrl(appId: $appId, url: $url) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<AddReturnUrlMutation, AddReturnUrlMutationVariables>;
export const RemoveReturnUrlDocument = new TypedDocumentString(`
    mutation RemoveReturnUrl($appId: ID!, $url: String!) {
  removeReturnUrl(appId: $appId, url: $url) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<RemoveReturnUrlMutation, RemoveReturnUrlMutationVariables>;
export const AddLaunchOriginDocument = new TypedDocumentString(`
    mutation AddLaunchOrigin($appId: ID!, $origin: String!) {
  addLaunchOrigin(appId: $appId, origin: $origin) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<AddLaunchOriginMutation, AddLaunchOriginMutationVariables>;
export const RemoveLaunchOriginDocument = new TypedDocumentString(`
    mutation RemoveLaunchOrigin($appId: ID!, $origin: String!) {
  removeLaunchOrigin(appId: $appId, origin: $origin) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<RemoveLaunchOriginMutation, RemoveLaunchOriginMutationVariables>;
export const SetRefreshPolicyDocument = new TypedDocumentString(`
    mutation SetRefreshPolicy($appId: ID!, $provider: SocialProvider!, $refreshMinutes: Int, $refreshDays: Int, $refreshPosts: Int) {
  setRefreshPolicy(
    appId: $appId
    provider: $provider
    refreshMinutes: $refreshMinutes
    refreshDays: $refreshDays
    refreshPosts: $refreshPosts
  ) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<SetRefreshPolicyMutation, SetRefreshPolicyMutationVariables>;
export const SetPolicyDocument = new TypedDocumentString(`
    mutation SetPolicy($appId: ID!, $provider: SocialProvider!, $capabilities: [Capability!]!, $quotaPercent: Int) {
  setPolicy(
    appId: $appId
    provider: $provider
    capabilities: $capabilities
    quotaPercent: $quotaPercent
  ) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<SetPolicyMutation, SetPolicyMutationVariables>;
export const SetBrandingDocument = new TypedDocumentString(`
    mutation SetBranding($appId: ID!, $color: String, $language: String) {
  setBranding(appId: $appId, color: $color, language: $language) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<SetBrandingMutation, SetBrandingMutationVariables>;
export const SetLogoDocument = new TypedDocumentString(`
    mutation SetLogo($appId: ID!, $image: String!) {
  setLogo(appId: $appId, image: $image) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<SetLogoMutation, SetLogoMutationVariables>;
export const RemoveLogoDocument = new TypedDocumentString(`
    mutation RemoveLogo($appId: ID!) {
  removeLogo(appId: $appId) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<RemoveLogoMutation, RemoveLogoMutationVariables>;
export const SetIdentityDocument = new TypedDocumentString(`
    mutation SetIdentity($appId: ID!, $issuerId: ID!, $returnUrl: String!, $enabled: Boolean) {
  setIdentity(
    appId: $appId
    issuerId: $issuerId
    returnUrl: $returnUrl
    enabled: $enabled
  ) {
    ...AppDetails
  }
}
    fragment AppSummary on App {
  id
  name
  enabled
  createdAt
  tenantCount
  missing
}
fragment AppDetails on App {
  ...AppSummary
  requestsPerSecond
  keys {
    id
    label
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    active
  }
  returnUrls
  launchOrigins
  policies {
    provider
    capabilities
    quotaPercent
    refreshMinutes
    refreshDays
    refreshPosts
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
  }
  identity {
    issuer {
      id
      issuer
    }
    returnUrl
    enabled
  }
  branding {
    color
    language
    logo {
      sha256
      width
      height
    }
  }
}`) as unknown as TypedDocumentString<SetIdentityMutation, SetIdentityMutationVariables>;
export const BulkDisconnectsDocument = new TypedDocumentString(`
    query BulkDisconnects {
  bulkDisconnects {
    ...BulkDisconnectDetails
  }
}
    fragment BulkDisconnectDetails on BulkDisconnect {
  id
  appId
  appName
  tenantKey
  registrationId
  startedAt
  finishedAt
  total
  disconnected
  unsettled
  revokesFailed
  workflowId
  workflowUrl
}`) as unknown as TypedDocumentString<BulkDisconnectsQuery, BulkDisconnectsQueryVariables>;
export const BulkDisconnectDocument = new TypedDocumentString(`
    query BulkDisconnect($id: ID!) {
  bulkDisconnect(id: $id) {
    ...BulkDisconnectDetails
  }
}
    fragment BulkDisconnectDetails on BulkDisconnect {
  id
  appId
  appName
  tenantKey
  registrationId
  startedAt
  finishedAt
  total
  disconnected
  unsettled
  revokesFailed
  workflowId
  workflowUrl
}`) as unknown as TypedDocumentString<BulkDisconnectQuery, BulkDisconnectQueryVariables>;
export const DisconnectAllDocument = new TypedDocumentString(`
    mutation DisconnectAll($input: DisconnectAllInput!, $dryRun: Boolean) {
  disconnectAll(input: $input, dryRun: $dryRun) {
    connectionCount
    bulkDisconnect {
      ...BulkDisconnectDetails
    }
  }
}
    fragment BulkDisconnectDetails on BulkDisconnect {
  id
  appId
  appName
  tenantKey
  registrationId
  startedAt
  finishedAt
  total
  disconnected
  unsettled
  revokesFailed
  workflowId
  workflowUrl
}`) as unknown as TypedDocumentString<DisconnectAllMutation, DisconnectAllMutationVariables>;
export const ConnectionsDocument = new TypedDocumentString(`
    query Connections($filter: ConnectionFilter, $first: Int, $after: String) {
  connections(filter: $filter, first: $first, after: $after) {
    items {
      ...ConnectionDetails
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    fragment ConnectionDetails on Connection {
  id
  appId
  appName
  tenantKey
  externalSubjectId
  provider
  registrationId
  registrationLabel
  status
  readErrorCode
  syncStatus
  capabilities {
    capability
    availability
    reason
  }
  lastSuccessfulSyncAt
  nextRetryAt
  createdAt
  changedAt
  workflowsUrl
}`) as unknown as TypedDocumentString<ConnectionsQuery, ConnectionsQueryVariables>;
export const ConnectionDocument = new TypedDocumentString(`
    query Connection($id: ID!) {
  connection(id: $id) {
    ...ConnectionStoryDetails
  }
}
    fragment ConnectionDetails on Connection {
  id
  appId
  appName
  tenantKey
  externalSubjectId
  provider
  registrationId
  registrationLabel
  status
  readErrorCode
  syncStatus
  capabilities {
    capability
    availability
    reason
  }
  lastSuccessfulSyncAt
  nextRetryAt
  createdAt
  changedAt
  workflowsUrl
}
fragment AttemptDetails on Attempt {
  id
  appId
  appName
  provider
  registrationId
  registrationLabel
  capabilities
  status
  resultCode
  resultMessage
  connectionId
  reconnectConnectionId
  creatorAction
  createdAt
  expiresAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}
fragment AuditEntryDetails on AuditEntry {
  id
  happenedAt
  actor
  actorLabel
  action
  target
  related
  outcome
  correlationId
}
fragment ConnectionStoryDetails on ConnectionStory {
  id
  connection {
    ...ConnectionDetails
  }
  attempts {
    ...AttemptDetails
  }
  grants {
    id
    attemptId
    status
    permissions
    obtainedAt
    accessExpiresAt
    refreshExpiresAt
    refreshCount
    refreshClaimedAt
  }
  receipts {
    ...JobDetails
  }
  jobs {
    ...JobDetails
  }
  audit {
    ...AuditEntryDetails
  }
}
fragment JobDetails on Job {
  id
  kind
  status
  appId
  appName
  tenantKey
  provider
  connectionId
  attemptId
  stuck
  stuckSince
  retryable
  tries
  lastFailure {
    code
    message
  }
  firstFailedAt
  nextTryAt
  givesUpAt
  failure {
    code
    message
  }
  creatorAction
  itemCount
  incompleteReason
  createdAt
  startedAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}`) as unknown as TypedDocumentString<ConnectionQuery, ConnectionQueryVariables>;
export const DisconnectConnectionDocument = new TypedDocumentString(`
    mutation DisconnectConnection($id: ID!) {
  disconnectConnection(id: $id) {
    ...ConnectionStoryDetails
  }
}
    fragment ConnectionDetails on Connection {
  id
  appId
  appName
  tenantKey
  externalSubjectId
  provider
  registrationId
  registrationLabel
  status
  readErrorCode
  syncStatus
  capabilities {
    capability
    availability
    reason
  }
  lastSuccessfulSyncAt
  nextRetryAt
  createdAt
  changedAt
  workflowsUrl
}
fragment AttemptDetails on Attempt {
  id
  appId
  appName
  provider
  registrationId
  registrationLabel
  capabilities
  status
  resultCode
  resultMessage
  connectionId
  reconnectConnectionId
  creatorAction
  createdAt
  expiresAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}
fragment AuditEntryDetails on AuditEntry {
  id
  happenedAt
  actor
  actorLabel
  action
  target
  related
  outcome
  correlationId
}
fragment ConnectionStoryDetails on ConnectionStory {
  id
  connection {
    ...ConnectionDetails
  }
  attempts {
    ...AttemptDetails
  }
  grants {
    id
    attemptId
    status
    permissions
    obtainedAt
    accessExpiresAt
    refreshExpiresAt
    refreshCount
    refreshClaimedAt
  }
  receipts {
    ...JobDetails
  }
  jobs {
    ...JobDetails
  }
  audit {
    ...AuditEntryDetails
  }
}
fragment JobDetails on Job {
  id
  kind
  status
  appId
  appName
  tenantKey
  provider
  connectionId
  attemptId
  stuck
  stuckSince
  retryable
  tries
  lastFailure {
    code
    message
  }
  firstFailedAt
  nextTryAt
  givesUpAt
  failure {
    code
    message
  }
  creatorAction
  itemCount
  incompleteReason
  createdAt
  startedAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}`) as unknown as TypedDocumentString<DisconnectConnectionMutation, DisconnectConnectionMutationVariables>;
export const AttemptsDocument = new TypedDocumentString(`
    query Attempts($filter: AttemptFilter, $first: Int, $after: String) {
  attempts(filter: $filter, first: $first, after: $after) {
    items {
      ...AttemptDetails
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    fragment AttemptDetails on Attempt {
  id
  appId
  appName
  provider
  registrationId
  registrationLabel
  capabilities
  status
  resultCode
  resultMessage
  connectionId
  reconnectConnectionId
  creatorAction
  createdAt
  expiresAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}`) as unknown as TypedDocumentString<AttemptsQuery, AttemptsQueryVariables>;
export const AttemptDocument = new TypedDocumentString(`
    query Attempt($id: ID!) {
  attempt(id: $id) {
    ...AttemptDetails
  }
}
    fragment AttemptDetails on Attempt {
  id
  appId
  appName
  provider
  registrationId
  registrationLabel
  capabilities
  status
  resultCode
  resultMessage
  connectionId
  reconnectConnectionId
  creatorAction
  createdAt
  expiresAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}`) as unknown as TypedDocumentString<AttemptQuery, AttemptQueryVariables>;
export const CancelAttemptDocument = new TypedDocumentString(`
    mutation CancelAttempt($id: ID!) {
  cancelAttempt(id: $id) {
    ...AttemptDetails
  }
}
    fragment AttemptDetails on Attempt {
  id
  appId
  appName
  provider
  registrationId
  registrationLabel
  capabilities
  status
  resultCode
  resultMessage
  connectionId
  reconnectConnectionId
  creatorAction
  createdAt
  expiresAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}`) as unknown as TypedDocumentString<CancelAttemptMutation, CancelAttemptMutationVariables>;
export const FindDocument = new TypedDocumentString(`
    query Find($text: String!) {
  find(text: $text) {
    kind
    id
    appId
    label
  }
}
    `) as unknown as TypedDocumentString<FindQuery, FindQueryVariables>;
export const JobsDocument = new TypedDocumentString(`
    query Jobs($filter: JobFilter, $first: Int, $after: String) {
  jobs(filter: $filter, first: $first, after: $after) {
    items {
      ...JobDetails
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    fragment JobDetails on Job {
  id
  kind
  status
  appId
  appName
  tenantKey
  provider
  connectionId
  attemptId
  stuck
  stuckSince
  retryable
  tries
  lastFailure {
    code
    message
  }
  firstFailedAt
  nextTryAt
  givesUpAt
  failure {
    code
    message
  }
  creatorAction
  itemCount
  incompleteReason
  createdAt
  startedAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}`) as unknown as TypedDocumentString<JobsQuery, JobsQueryVariables>;
export const StuckWorkDocument = new TypedDocumentString(`
    query StuckWork($filter: JobFilter, $first: Int = 12) {
  stuckWork(filter: $filter, first: $first) {
    ...StuckWorkDetails
  }
}
    fragment StuckWorkDetails on StuckWork {
  count
  retryableCount
  groupCount
  groups {
    appId
    appName
    provider
    kind
    lastFailure {
      code
      message
    }
    count
    failedCount
    since
  }
}`) as unknown as TypedDocumentString<StuckWorkQuery, StuckWorkQueryVariables>;
export const JobDocument = new TypedDocumentString(`
    query Job($id: ID!) {
  job(id: $id) {
    ...JobDetails
  }
}
    fragment JobDetails on Job {
  id
  kind
  status
  appId
  appName
  tenantKey
  provider
  connectionId
  attemptId
  stuck
  stuckSince
  retryable
  tries
  lastFailure {
    code
    message
  }
  firstFailedAt
  nextTryAt
  givesUpAt
  failure {
    code
    message
  }
  creatorAction
  itemCount
  incompleteReason
  createdAt
  startedAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}`) as unknown as TypedDocumentString<JobQuery, JobQueryVariables>;
export const RetryJobDocument = new TypedDocumentString(`
    mutation RetryJob($id: ID!) {
  retryJob(id: $id) {
    ...JobDetails
  }
}
    fragment JobDetails on Job {
  id
  kind
  status
  appId
  appName
  tenantKey
  provider
  connectionId
  attemptId
  stuck
  stuckSince
  retryable
  tries
  lastFailure {
    code
    message
  }
  firstFailedAt
  nextTryAt
  givesUpAt
  failure {
    code
    message
  }
  creatorAction
  itemCount
  incompleteReason
  createdAt
  startedAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}`) as unknown as TypedDocumentString<RetryJobMutation, RetryJobMutationVariables>;
export const RetryJobsDocument = new TypedDocumentString(`
    mutation RetryJobs($filter: JobFilter!, $dryRun: Boolean) {
  retryJobs(filter: $filter, dryRun: $dryRun) {
    count
    failedCount
    more
  }
}
    `) as unknown as TypedDocumentString<RetryJobsMutation, RetryJobsMutationVariables>;
export const LiveStateDocument = new TypedDocumentString(`
    query LiveState($id: ID!) {
  liveState(id: $id) {
    workflowId
    state
    progress {
      step
      since
      tries
      lastFailure {
        code
        message
      }
      waitingFor
      waitingUntil
      done
      total
    }
    pendingActivities {
      name
      attempt
      lastFailureType
      nextTryAt
    }
    historyLength
    workerBuild
    failing
    disagreement
  }
}
    `) as unknown as TypedDocumentString<LiveStateQuery, LiveStateQueryVariables>;
export const MeDocument = new TypedDocumentString(`
    query Me {
  me {
    id
    label
    role
    expiresAt
  }
}
    `) as unknown as TypedDocumentString<MeQuery, MeQueryVariables>;
export const AuditLogDocument = new TypedDocumentString(`
    query AuditLog($filter: AuditFilter, $first: Int, $after: String) {
  auditLog(filter: $filter, first: $first, after: $after) {
    items {
      ...AuditEntryDetails
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    fragment AuditEntryDetails on AuditEntry {
  id
  happenedAt
  actor
  actorLabel
  action
  target
  related
  outcome
  correlationId
}`) as unknown as TypedDocumentString<AuditLogQuery, AuditLogQueryVariables>;
export const AuditChoicesDocument = new TypedDocumentString(`
    query AuditChoices {
  auditChoices {
    actors {
      actor
      actorLabel
    }
    actions
  }
}
    `) as unknown as TypedDocumentString<AuditChoicesQuery, AuditChoicesQueryVariables>;
export const AdminTokensDocument = new TypedDocumentString(`
    query AdminTokens {
  adminTokens {
    id
    label
    role
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    sessionOnly
  }
}
    `) as unknown as TypedDocumentString<AdminTokensQuery, AdminTokensQueryVariables>;
export const RevokeAdminTokenDocument = new TypedDocumentString(`
    mutation RevokeAdminToken($id: ID!) {
  revokeAdminToken(id: $id) {
    id
    revokedAt
  }
}
    `) as unknown as TypedDocumentString<RevokeAdminTokenMutation, RevokeAdminTokenMutationVariables>;
export const OverviewDocument = new TypedDocumentString(`
    query Overview {
  overview {
    at
    connections {
      provider
      status
      count
    }
    jobs {
      kind
      status
      count
    }
    openAttempts
    stuckRevokes
    oldestStuckRevokeAt
    stuckJobs
    oldestStuckJobAt
    outboxWaiting
    outboxOldestAt
    failingWorkflows
    failingWorkflowsUrl
    providers {
      provider
      openJobs
      failing {
        failure {
          code
          message
        }
        count
        since
      }
      succeededLastHour
      failedLastHour
      pausedRegistrations
      rejectedRegistrations
      spentRegistrations
    }
    expiringCredentialCount
  }
  stuckWork(first: 12) {
    ...StuckWorkDetails
  }
  revokes: jobs(filter: {stuck: true, kinds: [REVOKE, COMPENSATION]}, first: 5) {
    items {
      ...JobDetails
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  others: jobs(
    filter: {stuck: true, kinds: [SCAN, METRICS, LOOKUP, ERASE]}
    first: 5
  ) {
    items {
      ...JobDetails
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    fragment JobDetails on Job {
  id
  kind
  status
  appId
  appName
  tenantKey
  provider
  connectionId
  attemptId
  stuck
  stuckSince
  retryable
  tries
  lastFailure {
    code
    message
  }
  firstFailedAt
  nextTryAt
  givesUpAt
  failure {
    code
    message
  }
  creatorAction
  itemCount
  incompleteReason
  createdAt
  startedAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}
fragment StuckWorkDetails on StuckWork {
  count
  retryableCount
  groupCount
  groups {
    appId
    appName
    provider
    kind
    lastFailure {
      code
      message
    }
    count
    failedCount
    since
  }
}`) as unknown as TypedDocumentString<OverviewQuery, OverviewQueryVariables>;
export const EndedWorkDocument = new TypedDocumentString(`
    query EndedWork($period: WorkPeriod!, $appId: ID, $provider: SocialProvider) {
  endedWork(period: $period, appId: $appId, provider: $provider) {
    since
    before
    counts {
      at
      kind
      outcome
      message
      succeeded
      count
      rowsKept
    }
  }
}
    `) as unknown as TypedDocumentString<EndedWorkQuery, EndedWorkQueryVariables>;
export const AttentionDocument = new TypedDocumentString(`
    query Attention {
  troubledWebhookEndpoints(first: 20) {
    items {
      ...WebhookEndpointDetails
    }
    pageInfo {
      hasNextPage
    }
  }
  registrations {
    id
    provider
    label
    pausedAt
    rejectedAt
    doubtedAt
    connectionCount
    usage {
      day
      unitsUsed
      unitsAllowed
      unitsLeft
      spentUntil
    }
  }
  expiringCredentials(withinDays: 30) {
    kind
    id
    label
    appId
    expiresAt
    expired
  }
}
    fragment WebhookEndpointDetails on WebhookEndpoint {
  id
  appId
  appName
  url
  eventTypes
  enabled
  disabledReason
  disabledAt
  failingSince
  failures
  pausedUntil
  secrets {
    id
    createdAt
    retiresAt
  }
  createdAt
  workflowUrl
}`) as unknown as TypedDocumentString<AttentionQuery, AttentionQueryVariables>;
export const ErasureDocument = new TypedDocumentString(`
    query Erasure($id: ID!) {
  erasure(id: $id) {
    ...ErasureDetails
  }
}
    fragment JobDetails on Job {
  id
  kind
  status
  appId
  appName
  tenantKey
  provider
  connectionId
  attemptId
  stuck
  stuckSince
  retryable
  tries
  lastFailure {
    code
    message
  }
  firstFailedAt
  nextTryAt
  givesUpAt
  failure {
    code
    message
  }
  creatorAction
  itemCount
  incompleteReason
  createdAt
  startedAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}
fragment ErasureDetails on Erasure {
  id
  appId
  requestedAt
  completedAt
  connectionIds
  remaining
  jobs {
    ...JobDetails
  }
}`) as unknown as TypedDocumentString<ErasureQuery, ErasureQueryVariables>;
export const ErasuresDocument = new TypedDocumentString(`
    query Erasures($first: Int, $after: String) {
  erasures(first: $first, after: $after) {
    items {
      id
      appId
      appName
      requestedAt
      completedAt
      connectionCount
      remaining
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    `) as unknown as TypedDocumentString<ErasuresQuery, ErasuresQueryVariables>;
export const EraseSubjectDocument = new TypedDocumentString(`
    mutation EraseSubject($input: EraseSubjectInput!, $dryRun: Boolean) {
  eraseSubject(input: $input, dryRun: $dryRun) {
    connectionCount
    attemptCount
    keptTokenCount
    erasure {
      ...ErasureDetails
    }
  }
}
    fragment JobDetails on Job {
  id
  kind
  status
  appId
  appName
  tenantKey
  provider
  connectionId
  attemptId
  stuck
  stuckSince
  retryable
  tries
  lastFailure {
    code
    message
  }
  firstFailedAt
  nextTryAt
  givesUpAt
  failure {
    code
    message
  }
  creatorAction
  itemCount
  incompleteReason
  createdAt
  startedAt
  finishedAt
  correlationId
  workflowId
  workflowUrl
}
fragment ErasureDetails on Erasure {
  id
  appId
  requestedAt
  completedAt
  connectionIds
  remaining
  jobs {
    ...JobDetails
  }
}`) as unknown as TypedDocumentString<EraseSubjectMutation, EraseSubjectMutationVariables>;
export const ExportSubjectDocument = new TypedDocumentString(`
    mutation ExportSubject($input: ExportSubjectInput!, $after: String) {
  exportSubject(input: $input, after: $after) {
    rows
    endCursor
  }
}
    `) as unknown as TypedDocumentString<ExportSubjectMutation, ExportSubjectMutationVariables>;
export const ProofOfDeletionDocument = new TypedDocumentString(`
    query ProofOfDeletion($connectionId: ID!) {
  proofOfDeletion(connectionId: $connectionId) {
    connectionId
    document
    signature
  }
}
    `) as unknown as TypedDocumentString<ProofOfDeletionQuery, ProofOfDeletionQueryVariables>;
export const VerifyProofOfDeletionDocument = new TypedDocumentString(`
    query VerifyProofOfDeletion($document: String!, $signature: String!) {
  verifyProofOfDeletion(document: $document, signature: $signature)
}
    `) as unknown as TypedDocumentString<VerifyProofOfDeletionQuery, VerifyProofOfDeletionQueryVariables>;
export const RegistrationsDocument = new TypedDocumentString(`
    query Registrations {
  registrations {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<RegistrationsQuery, RegistrationsQueryVariables>;
export const RegistrationDocument = new TypedDocumentString(`
    query Registration($id: ID!) {
  registration(id: $id) {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<RegistrationQuery, RegistrationQueryVariables>;
export const CreateRegistrationDocument = new TypedDocumentString(`
    mutation CreateRegistration($input: CreateRegistrationInput!) {
  createRegistration(input: $input) {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<CreateRegistrationMutation, CreateRegistrationMutationVariables>;
export const RotateRegistrationSecretDocument = new TypedDocumentString(`
    mutation RotateRegistrationSecret($id: ID!, $clientSecret: String!, $secretExpiresAt: DateTime) {
  rotateRegistrationSecret(
    id: $id
    clientSecret: $clientSecret
    secretExpiresAt: $secretExpiresAt
  ) {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<RotateRegistrationSecretMutation, RotateRegistrationSecretMutationVariables>;
export const PauseRegistrationDocument = new TypedDocumentString(`
    mutation PauseRegistration($id: ID!, $dryRun: Boolean) {
  pauseRegistration(id: $id, dryRun: $dryRun) {
    connectionCount
    openJobCount
    registration {
      ...RegistrationDetails
    }
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<PauseRegistrationMutation, PauseRegistrationMutationVariables>;
export const ResumeRegistrationDocument = new TypedDocumentString(`
    mutation ResumeRegistration($id: ID!) {
  resumeRegistration(id: $id) {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<ResumeRegistrationMutation, ResumeRegistrationMutationVariables>;
export const RetryRegistrationDocument = new TypedDocumentString(`
    mutation RetryRegistration($id: ID!) {
  retryRegistration(id: $id) {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<RetryRegistrationMutation, RetryRegistrationMutationVariables>;
export const ClearSpentQuotaDocument = new TypedDocumentString(`
    mutation ClearSpentQuota($id: ID!) {
  clearSpentQuota(id: $id) {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<ClearSpentQuotaMutation, ClearSpentQuotaMutationVariables>;
export const AddCallbackSecretDocument = new TypedDocumentString(`
    mutation AddCallbackSecret($registrationId: ID!, $secret: String!, $idempotencyKey: String) {
  addCallbackSecret(
    registrationId: $registrationId
    secret: $secret
    idempotencyKey: $idempotencyKey
  ) {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<AddCallbackSecretMutation, AddCallbackSecretMutationVariables>;
export const RemoveCallbackSecretDocument = new TypedDocumentString(`
    mutation RemoveCallbackSecret($id: ID!) {
  removeCallbackSecret(id: $id) {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<RemoveCallbackSecretMutation, RemoveCallbackSecretMutationVariables>;
export const ServeAppDocument = new TypedDocumentString(`
    mutation ServeApp($registrationId: ID!, $appId: ID!) {
  serveApp(registrationId: $registrationId, appId: $appId) {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<ServeAppMutation, ServeAppMutationVariables>;
export const StopServingAppDocument = new TypedDocumentString(`
    mutation StopServingApp($registrationId: ID!, $appId: ID!, $dryRun: Boolean) {
  stopServingApp(registrationId: $registrationId, appId: $appId, dryRun: $dryRun) {
    connectionCount
    openJobCount
    registration {
      ...RegistrationDetails
    }
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<StopServingAppMutation, StopServingAppMutationVariables>;
export const IssuersDocument = new TypedDocumentString(`
    query Issuers {
  identityIssuers {
    ...IssuerDetails
  }
}
    fragment IssuerDetails on IdentityIssuer {
  id
  issuer
  clientId
  tokenAuthMethod
  createdAt
  secretSetAt
  secretExpiresAt
  redirectUri
}`) as unknown as TypedDocumentString<IssuersQuery, IssuersQueryVariables>;
export const CreateIssuerDocument = new TypedDocumentString(`
    mutation CreateIssuer($input: CreateIdentityIssuerInput!) {
  createIdentityIssuer(input: $input) {
    ...IssuerDetails
  }
}
    fragment IssuerDetails on IdentityIssuer {
  id
  issuer
  clientId
  tokenAuthMethod
  createdAt
  secretSetAt
  secretExpiresAt
  redirectUri
}`) as unknown as TypedDocumentString<CreateIssuerMutation, CreateIssuerMutationVariables>;
export const RotateIssuerSecretDocument = new TypedDocumentString(`
    mutation RotateIssuerSecret($id: ID!, $clientSecret: String!, $secretExpiresAt: DateTime) {
  rotateIdentityIssuerSecret(
    id: $id
    clientSecret: $clientSecret
    secretExpiresAt: $secretExpiresAt
  ) {
    ...IssuerDetails
  }
}
    fragment IssuerDetails on IdentityIssuer {
  id
  issuer
  clientId
  tokenAuthMethod
  createdAt
  secretSetAt
  secretExpiresAt
  redirectUri
}`) as unknown as TypedDocumentString<RotateIssuerSecretMutation, RotateIssuerSecretMutationVariables>;
export const SetDailyQuotaDocument = new TypedDocumentString(`
    mutation SetDailyQuota($id: ID!, $units: Int) {
  setDailyQuota(id: $id, units: $units) {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<SetDailyQuotaMutation, SetDailyQuotaMutationVariables>;
export const SetRegistrationPermissionsDocument = new TypedDocumentString(`
    mutation SetRegistrationPermissions($id: ID!, $permissions: [String!]) {
  setRegistrationPermissions(id: $id, permissions: $permissions) {
    ...RegistrationDetails
  }
}
    fragment RegistrationDetails on Registration {
  id
  provider
  label
  clientId
  createdAt
  secretSetAt
  secretExpiresAt
  pausedAt
  rejectedAt
  doubtedAt
  permissions {
    name
    isAsked
    isNeeded
  }
  capabilities
  usage {
    day
    unitsUsed
    unitsAllowed
    unitsLeft
    spentUntil
  }
  connectionCount
  redirectUri
  callbackUrls {
    enteredAs
    url
  }
  apps {
    appId
    name
    since
    unitsUsed
    quotaPercent
    unitsAllowed
  }
  callbackSecrets {
    id
    createdAt
  }
}`) as unknown as TypedDocumentString<SetRegistrationPermissionsMutation, SetRegistrationPermissionsMutationVariables>;
export const UnknownAnswersDocument = new TypedDocumentString(`
    query UnknownAnswers($first: Int, $after: String) {
  unknownAnswers(first: $first, after: $after) {
    items {
      id
      provider
      request
      status
      code
      text
      madeOfIt
      times
      firstSeenAt
      lastSeenAt
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    `) as unknown as TypedDocumentString<UnknownAnswersQuery, UnknownAnswersQueryVariables>;
export const DismissUnknownAnswerDocument = new TypedDocumentString(`
    mutation DismissUnknownAnswer($id: ID!) {
  dismissUnknownAnswer(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<DismissUnknownAnswerMutation, DismissUnknownAnswerMutationVariables>;
export const WebhookEventTypesDocument = new TypedDocumentString(`
    query WebhookEventTypes {
  webhookEventTypes {
    name
    description
  }
}
    `) as unknown as TypedDocumentString<WebhookEventTypesQuery, WebhookEventTypesQueryVariables>;
export const WebhookEndpointsDocument = new TypedDocumentString(`
    query WebhookEndpoints($appId: ID!) {
  webhookEndpoints(appId: $appId) {
    ...WebhookEndpointDetails
  }
}
    fragment WebhookEndpointDetails on WebhookEndpoint {
  id
  appId
  appName
  url
  eventTypes
  enabled
  disabledReason
  disabledAt
  failingSince
  failures
  pausedUntil
  secrets {
    id
    createdAt
    retiresAt
  }
  createdAt
  workflowUrl
}`) as unknown as TypedDocumentString<WebhookEndpointsQuery, WebhookEndpointsQueryVariables>;
export const WebhookEndpointDocument = new TypedDocumentString(`
    query WebhookEndpoint($id: ID!) {
  webhookEndpoint(id: $id) {
    ...WebhookEndpointDetails
  }
}
    fragment WebhookEndpointDetails on WebhookEndpoint {
  id
  appId
  appName
  url
  eventTypes
  enabled
  disabledReason
  disabledAt
  failingSince
  failures
  pausedUntil
  secrets {
    id
    createdAt
    retiresAt
  }
  createdAt
  workflowUrl
}`) as unknown as TypedDocumentString<WebhookEndpointQuery, WebhookEndpointQueryVariables>;
export const WebhookDeliveriesDocument = new TypedDocumentString(`
    query WebhookDeliveries($filter: WebhookDeliveryFilter, $first: Int, $after: String) {
  webhookDeliveries(filter: $filter, first: $first, after: $after) {
    items {
      ...WebhookDeliveryDetails
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    fragment WebhookDeliveryDetails on WebhookDelivery {
  id
  eventId
  eventType
  occurredAt
  endpointId
  appId
  connectionId
  status
  tries
  nextTryAt
  lastHttpStatus
  lastFailure {
    code
    message
  }
  lastTriedAt
}`) as unknown as TypedDocumentString<WebhookDeliveriesQuery, WebhookDeliveriesQueryVariables>;
export const CreateWebhookEndpointDocument = new TypedDocumentString(`
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    endpoint {
      ...WebhookEndpointDetails
    }
    secret
  }
}
    fragment WebhookEndpointDetails on WebhookEndpoint {
  id
  appId
  appName
  url
  eventTypes
  enabled
  disabledReason
  disabledAt
  failingSince
  failures
  pausedUntil
  secrets {
    id
    createdAt
    retiresAt
  }
  createdAt
  workflowUrl
}`) as unknown as TypedDocumentString<CreateWebhookEndpointMutation, CreateWebhookEndpointMutationVariables>;
export const ChangeWebhookEndpointDocument = new TypedDocumentString(`
    mutation ChangeWebhookEndpoint($id: ID!, $url: String, $eventTypes: [String!]) {
  changeWebhookEndpoint(id: $id, url: $url, eventTypes: $eventTypes) {
    ...WebhookEndpointDetails
  }
}
    fragment WebhookEndpointDetails on WebhookEndpoint {
  id
  appId
  appName
  url
  eventTypes
  enabled
  disabledReason
  disabledAt
  failingSince
  failures
  pausedUntil
  secrets {
    id
    createdAt
    retiresAt
  }
  createdAt
  workflowUrl
}`) as unknown as TypedDocumentString<ChangeWebhookEndpointMutation, ChangeWebhookEndpointMutationVariables>;
export const DisableWebhookEndpointDocument = new TypedDocumentString(`
    mutation DisableWebhookEndpoint($id: ID!) {
  disableWebhookEndpoint(id: $id) {
    ...WebhookEndpointDetails
  }
}
    fragment WebhookEndpointDetails on WebhookEndpoint {
  id
  appId
  appName
  url
  eventTypes
  enabled
  disabledReason
  disabledAt
  failingSince
  failures
  pausedUntil
  secrets {
    id
    createdAt
    retiresAt
  }
  createdAt
  workflowUrl
}`) as unknown as TypedDocumentString<DisableWebhookEndpointMutation, DisableWebhookEndpointMutationVariables>;
export const EnableWebhookEndpointDocument = new TypedDocumentString(`
    mutation EnableWebhookEndpoint($id: ID!) {
  enableWebhookEndpoint(id: $id) {
    ...WebhookEndpointDetails
  }
}
    fragment WebhookEndpointDetails on WebhookEndpoint {
  id
  appId
  appName
  url
  eventTypes
  enabled
  disabledReason
  disabledAt
  failingSince
  failures
  pausedUntil
  secrets {
    id
    createdAt
    retiresAt
  }
  createdAt
  workflowUrl
}`) as unknown as TypedDocumentString<EnableWebhookEndpointMutation, EnableWebhookEndpointMutationVariables>;
export const RemoveWebhookEndpointDocument = new TypedDocumentString(`
    mutation RemoveWebhookEndpoint($id: ID!) {
  removeWebhookEndpoint(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<RemoveWebhookEndpointMutation, RemoveWebhookEndpointMutationVariables>;
export const RotateWebhookSecretDocument = new TypedDocumentString(`
    mutation RotateWebhookSecret($id: ID!, $idempotencyKey: String) {
  rotateWebhookSecret(id: $id, idempotencyKey: $idempotencyKey) {
    endpoint {
      ...WebhookEndpointDetails
    }
    secret
  }
}
    fragment WebhookEndpointDetails on WebhookEndpoint {
  id
  appId
  appName
  url
  eventTypes
  enabled
  disabledReason
  disabledAt
  failingSince
  failures
  pausedUntil
  secrets {
    id
    createdAt
    retiresAt
  }
  createdAt
  workflowUrl
}`) as unknown as TypedDocumentString<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>;
export const RetireWebhookSecretDocument = new TypedDocumentString(`
    mutation RetireWebhookSecret($id: ID!, $secretId: ID!, $afterHours: Int) {
  retireWebhookSecret(id: $id, secretId: $secretId, afterHours: $afterHours) {
    ...WebhookEndpointDetails
  }
}
    fragment WebhookEndpointDetails on WebhookEndpoint {
  id
  appId
  appName
  url
  eventTypes
  enabled
  disabledReason
  disabledAt
  failingSince
  failures
  pausedUntil
  secrets {
    id
    createdAt
    retiresAt
  }
  createdAt
  workflowUrl
}`) as unknown as TypedDocumentString<RetireWebhookSecretMutation, RetireWebhookSecretMutationVariables>;
export const SendTestWebhookDocument = new TypedDocumentString(`
    mutation SendTestWebhook($id: ID!) {
  sendTestWebhook(id: $id) {
    ...WebhookDeliveryDetails
  }
}
    fragment WebhookDeliveryDetails on WebhookDelivery {
  id
  eventId
  eventType
  occurredAt
  endpointId
  appId
  connectionId
  status
  tries
  nextTryAt
  lastHttpStatus
  lastFailure {
    code
    message
  }
  lastTriedAt
}`) as unknown as TypedDocumentString<SendTestWebhookMutation, SendTestWebhookMutationVariables>;
export const RedeliverWebhookDocument = new TypedDocumentString(`
    mutation RedeliverWebhook($id: ID!) {
  redeliverWebhook(id: $id) {
    ...WebhookDeliveryDetails
  }
}
    fragment WebhookDeliveryDetails on WebhookDelivery {
  id
  eventId
  eventType
  occurredAt
  endpointId
  appId
  connectionId
  status
  tries
  nextTryAt
  lastHttpStatus
  lastFailure {
    code
    message
  }
  lastTriedAt
}`) as unknown as TypedDocumentString<RedeliverWebhookMutation, RedeliverWebhookMutationVariables>;
export const RedeliverWebhooksDocument = new TypedDocumentString(`
    mutation RedeliverWebhooks($id: ID!, $since: DateTime!, $failedOnly: Boolean) {
  redeliverWebhooks(id: $id, since: $since, failedOnly: $failedOnly) {
    count
    continueAt
  }
}
    `) as unknown as TypedDocumentString<RedeliverWebhooksMutation, RedeliverWebhooksMutationVariables>;

/** The least role that each operation takes. */
export const LEAST_ROLES = {
  me: 'VIEWER',
  service: 'VIEWER',
  overview: 'VIEWER',
  endedWork: 'VIEWER',
  apps: 'VIEWER',
  app: 'VIEWER',
  tenants: 'VIEWER',
  registrations: 'VIEWER',
  registration: 'VIEWER',
  unknownAnswers: 'VIEWER',
  identityIssuers: 'VIEWER',
  connections: 'VIEWER',
  connection: 'VIEWER',
  attempts: 'VIEWER',
  attempt: 'VIEWER',
  jobs: 'VIEWER',
  stuckWork: 'VIEWER',
  job: 'VIEWER',
  liveState: 'VIEWER',
  bulkDisconnect: 'VIEWER',
  bulkDisconnects: 'VIEWER',
  erasure: 'VIEWER',
  webhookEventTypes: 'VIEWER',
  webhookEndpoints: 'VIEWER',
  troubledWebhookEndpoints: 'VIEWER',
  webhookEndpoint: 'VIEWER',
  webhookDeliveries: 'VIEWER',
  webhookDelivery: 'VIEWER',
  erasures: 'VIEWER',
  find: 'VIEWER',
  proofOfDeletion: 'VIEWER',
  verifyProofOfDeletion: 'VIEWER',
  expiringCredentials: 'VIEWER',
  auditLog: 'VIEWER',
  auditChoices: 'VIEWER',
  adminTokens: 'ADMIN',
  createApp: 'ADMIN',
  changeApp: 'ADMIN',
  disableApp: 'OPERATOR',
  enableApp: 'OPERATOR',
  issueKey: 'ADMIN',
  changeKey: 'ADMIN',
  revokeKey: 'OPERATOR',
  addTenant: 'ADMIN',
  removeTenant: 'ADMIN',
  addReturnUrl: 'ADMIN',
  removeReturnUrl: 'ADMIN',
  addLaunchOrigin: 'ADMIN',
  removeLaunchOrigin: 'ADMIN',
  setBranding: 'ADMIN',
  setLogo: 'ADMIN',
  removeLogo: 'ADMIN',
  setPolicy: 'ADMIN',
  setIdentity: 'ADMIN',
  createRegistration: 'ADMIN',
  rotateRegistrationSecret: 'ADMIN',
  pauseRegistration: 'OPERATOR',
  resumeRegistration: 'OPERATOR',
  retryRegistration: 'OPERATOR',
  clearSpentQuota: 'OPERATOR',
  setDailyQuota: 'ADMIN',
  setRegistrationPermissions: 'ADMIN',
  dismissUnknownAnswer: 'OPERATOR',
  addCallbackSecret: 'ADMIN',
  removeCallbackSecret: 'ADMIN',
  serveApp: 'ADMIN',
  stopServingApp: 'ADMIN',
  createIdentityIssuer: 'ADMIN',
  rotateIdentityIssuerSecret: 'ADMIN',
  createWebhookEndpoint: 'ADMIN',
  changeWebhookEndpoint: 'ADMIN',
  disableWebhookEndpoint: 'OPERATOR',
  enableWebhookEndpoint: 'OPERATOR',
  removeWebhookEndpoint: 'ADMIN',
  rotateWebhookSecret: 'ADMIN',
  retireWebhookSecret: 'ADMIN',
  sendTestWebhook: 'OPERATOR',
  redeliverWebhook: 'OPERATOR',
  redeliverWebhooks: 'OPERATOR',
  retryJob: 'OPERATOR',
  retryJobs: 'OPERATOR',
  cancelAttempt: 'OPERATOR',
  disconnectConnection: 'OPERATOR',
  disconnectAll: 'ADMIN',
  eraseSubject: 'OPERATOR',
  exportSubject: 'ADMIN',
  setRefreshPolicy: 'ADMIN',
  setRefreshShare: 'ADMIN',
  revokeAdminToken: 'ADMIN',
} as const;
