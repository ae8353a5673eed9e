import fc from 'fast-check';
import { expect } from 'vitest';
import type { SweepKind } from '../../src/basics/sweeps.ts';
import type { User } from '../kit/at-work.ts';
import type { Page } from '../kit/browser.ts';
import { type Answer, Refusal } from '../kit/graphql.ts';
import { lastDays, PERMISSIONS } from '../kit/person.ts';
import {
  type Attempt,
  type Connection,
  DAY,
  HOUR,
  type Job,
  MINUTE,
  type Model,
  type Person,
  PROVIDERS,
  type Provider,
  type Reading,
} from './model.ts';
import type { Stage } from './stage.ts';

/** The service and the people of one sequence, with the ids behind the model's attempts, connections and jobs. */
export interface Real {
  readonly stage: Stage;
  readonly people: readonly [User, User];
  /** Two accounts at each platform, by number. */
  readonly accounts: Readonly<Record<Provider, readonly string[]>>;
  readonly sessions: Map<Attempt, Answer>;
  readonly consents: Map<Attempt, Page>;
  /** In the order in which the model knows them. */
  readonly connectionIds: Map<Connection, string>;
  readonly jobIds: Map<Job, string>;
  readonly windows: Map<number, ReturnType<typeof lastDays>>;
  startedAt: number;
  steps: number;
}

type Command = fc.AsyncCommand<Model, Real, false>;

const PATIENCE_MS = Number(process.env.MODEL_PATIENCE_MS ?? 15_000);
const PAUSE_MS = 40;

async function read(asked: Promise<Answer>, show: (answer: Answer) => Reading): Promise<Reading> {
  return await asked.then(show, (error: unknown) => {
    if (error instanceof Refusal) return error.code;
    throw error;
  });
}

const isOpen = (status: string) => status === 'QUEUED' || status === 'RUNNING';

const userOf = (real: Real, person: Person): User => real.people[person];
const idOf = (real: Real, connection: Connection): string => real.connectionIds.get(connection) ?? '';

async function readJob(real: Real, job: Job): Promise<Reading> {
  const connectionId = idOf(real, job.connection);
  const id = real.jobIds.get(job) ?? '';
  return await read(
    userOf(real, job.connection.person).job(connectionId, id),
    ({ status, errorCode, creatorAction }) =>
      isOpen(status) ? { status: 'OPEN' } : { status, errorCode, creatorAction },
  );
}

async function readAttempt(model: Model, real: Real, attempt: Attempt): Promise<Reading> {
  const { id } = real.sessions.get(attempt);
  return await read(userOf(real, attempt.person).result(id), ({ status, resultCode, creatorAction, connectionId }) => {
    const index = model.connections.findIndex((one) => idOf(real, one) === connectionId);
    // A connection that the model has but whose id was not seen yet.
    if (connectionId !== null && index < 0 && attempt.connection !== null && idOf(real, attempt.connection) === '') {
      real.connectionIds.set(attempt.connection, connectionId);
      return { status, resultCode, creatorAction, connection: model.connections.indexOf(attempt.connection) };
    }
    return { status, resultCode, creatorAction, connection: connectionId === null ? null : index };
  });
}

/** Everything that both people may read, in the model and in the service. The model adopts what is allowed but open. */
async function compare(model: Model, real: Real): Promise<{ expected: object; actual: object }> {
  const expected: Record<string, unknown> = {};
  const actual: Record<string, unknown> = {};
  for (const [index, attempt] of model.attempts.entries()) {
    let reading = await readAttempt(model, real, attempt);
    // An erased person's connection has an id that nobody can read.
    if (model.adoptAttempt(attempt, reading)) reading = await readAttempt(model, real, attempt);
    actual[`attempt ${index}`] = reading;
    expected[`attempt ${index}`] = model.readAttempt(attempt);
  }
  for (const [index, job] of model.jobs.entries()) {
    if (!job.isKnown) continue;
    const reading = await readJob(real, job);
    model.adoptJob(job, reading);
    actual[`job ${index} (${job.kind})`] = reading;
    expected[`job ${index} (${job.kind})`] = model.readJob(job);
  }
  for (const [index, connection] of model.connections.entries()) {
    const id = idOf(real, connection);
    if (id === '') continue;
    const reading = await read(userOf(real, connection.person).connection(id), ({ status }) => ({
      // The erase of a disconnect has begun: it ends by itself.
      status: status === 'DELETING' ? 'DISCONNECTED' : status,
    }));
    model.adoptConnection(connection, reading);
    // After an operator's erasure no caller sees when the revoke has settled; the row shows it.
    const rows = await real.stage.service.sql`select from connection where connection_id = ${id}`;
    actual[`connection ${index} is stored`] = rows.length > 0;
    expected[`connection ${index} is stored`] = connection.status !== 'GONE';
    actual[`connection ${index}`] = reading;
    expected[`connection ${index}`] = model.readConnection(connection);
    const other = userOf(real, connection.person === 0 ? 1 : 0);
    actual[`connection ${index} of another person`] = await read(other.connection(id), () => 'answered');
    expected[`connection ${index} of another person`] = 'NOT_FOUND';
  }
  for (const person of [0, 1] as const) {
    const indexOf = (id: string) => model.connections.findIndex((one) => idOf(real, one) === id);
    const listed = await userOf(real, person).ask('connections', { first: 100 });
    actual[`list of ${person}`] = listed.items.map(({ id }: Answer) => indexOf(id)).sort();
    expected[`list of ${person}`] = model.listConnections(person).sort();
  }
  return { expected, actual };
}

/** Waits until the service shows what the model wants. @throws with both, if it never does */
async function settle(model: Model, real: Real): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const { expected, actual } = await compare(model, real);
    if (JSON.stringify(expected) === JSON.stringify(actual)) return;
    if (Date.now() > giveUpAt) expect(actual).toEqual(expected);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

const pick = <T>(items: readonly T[], at: number): T | undefined =>
  items.length === 0 ? undefined : items[at % items.length];

/** A step that acts, and then waits until everything reads as the model says. */
function step(name: string, isPossible: (model: Model) => boolean, act: (model: Model, real: Real) => Promise<void>) {
  return {
    check: isPossible,
    async run(model: Model, real: Real) {
      real.steps += 1;
      await act(model, real);
      await settle(model, real);
    },
    toString: () => name,
  } satisfies Command;
}

const codeOf = async (asked: Promise<Answer>) => await read(asked, () => 'answered');

const create = (person: Person, provider: Provider, targetAt: number | null) =>
  step(
    `create(${person}, ${provider}, ${targetAt})`,
    (model) => targetAt === null || model.connections.length > 0,
    async (model, real) => {
      const target = targetAt === null ? undefined : pick(model.connections, targetAt);
      const expected = model.create(person, provider, target ?? null);
      const options = target && { reconnectConnectionId: idOf(real, target) };
      const asked = userOf(real, person).newAttempt(provider, options);
      if ('code' in expected) expect(await codeOf(asked)).toBe(expected.code);
      else real.sessions.set(expected.attempt, await asked);
    },
  );

const launch = (at: number) =>
  step(
    `launch(${at})`,
    (model) => model.attempts.length > 0,
    async (model, real) => {
      const attempt = pick(model.attempts, at) as Attempt;
      const reachesPlatform = !attempt.isErased && model.launch(attempt);
      const page = await userOf(real, attempt.person).open(real.sessions.get(attempt));
      expect(!page.url.includes('/api/connect/redeem') && page.html.includes('<form')).toBe(reachesPlatform);
      if (reachesPlatform) real.consents.set(attempt, page);
    },
  );

const answer = (at: number, account: number | null) =>
  step(
    `answer(${at}, ${account === null ? 'deny' : `account ${account}`})`,
    (model) => model.attempts.some(({ status }) => status === 'AUTHORIZING'),
    async (model, real) => {
      const attempt = pick(
        model.attempts.filter(({ status }) => status === 'AUTHORIZING'),
        at,
      ) as Attempt;
      const page = real.consents.get(attempt) as Page;
      const user = userOf(real, attempt.person);
      model.answer(attempt, account);
      if (account === null) await user.deny(page);
      else await user.agree(page, real.accounts[attempt.provider][account] ?? '', PERMISSIONS[attempt.provider]);
    },
  );

/** All of it at once, so that most sequences have connections. */
const connect = (person: Person, provider: Provider, account: number) =>
  step(
    `connect(${person}, ${provider}, account ${account})`,
    () => true,
    async (model, real) => {
      const expected = model.create(person, provider, null);
      const user = userOf(real, person);
      if ('code' in expected) return expect(await codeOf(user.newAttempt(provider))).toBe(expected.code);
      const { attempt } = expected;
      const session = await user.newAttempt(provider);
      real.sessions.set(attempt, session);
      expect(model.launch(attempt)).toBe(true);
      const page = await user.open(session);
      model.answer(attempt, account);
      await user.agree(page, real.accounts[provider][account] ?? '', PERMISSIONS[provider]);
    },
  );

const DAYS = [7, 30] as const;

const scan = (person: Person, at: number, daysAt: 0 | 1) =>
  step(
    `scan(${person}, ${at}, ${DAYS[daysAt]} days)`,
    (model) => model.connections.length > 0,
    async (model, real) => {
      const connection = pick(model.connections, at) as Connection;
      const days = DAYS[daysAt];
      const expected = model.scan(person, connection, days);
      const connectionId = idOf(real, connection);
      // The same window has the same two instants.
      const window = real.windows.get(days) ?? lastDays(days);
      real.windows.set(days, window);
      const asked = userOf(real, person).ask('requestRefresh', { connectionId, window });
      if ('code' in expected) return expect(await codeOf(asked)).toBe(expected.code);
      const { id } = await asked;
      if (expected.isNew) real.jobIds.set(expected.job, id);
      else expect(id).toBe(real.jobIds.get(expected.job));
    },
  );

const disconnect = (person: Person, at: number) =>
  step(
    `disconnect(${person}, ${at})`,
    (model) => model.connections.length > 0,
    async (model, real) => {
      const connection = pick(model.connections, at) as Connection;
      const expected = model.disconnect(person, connection);
      const asked = userOf(real, person).ask('disconnectConnection', { connectionId: idOf(real, connection) });
      if ('code' in expected) return expect(await codeOf(asked)).toBe(expected.code);
      const { revokeJobId, eraseJobId } = await asked;
      for (const [job, id] of [
        [expected.revoke, revokeJobId],
        [expected.erase, eraseJobId],
      ] as const) {
        if (real.jobIds.has(job)) expect(id).toBe(real.jobIds.get(job));
        real.jobIds.set(job, id);
      }
    },
  );

const retry = (at: number) =>
  step(
    `retry(${at})`,
    (model) => model.jobs.some((job) => model.canRetry(job)),
    async (model, real) => {
      const job = pick(
        model.jobs.filter((one) => model.canRetry(one)),
        at,
      ) as Job;
      model.retry(job);
      const { errors } = await real.stage.service.operate(`retryJob(id: "${real.jobIds.get(job)}")`);
      expect(errors).toBeUndefined();
    },
  );

const erase = (person: Person) =>
  step(
    `erase(${person})`,
    (model) => model.attempts.some((one) => one.person === person && !one.isErased),
    async (model, real) => {
      const { scope, appId } = userOf(real, person);
      model.erase(person);
      const { tenantKey, externalSubjectId } = scope;
      const input = `{ appId: "${appId}", tenantKey: "${tenantKey}", externalSubjectId: "${externalSubjectId}" }`;
      const { errors } = await real.stage.service.operate(`eraseSubject(input: ${input})`);
      expect(errors).toBeUndefined();
    },
  );

const removeApp = (provider: Provider, account: number) =>
  step(
    `removeApp(${provider}, account ${account})`,
    () => true,
    async (model, real) => {
      model.removeApp(provider, account);
      real.stage.service.control.removeApp(real.accounts[provider][account] ?? '', { notify: false });
    },
  );

/** What servers call. A person still reaches the platform's pages. */
const ROUTES: Readonly<Record<Provider, readonly string[]>> = {
  PROVIDER_B: ['token', 'revoke', 'userInfo', 'videoList', 'videoQuery'],
  PROVIDER_C: ['token', 'exchange', 'refresh', 'me', 'media', 'items', 'insights'],
};

const breakPlatform = (provider: Provider) =>
  step(
    `break(${provider})`,
    (model) => !model.isDown(provider),
    async (model, real) => {
      model.breakPlatform(provider);
      for (const route of ROUTES[provider]) {
        real.stage.service.control.addFault({ provider, route, what: { kind: 'status', status: 503 }, times: null });
      }
    },
  );

const repairPlatform = (provider: Provider) =>
  step(
    `repair(${provider})`,
    (model) => model.isDown(provider),
    async (model, real) => {
      model.repairPlatform(provider);
      const { control } = real.stage.service;
      for (const fault of control.faults()) if (fault.provider === provider) control.removeFault(fault.id);
    },
  );

/** PROVIDER_C's tokens and the seeded posts last longer than this. */
const LONGEST = 30 * DAY;

const advance = (ms: number) =>
  step(
    `advance(${ms / HOUR} h)`,
    (model) => model.now + ms <= LONGEST,
    async (model, real) => {
      model.advance(ms);
      await real.stage.advance(ms);
    },
  );

const sweep = (kind: SweepKind) =>
  step(
    `sweep(${kind})`,
    () => true,
    async (_model, real) => await real.stage.service.sweep(kind),
  );

const person = fc.constantFrom<Person[]>(0, 1);
const provider = fc.constantFrom<Provider[]>(...PROVIDERS);
const index = fc.nat({ max: 9 });
const account = fc.constantFrom(0, 1);

/** All steps, each with the weight of its place in a real life. */
export const steps: fc.Arbitrary<Command>[] = [
  fc.tuple(person, provider, account).map((args) => connect(...args)),
  fc.tuple(person, provider, account).map((args) => connect(...args)),
  fc.tuple(person, provider, account).map((args) => connect(...args)),
  fc.tuple(person, provider, fc.option(index, { freq: 2 })).map((args) => create(...args)),
  index.map(launch),
  fc.tuple(index, fc.option(account, { freq: 5 })).map((args) => answer(...args)),
  fc.tuple(person, index, fc.constantFrom<(0 | 1)[]>(0, 1)).map((args) => scan(...args)),
  fc.tuple(person, index).map((args) => disconnect(...args)),
  index.map(retry),
  person.map(erase),
  fc.tuple(provider, account).map((args) => removeApp(...args)),
  provider.map(breakPlatform),
  provider.map(repairPlatform),
  fc.constantFrom(MINUTE, 11 * MINUTE, HOUR, 25 * HOUR, 73 * HOUR).map(advance),
  fc.constantFrom<SweepKind[]>('outbox', 'reconcile', 'upkeep', 'retention').map(sweep),
];
