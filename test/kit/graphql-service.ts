import { createHash } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { type FastPaths, fastPaths } from '../../src/api/fast/fast-paths.ts';
import { createAppAccess } from '../../src/api/graphql/authorization.ts';
import type { GraphqlOptions } from '../../src/api/graphql/contract.ts';
import { createGraphql } from '../../src/api/graphql/graphql.ts';
import { callersSchema } from '../../src/api/graphql/schema-texts.ts';
import type { ShedLimits } from '../../src/api/graphql/shedder.ts';
import { createHttpApp, type HttpOptions, startServer } from '../../src/api/http/server.ts';
import { Turns } from '../../src/api/http/turns.ts';
import { ServiceError } from '../../src/basics/errors.ts';
import type { AppId, KeyId } from '../../src/basics/ids.ts';
import { isFast } from './fast-paths.ts';
import { keepLog } from './keep-log.ts';

export const KEY_ID = '2f8a5c1e-4a4b-4d57-9c5f-0d6f6b1f3a10' as KeyId;
export const SECRET = 'ab'.repeat(32);
export const AUTHORIZATION = `Bearer ${KEY_ID}.${SECRET}`;
/** Secrets in errors and arguments of fake resolvers. They must not appear anywhere. */
export const PRIVATE = 'private-7d1c';

export type KeyOwner = NonNullable<Awaited<ReturnType<Parameters<typeof createAppAccess>[0]>>>;

export const owner = (changes: Partial<KeyOwner> = {}): KeyOwner => ({
  appId: '5b0e1a52-6f0f-4f0c-9a53-5f2f3c3e2b11' as AppId,
  name: 'Demo',
  enabled: true,
  requestsPerSecond: 500,
  secretSha256: createHash('sha256').update(SECRET).digest(),
  usable: true,
  ...changes,
});

/** Root fields of the real schema that answer without a database. */
export const resolvers = {
  Query: {
    status: () => ({ ok: true, message: 'It works.' }),
    integrationReadiness: () => ({ providers: [], idpIdentityAvailable: false }),
    connectSessionResult: () => Promise.reject(new ServiceError('FORBIDDEN', 'Not yours.')),
    connection: () => Promise.reject(new ServiceError('NOT_FOUND', 'No such connection.')),
    connections: (_root: unknown, args: object) => ({
      items: [],
      pageInfo: { endCursor: JSON.stringify(args), hasNextPage: false },
    }),
    content: () => ({ items: [{}], pageInfo: { hasNextPage: false, completeForWindow: false } }),
    contentItem: () => null,
    syncJob: () => Promise.reject(new Error(`${PRIVATE} in a message`)),
  },
  Mutation: {
    createConnectSession: () => Promise.reject(new ServiceError('BAD_USER_INPUT', 'returnUrl is not registered.')),
    createIdpIdentitySession: () =>
      Promise.reject(new ServiceError('RATE_LIMITED', 'Too many.', { retryAfterSeconds: 60 })),
    redeemIdpIdentityResult: () => ({ status: PRIVATE }),
    disconnectConnection: () => Promise.reject(PRIVATE),
    requestRefresh: () => ({}),
    requestContentLookup: () => ({}),
  },
};

export interface Options extends Partial<HttpOptions> {
  /** Replaces the lookup of keys. */
  authorize?: GraphqlOptions['authorize'];
  findKeyOwner?: (keyId: KeyId) => Promise<KeyOwner | undefined>;
  noteUse?: (keyId: KeyId) => void;
  resolvers?: GraphqlOptions['resolvers'];
  answerWithinMs?: number;
  shed?: ShedLimits;
  /** Those of the run by default; see `fast-paths.ts`. */
  fast?: Partial<FastPaths>;
}

/** The api over real HTTP on a free port. Everything behind it is fake. */
export async function startService(options: Options = {}) {
  const { log, lines } = keepLog();
  const fast = options.fast ?? (isFast ? fastPaths : {});
  const turns = {
    queries: new Turns({ running: 8, waiting: 200 }),
    mutations: new Turns({ running: 8, waiting: 200 }),
  };
  const graphql = createGraphql({
    endpoint: '/graphql',
    typeDefs: callersSchema,
    resolvers: options.resolvers ?? resolvers,
    open: ['status'],
    createFast: fast.createFast,
    ...(options.answerWithinMs !== undefined && { answerWithinMs: options.answerWithinMs }),
    ...(options.authorize === undefined
      ? createAppAccess(options.findKeyOwner ?? (async () => owner()), turns, {
          noteUse: options.noteUse,
          limits: options.shed,
          createGuess: fast.createGuess,
        })
      : { authorize: options.authorize }),
  });
  const app = createHttpApp({
    log,
    trustedProxies: 0,
    graphql: { '/graphql': graphql },
    schemas: { '/schema.graphql': callersSchema },
    unready: async () => [],
    ...options,
  });
  const server = await startServer(app, { host: '127.0.0.1', port: 0, answerDirectly: fast.answerDirectly });
  const url = `http://127.0.0.1:${server.port}`;
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: AUTHORIZATION, ...headers },
    });
  return {
    url,
    lines,
    post,
    close: (graceMs = 0) => server.close(graceMs),
    /** Sends a document. @returns the parsed answer. */
    async ask(query: string, options: { variables?: object; headers?: Record<string, string> } = {}): Promise<Answer> {
      const response = await post(JSON.stringify({ query, variables: options.variables }), options.headers);
      const body = (await response.json()) as Answer['body'];
      return { status: response.status, headers: response.headers, body };
    },
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** The same for all tests of a file or group. */
export function useService(options: Options = {}): Omit<Service, 'close'> {
  let service: Service;
  beforeAll(async () => {
    service = await startService(options);
  });
  afterAll(() => service.close());
  return {
    get url() {
      return service.url;
    },
    get lines() {
      return service.lines;
    },
    post: (...request) => service.post(...request),
    ask: (...request) => service.ask(...request),
  };
}

export interface Answer {
  status: number;
  headers: Headers;
  body: {
    data?: Record<string, unknown> | null;
    errors?: {
      message: string;
      path?: unknown[];
      locations?: unknown[];
      extensions: { code: string; correlationId: string; retryAfterSeconds?: number };
    }[];
  };
}

export const codesOf = ({ body }: Answer) => body.errors?.map(({ extensions }) => extensions.code);
export const messagesOf = ({ body }: Answer) => body.errors?.map(({ message }) => message) ?? [];
