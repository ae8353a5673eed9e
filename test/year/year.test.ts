import { expect, test } from 'vitest';
import { PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import type { User } from '../kit/at-work.ts';
import { DAY_MS } from '../kit/clock.ts';
import { Checker, STEP_MS } from './checker.ts';
import { replaceRegistration, restoreBackup, rotateClientSecrets, rotateKeys } from './events.ts';
import { Growth } from './growth.ts';
import { type Habit, Inhabitant, WAYS } from './people.ts';
import { openWorld, type World } from './world.ts';

/** How many days pass. `npm run test:year` gives it; otherwise only a few. */
const DAYS = Number(process.env.YEAR_DAYS ?? 3);
/** 29 February is day 9, and the clocks in California go forward on day 21. */
const START = new Date('2028-02-20T18:00:00Z');
/** Of Google, for a client in testing mode. */
const TESTING_SECONDS = 7 * 24 * 60 * 60;
const HABITS: readonly Habit[] = ['BUSY', 'SELDOM', 'IDLE', 'AUTOMATIC'];
/** Somebody new comes so often, and leaves after so many days. */
const NEW_EVERY_DAYS = 2;
const STAY_DAYS = 3;
/** Months of 30 days, so that a run of a month has everything. */
const MONTH = 30;

test(`${DAYS} days pass, and everything is as the contract says`, { timeout: (DAYS * 60 + 300) * 1000 }, async () => {
  const world = await openWorld(START);
  try {
    await new Year(world).run();
  } finally {
    await world.close();
  }
});

class Year {
  readonly #world: World;
  readonly #people: Inhabitant[] = [];
  readonly #checker: Checker;
  readonly #growth: Growth;
  readonly #taken = new Set<string>();
  /** What operators do, and what happens to them, by the day of the month. */
  readonly #events: Readonly<Record<number, () => Promise<void>>>;
  #day = 0;
  #isBroken = false;
  readonly #usageDays = new Set<string>();
  readonly #startedAt = performance.now();

  constructor(world: World) {
    this.#world = world;
    this.#checker = new Checker(world, this.#people);
    this.#growth = new Growth(world, DAYS);
    this.#events = {
      3: () => rotateClientSecrets(world, this.#people),
      6: () => rotateKeys(world, `of day ${this.#day}`.replaceAll(' ', '-')),
      10: () =>
        replaceRegistration(
          world,
          this.#staying(({ provider, user }) => provider === 'PROVIDER_B' && user.appId === this.#appId),
        ),
      // Nothing runs for a week.
      13: () => this.#pass(7),
      22: async () => {
        world.receiver.answer((response, received) => {
          world.refused.add(received);
          response.writeHead(503).end();
        });
        this.#isBroken = true;
      },
      24: async () => {
        world.receiver.answer((response) => void response.writeHead(204).end());
        this.#isBroken = false;
        world.service.control.addFault({
          provider: 'PROVIDER_C',
          route: 'refresh',
          what: { kind: 'status', status: 500 },
          times: null,
        });
      },
      27: async () => world.service.control.clearFaults(),
      28: () => this.#restore(),
    };
  }

  #appId = '';

  async run(): Promise<void> {
    const { service } = this.#world;
    const reading = await service.newUser();
    const automatic = await service.newUser();
    this.#appId = reading.appId;
    await service.operate(
      `createWebhookEndpoint(input: { appId: "${reading.appId}", url: "${this.#world.receiver.url}" })`,
    );
    for (const provider of PROVIDER_NAMES) {
      const policy = `appId: "${automatic.appId}", provider: ${provider}, refreshMinutes: 1440, refreshDays: 7, refreshPosts: 5`;
      await service.operate(`setRefreshPolicy(${policy})`);
      for (const habit of HABITS)
        await this.#arrive({
          provider,
          habit,
          name: `${habit} ${provider}`,
          of: habit === 'AUTOMATIC' ? automatic : reading,
        });
    }
    await this.#arrive({ provider: 'PROVIDER_A', habit: 'TESTING', name: 'TESTING PROVIDER_A', of: reading });

    await this.#world.rest(); // The webhooks of the arrivals bear the time before the clock moves.
    for (let step = 0; this.#day < DAYS; step += 1) {
      this.#checker.collect(this.#day);
      await this.#world.advance(STEP_MS);
      this.#day += step % 2;
      await this.#houseKeep();
      if (step % 2 === 1) {
        await this.#events[this.#day % MONTH]?.().catch((error: unknown) => this.#world.report(this.#day, `${error}`));
        await this.#live(reading);
        await this.#houseKeep();
      }
      await this.#checker
        .check(this.#day, this.#isBroken)
        .catch((error: unknown) => this.#world.report(this.#day, `the checker: ${error}`));
      if (this.#day % 5 === 0 && step % 2 === 1) await this.#measure();
      if (this.#world.problems.length > 50) break;
    }
    await this.#checkUsageDays();
    await this.#checker.checkEnd(this.#day);
    for (const person of this.#people) {
      const isOfReader = person.user.appId === this.#appId && person.connectionId !== '';
      if (isOfReader && !this.#isBroken && this.#world.now() - person.connectedAt < 25 * DAY_MS)
        if (!this.#checker.wasTold('connection.connected', person))
          this.#world.report(this.#day, `no webhook told that ${person.name} has connected`);
    }
    for (const growing of this.#growth.findGrowing()) this.#world.report(this.#day, growing);
    await this.#measure();
    expect(this.#world.problems).toEqual([]);
  }

  /** Measures, and writes the page as far as it is known. */
  async #measure(): Promise<void> {
    const { problems } = this.#world;
    await this.#growth.measure(this.#day, this.#checker.openWorkflows);
    const minutes = ((performance.now() - this.#startedAt) / 60_000).toFixed(1);
    const summary = `${this.#day} days in ${minutes} minutes, ${this.#people.length} people, ${problems.length} problems.`;
    const page = this.#growth.write(['', summary, ...problems.map((problem) => `- ${problem}`)]);
    console.log(`${summary} ${page}`);
  }

  /** Jumps over some days. */
  async #pass(days: number): Promise<void> {
    this.#checker.collect(this.#day);
    await this.#world.advance(days * DAY_MS);
    this.#day += days;
    await this.#houseKeep();
  }

  async #houseKeep(): Promise<void> {
    for (const kind of ['reconcile', 'deletions', 'upkeep', 'retention'] as const) {
      await this.#world.service
        .sweep(kind)
        .catch((error: unknown) => this.#world.report(this.#day, `${kind}: ${error}`));
    }
    const open = await this.#world.rest();
    if (open !== '' && !this.#isBroken) this.#world.report(this.#day, `does not come to rest: ${open}`);
  }

  #staying(which: (person: Inhabitant) => boolean): Inhabitant[] {
    return this.#people.filter(
      (person) => person.promised === 'CONNECTED' && person.connectionId !== '' && which(person),
    );
  }

  /** A person with an account that nobody of the service has. */
  async #arrive(
    given: Pick<Inhabitant, 'provider' | 'habit' | 'name'> & { of: User; way?: Inhabitant['way'] },
  ): Promise<Inhabitant> {
    const { service } = this.#world;
    const inUse = new Set(this.#people.filter(({ promised }) => promised !== 'GONE').map(({ account }) => account));
    const free = service.control
      .accounts(given.provider)
      .filter(({ id, traits, note }) => traits.length === 0 && /^One of a crowd/.test(note) && !inUse.has(id));
    const account = free.find(({ id }) => !this.#taken.has(id)) ?? free[this.#day % free.length];
    if (account === undefined) throw new Error(`All accounts of ${given.provider} are in use.`);
    this.#taken.add(account.id);
    const person = new Inhabitant({ ...given, account: account.id, user: await service.newUser(given.of) });
    this.#people.push(person);
    await this.#connect(person);
    return person;
  }

  async #connect(person: Inhabitant): Promise<void> {
    const { control } = this.#world.service;
    if (person.habit !== 'TESTING') return await this.#try(person, () => person.connect(this.#world));
    const { refreshSeconds } = control.settings().a;
    control.changeSettings({ a: { refreshSeconds: TESTING_SECONDS } });
    await this.#try(person, () => person.connect(this.#world));
    control.changeSettings({ a: { refreshSeconds } });
  }

  async #try(person: Inhabitant, act: () => Promise<void>): Promise<void> {
    await act().catch((error: unknown) => this.#world.report(this.#day, `${person.name}: ${error}`));
  }

  /** What people do on a day. */
  async #live(reading: User): Promise<void> {
    const { now } = this.#world;
    const each = this.#people.map(async (person) => {
      if (person.habit === 'BUSY') await this.#try(person, () => person.read(this.#world));
      if (person.habit === 'SELDOM' && this.#day % 10 === 0) await this.#try(person, () => person.read(this.#world));
      const stays = now() - person.connectedAt;
      if (person.habit === 'LEAVES' && person.promised === 'CONNECTED' && stays > STAY_DAYS * DAY_MS)
        await this.#try(person, () => person.leave(this.#world));
      if (person.habit === 'TESTING' && stays > TESTING_SECONDS * 1000) {
        if (person.promised === 'CONNECTED') person.expire(now());
        else if (stays > TESTING_SECONDS * 1000 + 2 * DAY_MS) await this.#connect(person);
      }
    });
    await Promise.all(each);
    this.#usageDays.add(californianDay(now()));
    if (this.#day % NEW_EVERY_DAYS !== 0) return;
    const number = this.#day / NEW_EVERY_DAYS;
    const provider = PROVIDER_NAMES[number % PROVIDER_NAMES.length] as ProviderName;
    const way = WAYS[number % WAYS.length] ?? 'disconnect';
    const name = `LEAVES ${provider} on day ${this.#day + STAY_DAYS} (${way})`;
    await this.#arrive({ provider, habit: 'LEAVES', name, way, of: reading });
  }

  async #restore(): Promise<void> {
    const leaving = await this.#arrive({
      ...{ provider: 'PROVIDER_B', habit: 'LEAVES', way: 'disconnect', of: this.#people[0]?.user as User },
      name: `LEAVES PROVIDER_B on day ${this.#day} (before a restore)`,
    });
    await this.#world.rest();
    await restoreBackup(this.#world, leaving);
  }

  /** The daily quota of PROVIDER_A counts by the day in California, also on 29 February and when its clocks change. */
  async #checkUsageDays(): Promise<void> {
    const rows = await this.#world.service.sql`select distinct day::text from registration_usage where units > 0`;
    const found = new Set(rows.map(({ day }) => day));
    const since = californianDay(this.#world.now() - 85 * DAY_MS);
    for (const day of this.#usageDays) {
      if (day >= since && !found.has(day)) this.#world.report(this.#day, `no units were counted on ${day}`);
    }
  }
}

const californianDay = (ms: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Los_Angeles' }).format(new Date(ms));
