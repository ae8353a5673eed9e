import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConnectionId, newId } from '../../../src/basics/ids.ts';
import { endAttempt, endSignIn, findAttempt, findSignIn } from '../../kit/seed-attempts.ts';
import type { Browser } from './browser.ts';
import { ISSUER, openOwnStage, openStage, type Stage, stateIn } from './stage.ts';

const LONG_MS = 600_000;
/** Its session sends nothing but these. */
const LISTENER = `select pid from pg_stat_activity where datname = current_database() and query in ('listen attempt_ended', 'select')`;

let stage: Stage;
beforeEach(async () => {
  stage = await openStage({ holdMs: LONG_MS, mostHeld: 30 });
  await listening();
});
afterEach(() => stage.close());

const listeners = (at = stage) => at.sql.unsafe(LISTENER);
const listening = (at = stage) => expect.poll(() => listeners(at)).toHaveLength(1);

async function launched(at = stage, browser: Browser = at.browser()) {
  const attempt = await at.connectAttempt();
  const state = await stateIn(await browser.launch('connect', attempt.launchToken));
  return { attempt, browser, path: `/api/connect/callback/provider-b?code=c&state=${state}` };
}
type Launched = Awaited<ReturnType<typeof launched>>;

/** A callback that waits for the end of its attempt. */
async function held(at = stage) {
  const go = await launched(at);
  let waits = true;
  const answer = go.browser.send(go.path).finally(() => {
    waits = false;
  });
  await accepted(go, at);
  return { ...go, answer, waits: () => waits };
}
const accepted = ({ attempt }: Launched, at = stage) =>
  expect.poll(async () => (await findAttempt(at.sql, attempt.attemptId))?.status).toBe('EXCHANGING');
const complete = ({ attempt }: Launched, at = stage) =>
  endAttempt(at.sql, attempt.attemptId, {
    status: 'COMPLETED',
    resultCode: null,
    connectionId: newId<ConnectionId>(),
  });

describe('a held callback', () => {
  test('is answered as soon as its attempt has ended, even if many others wait', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => held()));
    const last = all.at(-1) as (typeof all)[number];
    await complete(last);
    expect((await last.answer).status).toBe(303);
    expect(all.filter(({ waits }) => waits())).toHaveLength(19);
    for (const one of all) await complete(one);
    for (const one of all) expect((await one.answer).status).toBe(303);
  });

  test('counts towards a limit: beyond it callbacks are answered at once', async () => {
    const narrow = await openOwnStage({ holdMs: LONG_MS, mostHeld: 2 });
    const all = [await held(narrow), await held(narrow)];
    const third = await launched(narrow);
    expect((await third.browser.send(third.path)).status).toBe(303);
    expect(all.map(({ waits }) => waits())).toEqual([true, true]);
    for (const one of all) await complete(one, narrow);
    for (const one of all) await one.answer;
    const fourth = await held(narrow);
    await complete(fourth, narrow);
    expect((await fourth.answer).status).toBe(303);
  });

  test('survives the loss of the listener: attempts that ended meanwhile are read again', async () => {
    // The listener's login alone loses the database.
    const name = new URL(stage.databaseUrl).pathname.slice(1);
    const all = [await held(), await held()];
    await stage.sql.unsafe(`grant connect on database ${name} to api; revoke connect on database ${name} from public`);
    await stage.sql.unsafe(`select pg_terminate_backend(pid) from (${LISTENER}) as listener`);
    await expect.poll(() => listeners()).toHaveLength(0);
    await complete(all[0] as Launched); // No connection listens.
    expect(all.map(({ waits }) => waits())).toEqual([true, true]);
    await stage.sql.unsafe(`grant connect on database ${name} to public`);
    expect((await all[0]?.answer)?.status).toBe(303);
    expect(all[1]?.waits()).toBe(true);
    await listening();
    await complete(all[1] as Launched);
    expect((await all[1]?.answer)?.status).toBe(303);
    expect(stage.lines.join('')).toContain('Listener lost');
  });

  test('is answered at its deadline if the listener is down', async () => {
    const deaf = await openOwnStage({ holdMs: 50, listensAt: 'postgres://nobody@127.0.0.1:1/none' });
    const { browser, path } = await launched(deaf);
    expect((await browser.send(path)).status).toBe(303);
    await expect.poll(() => deaf.lines.join('')).toContain('Listener lost');
    expect(deaf.lines.join('')).not.toContain('Notification missed');
  });

  test('of a sign-in is answered as soon as that has ended', async () => {
    const browser = stage.browser();
    const attempt = await stage.identityAttempt();
    const state = await stateIn(await browser.launch('identity', attempt.launchToken));
    const query = new URLSearchParams({ code: 'c', state, iss: ISSUER });
    const answer = browser.send(`/api/identity/callback/${stage.issuerId}?${query}`);
    await expect.poll(async () => (await findSignIn(stage.sql, attempt.attemptId))?.stage).toBe('EXCHANGING');
    await endSignIn(stage.sql, attempt.attemptId, { status: 'FAILED' });
    expect((await answer).status).toBe(303);
  });
});
