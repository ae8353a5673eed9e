import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';

/** A second copy of the contract's types: a change of the schema must change this, too. */
export const ENUMS = {
  SocialProvider: 'PROVIDER_A PROVIDER_B PROVIDER_C',
  Capability: 'PROFILE CONTENT_LIST CONTENT_LOOKUP CONTENT_METRICS',
  Availability: 'AVAILABLE UNSUPPORTED NOT_GRANTED UNAVAILABLE',
  MetricName: 'VIEWS LIKES COMMENTS SHARES',
  ContentKind: 'VIDEO IMAGE CAROUSEL UNKNOWN',
  ConnectCreatorAction: 'REMOVE_APP_AT_PROVIDER',
  ConnectSessionStatus: 'CREATED AUTHORIZING EXCHANGING COMPLETED DENIED FAILED EXPIRED CANCELED',
  ConnectionStatus: 'CONNECTED SUSPENDED RECONNECT_REQUIRED DISCONNECTED DELETING',
  SyncStatus: 'PENDING RUNNING READY PARTIAL STALE FAILED',
  JobStatus: 'QUEUED RUNNING SUCCEEDED FAILED CANCELED',
  IdpIdentityStatus: 'PENDING COMPLETED DENIED FAILED EXPIRED',
};
export const INPUTS = {
  SubjectScope: 'tenantKey: String!, externalSubjectId: String!',
  ConnectInput:
    'scope: SubjectScope!, provider: SocialProvider!, capabilities: [Capability!]!, returnUrl: String!, reconnectConnectionId: ID',
  IdpIdentityInput: 'tenantKey: String!, returnUrl: String!',
  SyncWindow: 'publishedAfter: DateTime!, publishedBefore: DateTime!, maxItems: Int = 100',
  ContentWindow: 'publishedAfter: DateTime!, publishedBefore: DateTime!, first: Int!, after: String',
};
export const OBJECTS = {
  ApiStatus: 'ok: Boolean!, message: String!',
  IntegrationReadiness: 'providers: [ProviderReadiness!]!, idpIdentityAvailable: Boolean!',
  ProviderReadiness: 'provider: String!, available: Boolean!',
  ConnectSession: 'id: ID!, launchUrl: String!, launchToken: String!, expiresAt: DateTime!, resultExpiresAt: DateTime!',
  ConnectSessionResult:
    'id: ID!, provider: SocialProvider!, status: ConnectSessionStatus!, resultCode: String, connectionId: ID, creatorAction: ConnectCreatorAction, expiresAt: DateTime!, resultExpiresAt: DateTime!',
  IdpIdentitySession:
    'id: ID!, launchUrl: String!, launchToken: String!, resultProof: String!, expiresAt: DateTime!, resultExpiresAt: DateTime!',
  IdpIdentityResult:
    'status: IdpIdentityStatus!, issuer: String, idpSub: String, email: String, emailVerified: Boolean, name: String, pictureUrl: String',
  Connection:
    'id: ID!, provider: SocialProvider!, providerAccountId: String!, status: ConnectionStatus!, syncStatus: SyncStatus!, capabilities: [CapabilityState!]!, profile: Profile, lastSuccessfulSyncAt: DateTime, nextRetryAt: DateTime',
  CapabilityState: 'capability: Capability!, availability: Availability!, reason: String',
  Profile:
    'providerAccountId: String!, displayName: String, handle: String, avatarUrl: String, profileUrl: String, description: String, observedAt: DateTime!',
  MetricObservation:
    'name: MetricName!, value: DecimalCount, availability: Availability!, reason: String, sourceField: String, observedAt: DateTime!',
  ContentItem:
    'id: ID!, providerContentId: String!, provider: SocialProvider!, kind: ContentKind!, canonicalUrl: String, thumbnailUrl: String, title: String, description: String, publishedAt: DateTime, availability: Availability!, reason: String, observedAt: DateTime!, metrics: [MetricObservation!]!',
  PageInfo: 'endCursor: String, hasNextPage: Boolean!, completeForWindow: Boolean!, incompleteReason: String',
  ContentPage: 'items: [ContentItem!]!, pageInfo: PageInfo!, lastSuccessfulSyncAt: DateTime',
  ConnectionPageInfo: 'endCursor: String, hasNextPage: Boolean!',
  ConnectionPage: 'items: [Connection!]!, pageInfo: ConnectionPageInfo!',
  SyncJob:
    'id: ID!, status: JobStatus!, nextRetryAt: DateTime, errorCode: String, creatorAction: ConnectCreatorAction, resultProviderContentId: String, completeForWindow: Boolean, incompleteReason: String, continuationCursor: String',
  DisconnectResult:
    'accepted: Boolean!, connectionId: ID!, upstreamRevocationPending: Boolean!, revokeJobId: ID!, eraseJobId: ID!',
  Query: [
    'status: ApiStatus!',
    'integrationReadiness: IntegrationReadiness!',
    'connectSessionResult(scope: SubjectScope!, id: ID!): ConnectSessionResult!',
    'connection(scope: SubjectScope!, id: ID!): Connection!',
    'connections(scope: SubjectScope!, first: Int = 20, after: String): ConnectionPage!',
    'content(scope: SubjectScope!, connectionId: ID!, window: ContentWindow!): ContentPage!',
    'contentItem(scope: SubjectScope!, connectionId: ID!, providerContentId: String!): ContentItem',
    'syncJob(scope: SubjectScope!, connectionId: ID!, id: ID!): SyncJob!',
  ].join(', '),
  Mutation: [
    'createConnectSession(input: ConnectInput!): ConnectSession!',
    'createIdpIdentitySession(input: IdpIdentityInput!): IdpIdentitySession!',
    'redeemIdpIdentityResult(id: ID!, tenantKey: String!, resultProof: String!): IdpIdentityResult!',
    'disconnectConnection(scope: SubjectScope!, connectionId: ID!): DisconnectResult!',
    'requestRefresh(scope: SubjectScope!, connectionId: ID!, providerContentId: String, window: SyncWindow, continuationCursor: String): SyncJob!',
    'requestContentLookup(scope: SubjectScope!, connectionId: ID!, url: String!): SyncJob!',
  ].join(', '),
};

const input = ({ name, type, defaultValue }: GraphQLArgument | GraphQLInputField) =>
  `${name}: ${type}${defaultValue === undefined ? '' : ` = ${JSON.stringify(defaultValue)}`}`;

/** A type of a schema in the notation of the tables above; undefined for kinds that they do not contain. */
export function signatureOf(type: GraphQLNamedType | undefined): string | undefined {
  if (isEnumType(type)) {
    return type
      .getValues()
      .map(({ name }) => name)
      .join(' ');
  }
  if (isInputObjectType(type)) return Object.values(type.getFields()).map(input).join(', ');
  if (!isObjectType(type)) return undefined;
  return Object.values(type.getFields())
    .map(({ name, args, type: of }) => `${name}${args.length > 0 ? `(${args.map(input).join(', ')})` : ''}: ${of}`)
    .join(', ');
}
