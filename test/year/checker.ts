import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '../kit/clock.ts';
import { outcomeOf } from '../kit/conformance.ts';
import type { Inhabitant } from './people.ts';
import type { World } from './world.ts';

/** Housekeeping runs once in a step of half a day. */
export const STEP_MS = 12 * HOUR_MS;

/** How long rows may stay, by the contract: docs/data.md. */
const LIVES: readonly {
  readonly table: string;
  readonly since: string;
  readonly days: number;
  readonly where?: string;
}[] = [
  { table: 'read_job', since: 'finished_at', days: 7 },
  {
    table: 'disconnect_job j',
    since: 'created_at',
    days: 7,
    where: 'not exists (select from connection c where c.connection_id = j.connection_id)',
  },
  { table: 'content_item', since: 'observed_at', days: 30, where: 'blanked_at is null' },
  { table: 'connection', since: 'profile_observed_at', days: 30, where: 'profile is not null' },
  { table: 'connect_attempt', since: 'result_expires_at', days: 0 },
  { table: 'coverage', since: 'scanned_at', days: 30 },
  { table: 'registration_usage', since: 'day', days: 91 },
  { table: 'ended_work_count', since: 'hour', days: 35 },
  { table: 'admin_idempotency', since: 'created_at', days: 1 },
  { table: 'journal_entry', since: 'happened_at', days: 90 },
  { table: 'erasure', since: 'completed_at', days: 366 },
  // The month of the GDPR; here nothing holds one up.
  { table: 'erasure', since: 'requested_at', days: 0, where: 'completed_at is null' },
  { table: 'webhook_event', since: 'occurred_at', days: 30 },
  { table: 'unknown_answer', since: 'last_seen_at', days: 30 },
];

/** Longer than any workflow waits for more of its work. */
const END_MS = 90_000;
/** The most calls about one account in ten days, if its app reads nothing: an upkeep, and its repetitions. */
const MOST_IDLE_CALLS = 10;
/** The most calls about all accounts of a platform in a step, for each person of it. */
const MOST_CALLS_EACH = 25;

/** Looks at the service as callers, people, platforms and receivers see it, after each step. It knows the contract only. */
export class Checker {
  readonly #world: World;
  readonly #people: readonly Inhabitant[];
  /** The last call that was counted. */
  #lastCall = 0;
  readonly #idleCalls = new Map<Inhabitant, number[]>();
  /** The step in which each open workflow was seen first. */
  readonly #open = new Map<string, number>();
  readonly #events = new Map<string, string>();
  #step = 0;

  constructor(world: World, people: readonly Inhabitant[]) {
    this.#world = world;
    this.#people = people;
  }

  /** @param day of the run. @param isBroken whether a fault of ours is why things wait */
  async check(day: number, isBroken: boolean): Promise<void> {
    this.#step += 1;
    const report = (problem: string) => this.#world.report(day, problem);
    await this.#checkConnections(report, isBroken);
    this.#checkPlatforms(report);
    await this.#checkReceipts(report);
    await this.#checkLives(report);
    await this.#checkEarly(report);
    this.#checkCalls(report);
    this.collect(day);
    await this.#checkWorkflows(report, isBroken);
  }

  async #checkConnections(report: (problem: string) => void, isBroken: boolean): Promise<void> {
    const now = this.#world.now();
    for (const person of this.#people) {
      if (person.connectionId === '') continue;
      const found = await person.find();
      if (person.promised === 'CONNECTED') {
        if (found?.status !== 'CONNECTED')
          report(`${person.name} is ${found?.status ?? 'gone'}, and could stay connected`);
        else if (found.profile === null) report(`${person.name} has no profile`);
        else if (now - Date.parse(found.profile.observedAt) > 30 * DAY_MS)
          report(`${person.name} has a profile of ${found.profile.observedAt}`);
      } else if (now > person.promisedAt + 2 * STEP_MS) {
        const status = found?.status ?? 'GONE';
        const isServed = status !== 'NOT_SERVED' || person.promised === 'GONE';
        if (isServed && status !== person.promised && !(isBroken && person.promised === 'GONE'))
          report(`${person.name} is ${status}, and is to be ${person.promised}`);
      }
    }
  }

  /** Nobody's grant lives on at a platform after they left, where the platform lets us end it. */
  #checkPlatforms(report: (problem: string) => void): void {
    const { service, now } = this.#world;
    const staying = new Set(
      this.#people
        .filter(({ promised, promisedAt }) => promised !== 'GONE' || now() < promisedAt + 2 * STEP_MS)
        .map(({ account }) => account),
    );
    for (const { platform, accountId, endedAt, tokens } of service.control.grants()) {
      const lives = endedAt === null && tokens.some(({ expiresAt }) => expiresAt === null || expiresAt > now());
      if (lives && platform !== 'PROVIDER_C' && !staying.has(accountId))
        report(`a grant of ${accountId} lives at ${platform}, and nobody has its connection`);
    }
  }

  async #checkReceipts(report: (problem: string) => void): Promise<void> {
    for (const person of this.#people) {
      if (person.receipts === undefined) continue;
      const age = this.#world.now() - person.receipts.at;
      for (const id of person.receipts.ids) {
        const outcome = await outcomeOf(person.user.job(person.connectionId, id));
        if (age < 7 * DAY_MS && outcome !== 'answered')
          report(`a receipt of ${person.name} is ${outcome} after ${days(age)}`);
        if (age > 7 * DAY_MS + 2 * STEP_MS && outcome !== 'NOT_FOUND')
          report(`a receipt of ${person.name} is ${outcome} after ${days(age)}`);
      }
      if (age > 8 * DAY_MS) person.receipts = undefined;
    }
  }

  async #checkLives(report: (problem: string) => void): Promise<void> {
    for (const { table, since, days: life, where = 'true' } of LIVES) {
      const [row] = await this.#world.service.sql.unsafe(`
        select count(*)::int as count, min(${since})::text as oldest from ${table}
        where ${since} < business_now() - interval '${life} days' - interval '18 hours' and ${where}
      `);
      if (row?.count > 0)
        report(`${row?.count} rows of ${table} overstay: ${life} days since ${since}, the oldest ${row?.oldest}`);
    }
  }

  async #checkEarly(report: (problem: string) => void): Promise<void> {
    const [row] = await this.#world.service.sql`
      select count(*)::int as count from content_item where blanked_at < observed_at + interval '30 days'
    `;
    if (row?.count > 0) report(`${row?.count} posts were blanked early`);
    for (const person of this.#people) {
      if (person.promised !== 'CONNECTED') continue;
      for (const [post, readAt] of person.posts) {
        if (this.#world.now() - readAt > 30 * DAY_MS) person.posts.delete(post);
        else if (
          (await person.user.ask('contentItem', { connectionId: person.connectionId, providerContentId: post }))
            ?.title === null
        )
          report(`a post of ${person.name} is blank, read at ${new Date(readAt).toISOString()}`);
      }
    }
  }

  /** Nothing repeats calls: not about one account, and not about all of a platform. */
  #checkCalls(report: (problem: string) => void): void {
    const calls = this.#world.service.control.calls().filter(({ number }) => number > this.#lastCall);
    this.#lastCall = calls.at(-1)?.number ?? this.#lastCall;
    for (const provider of ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const) {
      const count = calls.filter((call) => call.provider === provider).length;
      const people = this.#people.filter((one) => one.provider === provider && one.promised === 'CONNECTED').length;
      if (count > MOST_CALLS_EACH * Math.max(3, people))
        report(`${count} calls to ${provider} in a step, for ${people} people`);
    }
    for (const person of this.#people) {
      if (person.habit !== 'IDLE' || this.#world.now() - person.connectedAt < DAY_MS) continue;
      const counts = this.#idleCalls.get(person) ?? [];
      counts.push(calls.filter(({ account }) => account === person.account).length);
      if (counts.length > 20) counts.shift();
      this.#idleCalls.set(person, counts);
      const sum = counts.reduce((all, count) => all + count, 0);
      if (sum > MOST_IDLE_CALLS) report(`${sum} calls about ${person.name} in ten days, though nobody reads`);
    }
  }

  /** Reads the webhooks that have come since the last look. Call it before the clock moves. */
  collect(day: number): void {
    const report = (problem: string) => this.#world.report(day, problem);
    const { receiver, refused } = this.#world;
    const accepted = receiver.received.splice(0).filter((one) => !refused.delete(one));
    for (const { headers, body } of accepted) {
      const id = headers['webhook-id'] ?? '';
      const { type, data } = JSON.parse(body);
      if (this.#events.has(id)) report(`the webhook ${type} ${id} came again`);
      this.#events.set(id, `${type} ${data.connectionId}`);
      const age = Math.abs(Number(headers['webhook-timestamp']) * 1000 - this.#world.now());
      if (age > HOUR_MS) report(`the webhook ${type} bears a time that is ${days(age)} off`);
    }
  }

  /** Whether an app was told. */
  wasTold(type: string, { connectionId }: Inhabitant): boolean {
    return [...this.#events.values()].includes(`${type} ${connectionId}`);
  }

  async #checkWorkflows(report: (problem: string) => void, isBroken: boolean): Promise<void> {
    const open = await this.#listOpen();
    for (const id of this.#open.keys()) if (!open.has(id)) this.#open.delete(id);
    for (const id of open) {
      const since = this.#open.get(id) ?? this.#step;
      this.#open.set(id, since);
      // One that sends webhooks waits some seconds for the next one, and so does not end while people are busy.
      if (this.#step - since === 6 && !isBroken && !id.startsWith('webhooks/'))
        report(`the workflow ${id} has been open for three days`);
    }
  }

  async #listOpen(): Promise<Set<string>> {
    const { temporal, taskQueue } = this.#world.service;
    const open = new Set<string>();
    const query = `TaskQueue = "${taskQueue}" and ExecutionStatus = "Running"`;
    for await (const { workflowId } of temporal.workflow.list({ query })) open.add(workflowId);
    return open;
  }

  /** When nobody does anything any more, every workflow ends. */
  async checkEnd(day: number): Promise<void> {
    const until = performance.now() + END_MS;
    let open = await this.#listOpen();
    while (open.size > 0 && performance.now() < until) {
      await delay(500);
      open = await this.#listOpen();
    }
    for (const id of open) this.#world.report(day, `the workflow ${id} does not end`);
  }

  get openWorkflows(): number {
    return this.#open.size;
  }
}

const days = (ms: number) => `${(ms / DAY_MS).toFixed(1)} days`;
