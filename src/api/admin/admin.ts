import type { Hono } from 'hono';
import { schemaText } from '../../generated/admin-schema.ts';
import { createGraphql } from '../graphql/graphql.ts';
import type { Limits } from '../graphql/limits.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { FailureDelay } from '../http/failure-delay.ts';
import type { HttpOptions } from '../http/server.ts';
import { createAdminAuthenticator } from './authenticator.ts';
import { BUILT_CONSOLE, createConsoleRoutes } from './console.ts';
import type { AdminDeps } from './context.ts';
import { guardOperations } from './guard-operations.ts';
import { createOpenIdRoutes, type OpenIdOptions } from './open-id.ts';
import { Mutation, Query } from './resolvers/index.ts';
import { createSessionRoutes } from './session.ts';
import { SignInThrottle } from './sign-in-throttle.ts';

const ENDPOINT = '/api/admin/graphql';

/** Twice what introspection takes, and a console page in one request. */
const LIMITS: Limits = { operations: 1, aliases: 40, depth: 16, cost: 500, tokens: 2_000, lines: 1_000 };

/** Of wrong tokens and sessions: one address's answers beyond this rate wait. */
const WRONG_TOKENS = { rate: { perSecond: 0.5, burst: 20 }, delayMs: 2_000, maxWaiting: 50 };

/**
 * What operators use, to be put on a listener: GraphQL, its schema, sessions for browsers, and the console.
 * @param options.secure whether browsers come over https.
 * @param options.openId how operators sign in without a token, where they may.
 * @param options.consoleFolder of the built console, where that is not the build's own.
 * @param options.delays of answers to wrong tokens and sessions.
 */
export function createAdmin(
  deps: AdminDeps,
  {
    secure,
    openId,
    consoleFolder = BUILT_CONSOLE,
    delays = new FailureDelay(WRONG_TOKENS),
  }: { secure: boolean; openId?: OpenIdOptions | undefined; consoleFolder?: string; delays?: FailureDelay },
): Pick<HttpOptions, 'graphql' | 'schemas'> & { readonly pages: readonly Hono<HttpEnv>[] } {
  const strangers = new SignInThrottle(deps.sql);
  const authenticator = createAdminAuthenticator({ sql: deps.sql, secure, delays }, strangers);
  const graphql = createGraphql({
    endpoint: ENDPOINT,
    typeDefs: schemaText,
    resolvers: guardOperations({ Query, Mutation }),
    open: [],
    limits: LIMITS,
    authorize: async (_authorization, exchange, headers) => ({
      ...deps,
      actor: await authenticator.request(headers, exchange),
    }),
  });
  return {
    graphql: { [ENDPOINT]: graphql },
    schemas: { '/api/admin/schema.graphql': schemaText },
    pages: [
      createSessionRoutes({ sql: deps.sql, authenticator, strangers, secure, openId: openId !== undefined }),
      ...(openId === undefined ? [] : [createOpenIdRoutes({ ...deps, strangers, secure }, openId)]),
      createConsoleRoutes(consoleFolder),
    ],
  };
}
