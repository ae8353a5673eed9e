import { createHash, randomBytes } from 'node:crypto';
import { createAdmin } from '../../src/api/admin/admin.ts';
import type { AdminDeps } from '../../src/api/admin/context.ts';
import { OperatorLimits } from '../../src/api/admin/operator-limits.ts';
import { formatSessionCookie } from '../../src/api/admin/session-cookie.ts';
import { createTemporalUi } from '../../src/api/admin/temporal-ui.ts';
import { fastPaths } from '../../src/api/fast/fast-paths.ts';
import { FailureDelay } from '../../src/api/http/failure-delay.ts';
import { createHttpApp } from '../../src/api/http/server.ts';
import { ADMIN_ROLES, type AdminRole } from '../../src/domain/rules/roles.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { insertAdminSession, insertAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { createDeps } from './caller.ts';
import { documentOf, OPERATIONS, type SchemaOperation } from './every-operation.ts';
import { isFast } from './fast-paths.ts';
import { type Answer, Refusal } from './graphql.ts';
import { keepLog } from './keep-log.ts';
import { ofTheMoment } from './of-the-moment.ts';
import { test } from './postgres.ts';
import { type SeededApp, seedApp } from './seed.ts';

export { type Answer, Refusal, refusalOf } from './graphql.ts';

export const ORIGIN = 'http://admin.test';
const TEMPORAL_UI_URL = 'http://temporal.test';

const HOUR_MS = 3_600_000;
/** The number of wrong credentials per address before delays start. Delays here take no time and are counted. */
const DELAYED = { rate: { perSecond: 0.5, burst: 20 }, delayMs: 2_000, maxWaiting: 50 };

/** The complete admin API, and tokens of every role. */
export type TestAdmin = Awaited<ReturnType<typeof createTestAdmin>>;

/** Sends requests with a token. @throws Refusal with the first error of the answer. */
export interface Operator {
  (document: string, variables?: object): Promise<Answer>;
  /** Runs one operation of the schema. @returns these fields of its answer */
  run(name: string, args: Readonly<Record<string, unknown>>, fields?: string): Promise<Answer>;
}

export async function createTestAdmin(
  sql: Database,
  options: Parameters<typeof createDeps>[1] = {},
  more: Partial<AdminDeps> = {},
  operatorLimits = new OperatorLimits(sql),
) {
  const { deps: shared, deliveryRequests } = await createDeps(sql, options);
  const deps: AdminDeps = {
    ...shared,
    temporalUi: createTemporalUi(TEMPORAL_UI_URL, 'default'),
    askWorkflow: async () => ({ state: 'NOT_KNOWN' }),
    testIssuer: async () => undefined,
    countFailing: async () => null,
    askWorkers: async () => ({ state: 'NOT_KNOWN', seenAt: null }),
    maskNames: false,
    ...more,
  };
  const { log, lines } = keepLog();
  let delayed = 0;
  const app = createHttpApp({
    log,
    trustedProxies: 1,
    unready: async () => [],
    ...createAdmin(deps, {
      secure: false,
      delays: new FailureDelay({ ...DELAYED, wait: async () => void delayed++ }),
      operatorLimits,
      createFast: isFast ? fastPaths.createFast : undefined,
    }),
  });
  const newToken = (role: AdminRole, expiresAt = new Date(Date.now() + HOUR_MS)) =>
    insertAdminToken(sql, { label: `A ${role}`, role, expiresAt });
  const tokens = new Map<AdminRole, string>();
  for (const role of ADMIN_ROLES) tokens.set(role, (await newToken(role)).token);
  /** Sends any request. */
  const send = async (path: string, { address = '10.0.0.1', headers, ...init }: RequestInit & { address?: string }) => {
    const request = new Request(`${ORIGIN}${path}`, {
      ...init,
      headers: { host: new URL(ORIGIN).host, 'x-forwarded-for': address, ...(headers as Record<string, string>) },
    });
    return await app.fetch(request, { incoming: { socket: {} } } as never);
  };
  /** Sends a request with a credential. @returns the whole answer. */
  const ask = async (query: string, variables: object, headers: Readonly<Record<string, string>>): Promise<Answer> => {
    const response = await send('/api/admin/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN, ...headers },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as Answer;
  };
  /** @returns the cookie of a session with a token of its own, whose sign-in was an hour ago. */
  const oldSession = async (role: AdminRole): Promise<string> => {
    const secret = randomBytes(32).toString('base64url');
    const sessionSha256 = createHash('sha256').update(secret).digest();
    await insertAdminSession(sql, { tokenId: (await newToken(role)).tokenId, sessionSha256, isProven: true });
    await sql`update admin_session set proven_at = proven_at - interval '1 hour' where session_sha256 = ${sessionSha256}`;
    return formatSessionCookie(secret, false).split(';')[0] ?? '';
  };
  return {
    deps,
    ask,
    oldSession,
    /** Opens secrets with the key of the api. */
    openEdge: shared.openEdge,
    /** The log, one JSON line each. */
    lines,
    deliveryRequests,
    /** The number of delayed answers. */
    delayed: () => delayed,
    send,
    newToken,
    as: (role: AdminRole): Operator => {
      const send = async (document: string, variables: object = {}) => {
        const { data, errors } = await ask(document, variables, { authorization: `Bearer ${tokens.get(role)}` });
        if (errors) throw new Refusal(errors[0]);
        return data;
      };
      const run: Operator['run'] = async (name, args, fields = 'id') => {
        const operation = OPERATIONS.find((one) => one.name === name);
        const passed = operation?.field.args.filter((arg) => arg.name in args);
        if (passed?.length !== Object.keys(args).length)
          throw new Error(`The schema has no ${name} with these arguments.`);
        return (await send(documentOf(operation as SchemaOperation, passed, fields), args))[name];
      };
      return Object.assign(send, { run });
    },
  };
}

/** The admin API of all tests of a file, and an operator. */
export function useAdmin(role: AdminRole = 'ADMIN'): { readonly admin: TestAdmin; readonly operator: Operator } {
  let opened: TestAdmin | undefined;
  test.beforeEach(async ({ database }) => {
    opened ??= await createTestAdmin(database.sql);
  });
  const admin = ofTheMoment(() => opened as TestAdmin);
  return { admin, operator: ofTheMoment(() => admin.as(role)) };
}

/** A new app for each test of a file. */
export function useApp(): SeededApp {
  let seeded: SeededApp | undefined;
  test.beforeEach(async ({ database }) => {
    seeded = await seedApp(database.sql);
  });
  return ofTheMoment(() => seeded as SeededApp);
}
