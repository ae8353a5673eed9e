import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { createAdmin } from '../../../src/api/admin/admin.ts';
import { createLogoRoutes } from '../../../src/api/connect/logo.ts';
import { createConnectRoutes } from '../../../src/api/connect/routes.ts';
import type { Graphql } from '../../../src/api/graphql/contract.ts';
import { createHttpApp } from '../../../src/api/http/server.ts';
import { createPlatformRoutes } from '../../../src/api/platform-callbacks/routes.ts';
import { createLog } from '../../../src/basics/log.ts';

const KIB = 1024;
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'GET', 'HEAD'];

/** The longest body that each route accepts, in bytes. Other routes accept none. */
const LIMITS: Readonly<Record<string, number>> = {
  'POST /graphql': 64 * KIB,
  'POST /api/admin/graphql': 64 * KIB,
  'POST /api/admin/session': KIB,
  'POST /api/connect/redeem': 4 * KIB,
  'POST /api/identity/redeem': 4 * KIB,
  'POST /api/platform/x/x/x': 16 * KIB,
};

/** No request in this file reaches a database, except requests without a body. */
const NOTHING = { sql: () => Promise.reject(new Error('No database.')) } as never;
const answer: Graphql = async () => ({ status: 200, contentType: 'text/plain', body: 'answered' });

/** Creates the app from the same parts as the process does. */
function createWholeApp() {
  const admin = createAdmin(NOTHING, {
    secure: false,
    openId: { signIn: NOTHING, clock: NOTHING, roles: {}, adminUrl: 'http://admin.test' },
  });
  return createHttpApp({
    log: createLog('silent'),
    trustedProxies: 0,
    unready: async () => [],
    graphql: { '/graphql': answer, ...admin.graphql },
    schemas: { '/schema.graphql': '', ...admin.schemas },
    pages: [
      ...admin.pages,
      createLogoRoutes(NOTHING),
      createConnectRoutes(NOTHING),
      createPlatformRoutes(NOTHING),
      new Hono(),
    ],
  });
}

/** Sends an endless body in chunks of 1 KiB. @returns the status, and the number of bytes that the app read. */
async function sendEndless(app: ReturnType<typeof createWholeApp>, method: string, path: string) {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken > 1_000 * KIB) throw new Error('The app reads without end.');
        taken += KIB;
        controller.enqueue(new Uint8Array(KIB).fill(32));
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method, ...(['GET', 'HEAD'].includes(method) ? {} : { body, duplex: 'half' }) };
  const request = new Request(`http://api.test${path}`, init);
  const response = await app.fetch(request, { incoming: { socket: {} } } as never);
  return { status: response.status, taken };
}

describe('every route of the api', () => {
  const app = createWholeApp();
  const paths = [...new Set(app.routes.map(({ path }) => path.replaceAll(/:\w+/g, 'x').replaceAll('*', 'x')))];

  test('is listed here', () => {
    for (const route of Object.keys(LIMITS)) expect(paths).toContain(route.split(' ')[1]);
    expect(paths.length).toBeGreaterThan(15);
  });

  test.each(paths.flatMap((path) => METHODS.map((method) => `${method} ${path}`)))(
    '%s reads no more of a body than its limit',
    async (route) => {
      const [method = '', path = ''] = route.split(' ');
      const limit = LIMITS[route];
      const { status, taken } = await sendEndless(app, method, path);
      // The app reads one chunk past the limit to see that there is more.
      expect({ taken, tooLarge: status === 413 }).toEqual(
        limit === undefined ? { taken: 0, tooLarge: false } : { taken: limit + KIB, tooLarge: true },
      );
    },
  );
});
