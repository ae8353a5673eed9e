import { expect, test } from 'vitest';
import { PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import { check } from '../history/check.ts';
import { listOpenWork } from '../history/open-work.ts';
import { EMPTY, recordCalls } from '../history/run.ts';
import { type Running, startService, type User } from '../kit/at-work.ts';
import { HOUR_MS, moveClock } from '../kit/clock.ts';
import { Refusal } from '../kit/graphql.ts';
import { count, findGrowing } from './growth.ts';

/** How many days pass. `npm run test:year` gives it; otherwise only a few. */
const DAYS = Number(process.env.YEAR_DAYS ?? 3);
/** 29 February is day 9, and the clocks in California go forward on day 21. */
const START = Date.parse('2028-02-20T18:00:00Z');
const STEP_MS = 12 * HOUR_MS;
/** A new person comes so often, and leaves after so many days. */
const NEW_EVERY_DAYS = 2;
const STAY_DAYS = 3;
const REST_MS = 60_000;
/** The most calls about one account in ten days, if its app reads nothing: an upkeep, and its repetitions. */
const MOST_IDLE_CALLS = 10;

interface Person {
  readonly name: string;
  readonly user: User;
  readonly account: string;
  readonly connectionId: string;
  /** Whether their app reads every day. */
  readonly reads: boolean;
  leavesOn: number;
}

test(`${DAYS} days pass: who stays is connected, who leaves is gone, and nothing grows`, {
  timeout: (DAYS * 60 + 300) * 1000,
}, async () => {
  let shift = START - Date.now();
  const now = () => Date.now() + shift;
  const service = await startService({ SUSPEND_SIBLINGS: 'true' }, { crowd: 60, clock: now });
  const { sql, control } = service;
  const people: Person[] = [];
  const measured: Awaited<ReturnType<typeof count>>[] = [];
  const problems: string[] = [];
  try {
    await moveClock(sql, shift);
    const [reading, automatic] = [await service.newUser(), await service.newUser()];
    const come = async (provider: ProviderName, of: User, more: { name: string; reads: boolean; leavesOn: number }) => {
      const used = new Set(people.map(({ account }) => account));
      const ordinary = control
        .accounts(provider)
        .filter(({ traits, note }) => traits.length === 0 && /crowd/.test(note));
      const { id } = ordinary.find((one) => !used.has(one.id)) ?? expect.fail('All accounts are in use.');
      const user = await service.newUser(of);
      const { connectionId } = await user.attempt(provider, id);
      people.push({ ...more, user, account: id, connectionId });
    };
    for (const provider of PROVIDER_NAMES) {
      const policy = `appId: "${automatic.appId}", provider: ${provider}, refreshMinutes: 1440, refreshDays: 7, refreshPosts: 5`;
      await service.operate(`setRefreshPolicy(${policy})`);
      const stays = { leavesOn: Number.POSITIVE_INFINITY };
      await come(provider, reading, { ...stays, name: `a reader of ${provider}`, reads: true });
      await come(provider, reading, { ...stays, name: `an idle one of ${provider}`, reads: false });
      await come(provider, automatic, { ...stays, name: `an automatic one of ${provider}`, reads: false });
    }

    for (let day = 1; day <= DAYS; day += 1) {
      for (let half = 0; half < 2; half += 1) {
        shift += STEP_MS;
        await moveClock(sql, STEP_MS);
        for (const kind of ['reconcile', 'deletions', 'upkeep', 'retention'] as const) await service.sweep(kind);
        const open = await rest(service);
        if (open !== '') problems.push(`day ${day}: does not come to rest: ${open}`);
      }
      for (const person of people) {
        if (person.leavesOn === day) await leave(service, person);
        else if (person.reads && person.leavesOn > day) {
          control.addPost(person.account);
          await person.user.refresh(person.connectionId);
        }
        const status = await statusOf(person);
        const expected = person.leavesOn > day ? 'CONNECTED' : person.leavesOn < day - 1 ? 'NOT_FOUND' : status;
        if (status !== expected) problems.push(`day ${day}: ${person.name} is ${status}, not ${expected}`);
      }
      if (day % NEW_EVERY_DAYS === 0) {
        const provider = PROVIDER_NAMES[(day / NEW_EVERY_DAYS) % PROVIDER_NAMES.length] as ProviderName;
        await come(provider, reading, { name: `one who came on day ${day}`, reads: true, leavesOn: day + STAY_DAYS });
      }
      if (day % 10 === 0) {
        for (const { name, account } of people.filter(({ name }) => name.startsWith('an idle one'))) {
          const calls = control.calls().filter((call) => call.account === account).length;
          if (day > 10 && calls > MOST_IDLE_CALLS) problems.push(`day ${day}: ${calls} calls about ${name}`);
        }
        const calls = recordCalls(control.calls());
        const broken = check({ ...EMPTY, platform: { ...EMPTY.platform, calls } });
        problems.push(...broken.map(({ message }) => `day ${day}: ${message}`));
        control.clearCalls();
      }
      measured.push(await count(sql));
      if (problems.length > 20) break;
    }
    expect([...problems, ...findGrowing(measured)]).toEqual([]);
  } finally {
    await service.close();
  }
});

/** By turns, the person disconnects, or an operator erases them. */
async function leave(service: Running, { user, connectionId, leavesOn }: Person): Promise<void> {
  if (leavesOn % 4 === 1) return void (await user.ask('disconnectConnection', { connectionId }));
  const { tenantKey, externalSubjectId } = user.scope;
  const input = `appId: "${user.appId}", tenantKey: "${tenantKey}", externalSubjectId: "${externalSubjectId}"`;
  await service.operate(`eraseSubject(input: { ${input} })`);
}

/** @returns the status, or the code of the refusal */
async function statusOf({ user, connectionId }: Person): Promise<string> {
  try {
    return (await user.connection(connectionId)).status;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** Waits until nothing that can be done is left. @returns the open work after a minute */
async function rest({ sql }: Running): Promise<string> {
  const until = performance.now() + REST_MS;
  for (;;) {
    const open = await listOpenWork(sql, [
      'due outbox entries',
      'read jobs',
      'receipts and compensations',
      'running upkeeps',
    ]);
    if (open.length === 0 || performance.now() > until) return open.join(', ');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
