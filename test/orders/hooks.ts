import type { Http } from '../../src/providers/http.ts';
import type { Database } from '../../src/store/sql.ts';
import { findFiber, Killed, never } from './fibers.ts';

/** A statement of the driver: it calls its handler when somebody awaits it. */
interface Query {
  handler(query: Query): void;
  then: Promise<unknown>['then'];
}
const isQuery = (value: unknown): value is Query =>
  value instanceof Promise && typeof (value as Partial<Query>).handler === 'function';

export interface Watch {
  /** Tells each statement of a fiber, and each transaction's end. */
  statement(text: string): void;
  /** Called when a fiber is about to call a platform, with nothing run in between since its last statement. */
  aboutToCall(call: { readonly where: string; readonly url: string; readonly body: string }): Promise<void>;
}

/** Puts a gate before each statement outside a transaction, before each transaction and before each commit. */
export function hookDatabase(sql: Database, watch: Watch): Database {
  const gated = (text: string, query: Query): Query => {
    const fiber = findFiber();
    if (fiber === undefined) return query;
    const send = query.handler;
    query.handler = (self) => {
      const go = fiber.gate(text).then(() => {
        watch.statement(text);
        void fiber.during(
          () =>
            Promise.prototype.then.call(
              self,
              () => undefined,
              () => undefined,
            ) as Promise<undefined>,
        );
        send(self);
      });
      go.catch(() => undefined); // Its process died: the statement is never sent, and nobody gets an answer.
    };
    return query;
  };
  const inside = (query: Query, text: string): Query => {
    const fiber = findFiber();
    if (fiber === undefined) return query;
    const send = query.handler;
    query.handler = (self) => {
      watch.statement(text);
      void fiber.during(
        () =>
          Promise.prototype.then.call(
            self,
            () => undefined,
            () => undefined,
          ) as Promise<undefined>,
      );
      send(self);
    };
    return query;
  };
  const wrap = (target: Database, on: (query: Query, text: string) => Query): Database =>
    new Proxy(target, {
      apply: (callee, self, args) => {
        const made: unknown = Reflect.apply(callee as never, self, args);
        return isQuery(made) ? on(made, describe(args)) : made;
      },
      get: (callee, name) => {
        const value: unknown = Reflect.get(callee, name);
        if (name === 'begin') return begin;
        if (name === 'unsafe') {
          return (...args: readonly [string]) => {
            const made: unknown = Reflect.apply(value as never, callee, args);
            return isQuery(made) ? on(made, summarize(args[0])) : made;
          };
        }
        return value;
      },
    });
  async function begin(work: (tx: Database) => Promise<unknown>): Promise<unknown> {
    const fiber = findFiber();
    if (fiber === undefined) return await sql.begin(work as never);
    try {
      await fiber.gate('begin');
      return await sql.begin((async (tx: Database) => {
        const result = await work(wrap(tx, inside));
        await fiber.gate('commit');
        watch.statement('commit');
        return result;
      }) as never);
    } catch (error) {
      if (error instanceof Killed || fiber.isDead) return await never();
      throw error;
    }
  }
  return wrap(sql, (query, text) => gated(text, query));
}

/** Puts a gate before each call to a platform, and before its answer. */
export function hookHttp(http: Http, watch: Watch): Http {
  const around = async <T>(where: string, url: string, body: string, send: () => Promise<T>): Promise<T> => {
    const fiber = findFiber();
    if (fiber === undefined) return await send();
    await watch.aboutToCall({ where, url, body });
    try {
      await fiber.gate(`call ${where}`);
      const answer = await fiber.during(send);
      await fiber.gate(`answer ${where}`);
      return answer;
    } catch (error) {
      if (error instanceof Killed || fiber.isDead) return await never();
      throw error;
    }
  };
  return {
    ...http,
    request: async ({ call, ...request }) => {
      const { quotaUnits = 0, cannotWait = false } = request;
      const permit = await call.admit({ quotaUnits, cannotWait });
      const admitted = { ...call, admit: async () => permit };
      const body = request.form === undefined ? '' : new URLSearchParams(request.form).toString();
      return await around(request.where, request.url, body, () => http.request({ ...request, call: admitted }));
    },
    fetch: async (url, options) =>
      await around(`IDP ${new URL(url).pathname}`, url, String(options?.body ?? ''), () => http.fetch(url, options)),
  };
}

const describe = (args: readonly unknown[]): string => {
  const [first, ...values] = args as [TemplateStringsArray, ...unknown[]];
  return summarize(first.map((part, index) => part + nested(values[index])).join(' '));
};

/** A fragment's own text. */
const nested = (value: unknown): string => {
  const { strings } = (value ?? {}) as { strings?: readonly string[] };
  return strings === undefined ? '' : strings.join(' ');
};

/** The statement's verb and its first table; all of its tables stand behind, for the footprint. */
function summarize(text: string): string {
  const plain = text
    .replace(/--[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  const tables = [...plain.matchAll(/\b(?:from|join|into|update|of) (?:only )?([a-z_]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'set' && name !== 'select');
  const writes = [...plain.matchAll(/\b(insert into|update|delete from) ([a-z_]+)/g)].filter(
    ([, , name]) => name !== 'of' && name !== 'set',
  );
  const [write] = writes;
  if (write) return `${write[1]?.split(' ')[0]} ${[...new Set(writes.map(([, , name]) => name))].join(', ')}`;
  return `${plain.includes('for update') || plain.includes('for no key') ? 'lock' : 'read'} ${[...new Set(tables)].slice(0, 4).join(', ')}`;
}
