import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputField,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../../src/errors.ts';
import { schemaText } from '../../../src/generated/schema.ts';

/** The contract, written down a second time: what changes the schema has to change this, too. */
const ENUMS = {
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
const INPUTS = {
  SubjectScope: 'tenantKey: String!, externalSubjectId: String!',
  ConnectInput:
    'scope: SubjectScope!, provider: SocialProvider!, capabilities: [Capability!]!, returnUrl: String!, reconnectConnectionId: ID',
  IdpIdentityInput: 'tenantKey: String!, returnUrl: String!',
  SyncWindow: 'publishedAfter: DateTime!, publishedBefore: DateTime!, maxItems: Int = 100',
  ContentWindow: 'publishedAfter: DateTime!, publishedBefore: DateTime!, first: Int!, after: String',
};
const OBJECTS = {
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

const schema = buildSchema(schemaText);
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

const input = ({ name, type, defaultValue }: GraphQLArgument | GraphQLInputField) =>
  `${name}: ${type}${defaultValue === undefined ? '' : ` = ${JSON.stringify(defaultValue)}`}`;
const named = (entries: [string, string][]) => Object.fromEntries(entries);

describe('the schema is the contract: not one more, not one less', () => {
  test('scalars', () => {
    expect(
      types
        .filter(isScalarType)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['DateTime', 'DecimalCount']);
  });

  test('enums', () => {
    const found = types.filter(isEnumType).map((type): [string, string] => [
      type.name,
      type
        .getValues()
        .map(({ name }) => name)
        .join(' '),
    ]);
    expect(named(found)).toEqual(ENUMS);
  });

  test('inputs', () => {
    const found = types
      .filter(isInputObjectType)
      .map((type): [string, string] => [type.name, Object.values(type.getFields()).map(input).join(', ')]);
    expect(named(found)).toEqual(INPUTS);
  });

  test('types, operations and their arguments', () => {
    const found = types.filter(isObjectType).map((type): [string, string] => [
      type.name,
      Object.values(type.getFields())
        .map(({ name, args, type: of }) => `${name}${args.length > 0 ? `(${args.map(input).join(', ')})` : ''}: ${of}`)
        .join(', '),
    ]);
    expect(named(found)).toEqual(OBJECTS);
  });

  test('nothing else', () => {
    const known = [isScalarType, isEnumType, isInputObjectType, isObjectType];
    expect(types.filter((type) => !known.some((is) => is(type)))).toEqual([]);
    expect(schema.getSubscriptionType()).toBeUndefined();
    expect(
      schema
        .getDirectives()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['deprecated', 'include', 'oneOf', 'skip', 'specifiedBy']);
  });
});

test('everything is described', () => {
  const nameless = types.flatMap((type) => {
    const members = isEnumType(type)
      ? type.getValues()
      : isObjectType(type) || isInputObjectType(type)
        ? Object.values(type.getFields())
        : [];
    const args = isObjectType(type) ? Object.values(type.getFields()).flatMap((field) => [...field.args]) : [];
    return [type, ...members, ...args].flatMap(({ name, description }) =>
      description ? [] : [`${type.name}.${name}`],
    );
  });
  expect(nameless).toEqual([]);
});

test('every code a caller can meet is described, and no other', () => {
  const roots = [schema, schema.getQueryType(), schema.getMutationType()];
  const fields = roots.flatMap((root) => (root && 'getFields' in root ? Object.values(root.getFields()) : []));
  const text = [schema.description, ...fields.map(({ description }) => description?.split('Codes:')[1])].join('\n');
  const named = new Set([...text.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code));
  expect([...named].sort()).toEqual([...ERROR_CODES].sort());
});
