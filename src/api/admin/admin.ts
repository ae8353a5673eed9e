import type { Hono } from 'hono';
import type { GraphqlOptions } from '../graphql/contract.ts';
import { createGraphql } from '../graphql/graphql.ts';
import type { Limits } from '../graphql/limits.ts';
import { adminSchema } from '../graphql/schema-texts.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { FailureDelay } from '../http/failure-delay.ts';
import type { HttpOptions } from '../http/server.ts';
import { createAdminAuthenticator } from './authenticator.ts';
import { BUILT_CONSOLE, createConsoleRoutes, type Installation } from './console.ts';
import type { AdminDeps } from './context.ts';
import { guardOperations } from './guard-operations.ts';
import { createOpenIdRoutes, type OpenIdOptions } from './open-id.ts';
import { OperatorLimits } from './operator-limits.ts';
import { Mutation, Query } from './resolvers/index.ts';
import { createSessionRoutes } from './session.ts';
import { SignInThrottle } from './sign-in-throttle.ts';

const ENDPOINT = '/api/admin/graphql';

/** Twice the cost of introspection, and enough for a console page in one request. */
const LIMITS: Limits = {
  operations: 1,
  aliases: 40,
  aliasLength: 64,
  depth: 16,
  cost: 500,
  tokens: 2_000,
  fragments: 50,
  lines: 1_000,
};

/** Operators wait for long lists and for acts on many rows. */
const ANSWER_WITHIN_MS = 30_000;

/** If an address sends wrong tokens or sessions faster than this, further answers wait. */
const WRONG_TOKENS = { rate: { perSecond: 0.5, burst: 20 }, delayMs: 2_000, maxWaiting: 50 };

/**
 * Creates the operators' part of a listener: GraphQL, its schema, browser sessions, and the console.
 * @param options.secure true if browsers connect over https.
 * @param options.openId how operators sign in without a token, if configured.
 * @param options.consoleFolder the folder of the built console; the build's own by default.
 * @param options.installation the name of this installation, for the console.
 * @param options.mayServe refuses every operation while the database may not serve.
 * @param options.delays delays the answers to wrong tokens and sessions.
 * @param options.operatorLimits bounds what one token can ask.
 * @param options.createFast see `GraphqlOptions`.
 */
export function createAdmin(
  deps: AdminDeps,
  {
    secure,
    openId,
    consoleFolder = BUILT_CONSOLE,
    installation = { name: undefined, color: 'gray' },
    delays = new FailureDelay(WRONG_TOKENS),
    mayServe = () => undefined,
    operatorLimits = new OperatorLimits(deps.sql),
    createFast,
  }: {
    secure: boolean;
    openId?: OpenIdOptions | undefined;
    consoleFolder?: string;
    installation?: Installation;
    delays?: FailureDelay;
    mayServe?: () => void;
    operatorLimits?: OperatorLimits;
    createFast?: GraphqlOptions['createFast'];
  },
): Pick<HttpOptions, 'graphql' | 'schemas'> & { readonly pages: readonly Hono<HttpEnv>[] } {
  const signInThrottle = new SignInThrottle(deps.sql);
  const authenticator = createAdminAuthenticator({ sql: deps.sql, secure, delays }, signInThrottle);
  const graphql = createGraphql({
    endpoint: ENDPOINT,
    typeDefs: adminSchema,
    resolvers: guardOperations({ Query, Mutation }, operatorLimits),
    open: [],
    limits: LIMITS,
    answerWithinMs: ANSWER_WITHIN_MS,
    shared: deps,
    createFast,
    authorize: async ({ exchange, headers }) => {
      mayServe();
      const actor = await authenticator.request(headers, exchange);
      exchange.callerId = actor.tokenId;
      return { actor };
    },
  });
  return {
    graphql: { [ENDPOINT]: graphql },
    schemas: { '/api/admin/schema.graphql': adminSchema },
    pages: [
      createSessionRoutes({ sql: deps.sql, authenticator, signInThrottle, secure, openId: openId !== undefined }),
      ...(openId === undefined ? [] : [createOpenIdRoutes({ ...deps, signInThrottle, secure }, openId)]),
      createConsoleRoutes(consoleFolder, installation),
    ],
  };
}
