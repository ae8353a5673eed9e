import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  buildSchema,
  defaultFieldResolver,
  GraphQLError,
  type GraphQLFieldResolver,
  graphql,
  isLeafType,
  isNonNullType,
} from 'graphql';

const SCHEMA = buildSchema(readFileSync(path.join(import.meta.dirname, '..', '..', 'schema.graphql'), 'utf8'));

/** Answers one root field from its arguments, or throws `refusal`. */
type Answer = (args: never) => unknown;

export interface Call {
  readonly field: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly authorization: string | null;
}

export const CORRELATION_ID = 'a1b2c3d4-0000-4000-8000-000000000001';

/** An error as the service sends it. */
export const refusal = (code: string, more: { retryAfterSeconds?: number } = {}) =>
  new GraphQLError('The service says why.', { extensions: { code, correlationId: CORRELATION_ID, ...more } });

export const CONNECTION = 'c0ffee00-0000-4000-8000-000000000001';

/** A connection that has been read. */
export const newAccount = (changes: object = {}) => ({
  id: CONNECTION,
  provider: 'PROVIDER_B',
  status: 'CONNECTED',
  syncStatus: 'READY',
  providerAccountId: 'open-id-1',
  lastSuccessfulSyncAt: inMinutes(0),
  nextRetryAt: null,
  capabilities: ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'].map((capability) => ({
    capability,
    availability: 'AVAILABLE',
    reason: null,
  })),
  profile: { displayName: 'Harbour Kitchen', handle: 'harbour', avatarUrl: null, profileUrl: null, description: null },
  ...changes,
});

export const newJob = (changes: object) => ({
  id: 'job-1',
  nextRetryAt: null,
  errorCode: null,
  creatorAction: null,
  resultProviderContentId: null,
  completeForWindow: null,
  incompleteReason: null,
  continuationCursor: null,
  ...changes,
});

/** Fills the required fields that an answer leaves out. */
const resolveField: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) => {
  const value = defaultFieldResolver(source, args, context, info);
  const isMissing = value === undefined && isNonNullType(info.returnType) && isLeafType(info.returnType.ofType);
  if (!isMissing) return value;
  if (info.returnType.toString() === 'Boolean!') return false;
  return info.returnType.toString() === 'DateTime!' ? inMinutes(0) : info.fieldName;
};

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/**
 * A fake of the service. It checks operations against the real schema, answers from `answers`, which tests replace, and
 * records every call.
 */
export class FakeService {
  readonly url = 'https://accounts.example/graphql';
  readonly calls: Call[] = [];
  /** Every launch token and proof that it has issued. */
  readonly launchTokens: string[] = [];
  readonly proofs: string[] = [];
  readonly answers: Record<string, Answer> = {
    integrationReadiness: () => ({
      providers: ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'].map((provider) => ({ provider, available: true })),
      idpIdentityAvailable: true,
    }),
    createIdpIdentitySession: () => {
      const resultProof = randomBytes(32).toString('hex');
      this.proofs.push(resultProof);
      return { ...this.newLaunch('identity'), resultProof };
    },
    createConnectSession: () => this.newLaunch('connect'),
    connections: () => ({ items: [], pageInfo: { endCursor: null, hasNextPage: false } }),
  };

  /** The id given out last, by flow. */
  readonly lastIds = new Map<'connect' | 'identity', string>();
  /** Where browsers post launch tokens to. */
  connectUrl = 'https://connect.example';

  newLaunch(flow: 'connect' | 'identity') {
    const launchToken = randomBytes(32).toString('hex');
    this.launchTokens.push(launchToken);
    const id = randomUUID();
    this.lastIds.set(flow, id);
    return {
      id,
      launchUrl: `${this.connectUrl}/api/${flow}/redeem`,
      launchToken,
      expiresAt: inMinutes(10),
      resultExpiresAt: inMinutes(20),
    };
  }

  callsOf(field: string): readonly Call[] {
    return this.calls.filter((call) => call.field === field);
  }

  /** In the place of the network. */
  readonly fetch: typeof fetch = async (url, init) => {
    if (String(url) !== this.url || init?.method !== 'POST') return new Response('Not found.', { status: 404 });
    const { query, variables } = JSON.parse(String(init.body)) as { query: string; variables: Record<string, unknown> };
    const authorization = new Headers(init.headers).get('authorization');
    const rootValue = Object.fromEntries(
      Object.entries(this.answers).map(([field, answer]) => [
        field,
        (args: Readonly<Record<string, unknown>>) => {
          this.calls.push({ field, args, authorization });
          return answer(args as never);
        },
      ]),
    );
    const result = await graphql({
      schema: SCHEMA,
      source: query,
      variableValues: variables,
      rootValue,
      fieldResolver: resolveField,
    });
    return Response.json(result);
  };
}
