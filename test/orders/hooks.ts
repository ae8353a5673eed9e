import type { Http } from '../../src/providers/http.ts';
import type { Database } from '../kit/postgres.ts';
import { type Fiber, findFiber, Killed, never } from './fibers.ts';
import { type Access, accessOf, type Schema } from './footprints.ts';

/** A statement of the driver: it calls its handler when it is awaited. */
interface Query {
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
  handler(query: Query): void;
  then: Promise<unknown>['then'];
}
const isQuery = (value: unknown): value is Query =>
  value instanceof Promise && typeof (value as Partial<Query>).handler === 'function';

export interface Watch {
  /** Reports each statement of a fiber, and each transaction's end. */
  statement(text: string): void;
  /** Called when a fiber is about to call a platform, with nothing run in between since its last statement. */
  aboutToCall(call: { readonly where: string; readonly url: string; readonly body: string }): Promise<void>;
  schema(): Schema;
}

/** Puts a gate before each statement outside a transaction, before each transaction and before each commit. */
export function hookDatabase(sql: Database, watch: Watch): Database {
  /** Sends the statement when `mayGo`, and counts it as long as Postgres works on it. */
  const send = (fiber: Fiber, query: Query, text: string, mayGo: (() => Promise<void>) | undefined): Access => {
    const access = accessOf(text, watch.schema());
    const handler = query.handler;
    query.handler = (self) => {
      const go = () => {
        watch.statement(summarize(access));
        fiber.note(access, mayGo !== undefined && access.writes.length > 0);
        void fiber.during(async () => await Promise.prototype.then.call(self, nothing, nothing));
        handler(self);
      };
      if (mayGo === undefined) go();
      else mayGo().then(go).catch(nothing); // Its process died: the statement is never sent, and gets no answer.
    };
    return access;
  };
  const alone = (query: Query, text: string): void => {
    const fiber = findFiber();
    if (fiber === undefined) return;
    send(fiber, query, text, () => fiber.gate(summarize(accessOf(text, watch.schema()))));
  };
  const wrap = (target: Database, on: (query: Query, text: string) => void): Database =>
    new Proxy(target, {
      apply: (callee, self, args) => {
        const made: unknown = Reflect.apply(callee as never, self, args);
        if (isQuery(made)) on(made, textOf(made));
        return made;
      },
      get: (callee, name) => {
        const value: unknown = Reflect.get(callee, name);
        if (name === 'begin') return begin;
        if (name === 'unsafe') {
          return (...args: readonly [string]) => {
            const made: unknown = Reflect.apply(value as never, callee, args);
            if (isQuery(made)) on(made, args[0]);
            return made;
          };
        }
        return value;
      },
    });
  async function begin(work: (tx: Database) => Promise<unknown>): Promise<unknown> {
    const fiber = findFiber();
    if (fiber === undefined) return await sql.begin(work as never);
    const done: Access[] = [];
    const inside = (query: Query, text: string) => void done.push(send(fiber, query, text, undefined));
    try {
      await fiber.gate('begin');
      return await sql.begin((async (tx: Database) => {
        const result = await work(wrap(tx, inside));
        await fiber.gate('commit');
        // Here others see its rows, and its locks are released.
        for (const access of done) fiber.note(access, access.writes.length > 0);
        watch.statement('commit');
        return result;
      }) as never);
    } catch (error) {
      if (error instanceof Killed || fiber.isDead) return await never();
      throw error;
    }
  }
  return wrap(sql, alone);
}

const nothing = () => undefined;

/** Puts a gate before each call to a platform, and before its answer. */
export function hookHttp(http: Http, watch: Watch): Http {
  const around = async <T>(where: string, url: string, body: string, send: () => Promise<T>): Promise<T> => {
    const fiber = findFiber();
    if (fiber === undefined) return await send();
    await watch.aboutToCall({ where, url, body });
    try {
      await fiber.gate(`call ${where}`);
      fiber.note({ reads: ['platform'], writes: /token|revoke/.test(url) ? ['platform'] : [] }, true);
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
    post: async (request) => await around('webhook', request.url, request.body, () => http.post(request)),
    fetch: async (url, options) =>
      await around(`IDP ${new URL(url).pathname}`, url, String(options?.body ?? ''), () => http.fetch(url, options)),
  };
}

/** A statement's text, with that of its fragments. */
const textOf = ({ strings, args }: Query): string =>
  strings.map((part, index) => (isQuery(args[index]) ? `${part} ${textOf(args[index])} ` : `${part} `)).join('');

/** What it does to which tables. */
const summarize = ({ reads, writes }: Access): string =>
  writes.length > 0 ? `change ${writes.join(', ')}` : `read ${reads.slice(0, 4).join(', ')}`;
