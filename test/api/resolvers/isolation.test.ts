import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../../src/basics/ids.ts';
import { insertTenant } from '../../../src/store/apps/tenants.ts';
import { moveConnection } from '../../../src/store/connections/connections.ts';
import { eraseConnection } from '../../../src/store/connections/disconnects.ts';
import { type Database, inTransaction } from '../../../src/store/driver/sql.ts';
import type { SubjectScope } from '../../../src/store/scopes.ts';
import { callerOf, createDeps } from '../../kit/caller.ts';
import { Refusal, type RootField } from '../../kit/graphql.ts';
import { test } from '../../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection, seedContent } from '../../kit/seed.ts';

const WINDOW = { publishedAfter: '2030-01-01T00:00:00Z', publishedBefore: '2030-01-08T00:00:00Z' };

/** Records the text of each statement. */
function noted<Tag extends object>(sql: Tag, statements: string[]): Tag {
  return new Proxy(sql, {
    apply(target, self, args) {
      const [strings] = args as [TemplateStringsArray];
      if (Array.isArray(strings) && 'raw' in strings) statements.push(strings.join('?').replace(/\s+/g, ' ').trim());
      return Reflect.apply(target as never, self, args);
    },
    get(target, key) {
      const value = Reflect.get(target, key) as unknown;
      if (typeof value !== 'function') return value;
      if (key === 'unsafe') {
        return (text: string, ...args: unknown[]) => {
          statements.push(text);
          return Reflect.apply(value, target, [text, ...args]);
        };
      }
      if (key !== 'begin') return value;
      return (...args: unknown[]) => {
        const work = args.pop() as (tx: object) => Promise<unknown>;
        statements.push(['begin', ...args].join(' '));
        return Reflect.apply(value, target, [...args, (tx: object) => work(noted(tx, statements))]);
      };
    },
  });
}

/** The data of one subject: a connection, a job of it, and a Connect attempt. */
interface Belongings {
  readonly connectionId: string;
  readonly jobId: string;
  readonly attemptId: string;
}

async function own(sql: Database, seeded: SeededApp, scope: SubjectScope): Promise<Belongings> {
  const call = callerOf(await createDeps(sql), seeded);
  const connectionId = await seedConnection(sql, seeded, { scope });
  await seedContent(sql, connectionId, { providerContentId: 'post', publishedAt: new Date() });
  const { id: jobId } = await call('requestRefresh', { scope, connectionId, window: WINDOW });
  const input = { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl: seeded.returnUrl };
  const { id: attemptId } = await call('createConnectSession', { input });
  return { connectionId, jobId, attemptId };
}

async function erase(sql: Database, seeded: SeededApp, scope: SubjectScope, { connectionId }: Belongings) {
  const call = callerOf(await createDeps(sql), seeded);
  await call('disconnectConnection', { scope, connectionId });
  await inTransaction(sql, async (tx) => {
    await moveConnection(tx, connectionId as ConnectionId, 'DELETING');
    await eraseConnection(tx, connectionId as ConnectionId);
  });
}

/** Every operation on a subject's data. */
const REQUESTS: readonly (readonly [string, RootField, (of: Belongings) => object])[] = [
  ['connection', 'connection', ({ connectionId: id }) => ({ id })],
  ['content', 'content', ({ connectionId }) => ({ connectionId, window: { ...WINDOW, first: 1 } })],
  [
    'content with a cursor',
    'content',
    ({ connectionId }) => ({ connectionId, window: { ...WINDOW, first: 1, after: 'x' } }),
  ],
  ['contentItem', 'contentItem', ({ connectionId }) => ({ connectionId, providerContentId: 'post' })],
  ['a scan', 'requestRefresh', ({ connectionId }) => ({ connectionId, window: WINDOW })],
  ['a continued scan', 'requestRefresh', ({ connectionId }) => ({ connectionId, continuationCursor: 'x' })],
  ['metrics', 'requestRefresh', ({ connectionId }) => ({ connectionId, providerContentId: 'post' })],
  ['a lookup', 'requestContentLookup', ({ connectionId }) => ({ connectionId, url: 'https://platform.example/post' })],
  ['a job', 'syncJob', ({ connectionId, jobId: id }) => ({ connectionId, id })],
  ['an attempt', 'connectSessionResult', ({ attemptId: id }) => ({ id })],
  ['a disconnect', 'disconnectConnection', ({ connectionId }) => ({ connectionId })],
];

describe('data of another subject', () => {
  test('gets the answer of a missing row, by the same statements', async ({ sql }) => {
    const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
    const scope = seeded.newScope();
    const tenantKey = `tenant-${randomUUID()}`;
    await insertTenant(sql, seeded.app.appId, tenantKey);
    await own(sql, seeded, scope);
    const erased = await own(sql, seeded, scope);
    await erase(sql, seeded, scope, erased);
    const foreign: Record<string, Belongings> = {
      'never was': { connectionId: randomUUID(), jobId: randomUUID(), attemptId: randomUUID() },
      'no id of ours': { connectionId: 'x', jobId: '1', attemptId: "' or true --" },
      "another app's": await own(sql, other, { ...scope, tenantKey: other.tenantKey }),
      "another tenant's": await own(sql, seeded, { ...scope, tenantKey }),
      "another subject's": await own(sql, seeded, seeded.newScope()),
      erased: { ...erased, attemptId: randomUUID() },
    };

    const statements: string[] = [];
    const { deps } = await createDeps(sql);
    const call = callerOf({ deps: { ...deps, sql: noted(deps.sql, statements) } }, seeded);
    const ask = async (asking: SubjectScope, field: RootField, variables: object) => {
      statements.length = 0;
      const refusal = await call(field, { scope: asking, ...variables }).then(
        () => expect.fail(`${field} was answered`),
        (error: unknown) => error,
      );
      if (!(refusal instanceof Refusal)) throw refusal;
      return { code: refusal.code, message: refusal.message, statements: [...statements] };
    };

    for (const [what, field, variables] of REQUESTS) {
      await ask(scope, field, variables(foreign['never was'] as Belongings)); // The first use also prints some statements.
      const missing = await ask(scope, field, variables(foreign['never was'] as Belongings));
      expect(missing.code, what).toBe('NOT_FOUND');
      expect(missing.statements.length, what).toBeGreaterThan(0);
      for (const [whose, belongings] of Object.entries(foreign)) {
        expect(await ask(scope, field, variables(belongings)), `${what}, ${whose}`).toEqual(missing);
        // Earlier activity of the caller makes no difference.
        expect(await ask(seeded.newScope(), field, variables(belongings)), `${what}, ${whose}`).toEqual(missing);
      }
    }
  });
});
