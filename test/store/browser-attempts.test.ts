import { describe, expect } from 'vitest';
import { type AttemptId, newId } from '../../src/basics/ids.ts';
import { connectAttempts, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import { identityAttempts, moveIdentityAttemptToEnd } from '../../src/store/attempts/identity-attempts.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import type { Due } from '../../src/store/due.ts';
import { beside } from '../kit/beside.ts';
import { businessNow, MINUTE_MS } from '../kit/clock.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { at, seedApp } from '../kit/seed.ts';
import {
  answerAttempt,
  answerSignIn,
  launchAttempt,
  launchSignIn,
  seedAttempt,
  seedSignIn,
} from '../kit/seed-attempts.ts';

const KINDS = {
  'an attempt to connect': {
    attempts: connectAttempts,
    seed: seedAttempt,
    stages: { created: undefined, launched: launchAttempt, answered: answerAttempt },
    fail: (sql: Database, attemptId: AttemptId) =>
      moveAttemptToEnd(sql, attemptId, { status: 'FAILED', resultCode: 'EXCHANGE_FAILED' }),
  },
  'a sign-in': {
    attempts: identityAttempts,
    seed: seedSignIn,
    stages: { created: undefined, launched: launchSignIn, answered: answerSignIn },
    fail: (sql: Database, attemptId: AttemptId) => moveIdentityAttemptToEnd(sql, attemptId, { status: 'FAILED' }),
  },
};
type Kind = keyof typeof KINDS;
type Stage = 'created' | 'launched' | 'answered';

/** Attempts of one app, each begun so many milliseconds after `now`. */
async function openApp(sql: Database, kind: Kind) {
  const { attempts, seed, stages, fail } = KINDS[kind];
  const seeded = await seedApp(sql);
  const now = await businessNow(sql);
  const make = async (stage: Stage, ms = 0): Promise<AttemptId> => {
    const begin = async () => (await seed(sql, seeded, {}, stages[stage])).attemptId;
    return await at(sql, now, ms, begin);
  };
  const makeEnded = async () => {
    const attemptId = await make('answered');
    await at(sql, now, 0, () => fail(sql, attemptId));
    return attemptId;
  };
  const find = async (attemptId: AttemptId) => (await attempts.find(sql, attemptId)) ?? expect.fail('It is gone.');
  /** So long after the deadline of those that began first. */
  const late = <T>(ms: number, work: () => Promise<T>) => at(sql, now, 10 * MINUTE_MS + ms, work);
  return { attempts, make, makeEnded, find, late };
}

describe.for(Object.keys(KINDS) as Kind[])('%s without an answer', (kind) => {
  test('is listed from its deadline on, page by page', async ({ sql }) => {
    const { attempts, make, makeEnded, late } = await openApp(sql, kind);
    const [launched, created] = [await make('launched', 1), await make('created')];
    const ids = [launched, created, await make('answered'), await makeEnded(), await make('created', 2)];
    const list = (ms: number) =>
      late(ms, async () => {
        const listed: string[] = [];
        for (let after: Due | null = null; ; ) {
          const page: Due[] = await attempts.listUnanswered(asWorker(sql), { after, limit: 1 });
          const [only] = page;
          if (only === undefined) return listed.filter((id) => (ids as readonly string[]).includes(id));
          expect(page).toHaveLength(1);
          expect(listed).not.toContain(only.id);
          listed.push(only.id);
          after = only;
        }
      });
    expect(await list(-1)).toEqual([]);
    expect(await list(0)).toEqual([created]);
    expect(await list(1)).toEqual([created, launched]);
  });

  test('ends as EXPIRED from its deadline on, and no other', async ({ sql }) => {
    const { attempts, make, makeEnded, find, late } = await openApp(sql, kind);
    const due = [await make('created'), await make('launched')];
    const others = [await make('answered'), await make('launched', 1), await makeEnded()];
    const unasked = await make('created');
    const read = () => Promise.all([...others, unasked].map(find));
    const end = (ms: number) => late(ms, () => attempts.endUnanswered(asWorker(sql), [...due, ...others]));
    expect(await end(-1)).toBe(0);
    const before = await late(0, read);
    expect(await end(0)).toBe(2);
    for (const id of due) expect(await find(id)).toMatchObject({ status: 'EXPIRED', sealedCodeVerifier: null });
    expect(await late(0, read)).toEqual(before);
  });

  test('does not end if the answer arrives meanwhile', async ({ sql }) => {
    const { attempts, make, find, late } = await openApp(sql, kind);
    const attemptId = await make('launched');
    const { waited, held, result } = await beside(
      sql,
      (tx) => late(-1, () => attempts.moveToExchanging(tx, attemptId, 'code')),
      () => late(0, () => attempts.endUnanswered(asWorker(sql), [attemptId])),
    );
    expect({ waited, held, result }).toEqual({ waited: true, held: true, result: 0 });
    expect(await find(attemptId)).toMatchObject({ sealedCode: 'code' });
    expect(await attempts.claimExchange(sql, attemptId)).toBe(true);
  });

  test('has no exchange in progress, and neither has one that has ended', async ({ sql }) => {
    const { attempts, make, makeEnded } = await openApp(sql, kind);
    const ended = [await make('created'), await make('launched'), await makeEnded()];
    await makeEnded(); // No browser asks for it.
    const asked = [...ended, await make('answered'), newId<AttemptId>()];
    expect((await attempts.listEnded(asApi(sql), asked)).sort()).toEqual(ended.sort());
  });
});
