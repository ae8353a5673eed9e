import { expect, vi } from 'vitest';
import { runOwnSweeps } from '../../src/worker/own-sweeps.ts';
import { moveClock, SECOND_MS } from '../kit/clock.ts';
import { createWorkerDeps } from '../kit/deps.ts';
import { fakeProviders } from '../kit/fake-provider.ts';
import { gate } from '../kit/gate.ts';
import { test } from '../kit/postgres.ts';

const LOOK_EVERY_MS = 10;

test('the outbox, the deletions and the journal have their turns while another of them takes long', async ({ sql }) => {
  const deps = await createWorkerDeps(sql, { providers: fakeProviders() });
  const backlog = gate();
  const deliverDue = vi.fn(async () => {
    await backlog.opened;
    return { delivered: 1, failed: 0 };
  });
  const ship = vi.fn(async () => undefined).mockImplementationOnce(() => new Promise(() => undefined));
  const journal = { ...deps.journal, ship };
  const sweeps = runOwnSweeps(
    { ...deps, journal, dispatcher: { deliverDue } },
    { findHold: () => undefined, lookEveryMs: LOOK_EVERY_MS },
  );
  const begunAt = async () => {
    const [row] = await sql`select taken_at from sweep_turn`;
    return Number(row?.takenAt);
  };
  await moveClock(sql, 11 * SECOND_MS);
  await vi.waitUntil(() => deliverDue.mock.calls.length === 1 && ship.mock.calls.length === 1);
  const first = await begunAt();
  await moveClock(sql, 11 * SECOND_MS);
  await vi.waitUntil(async () => (await begunAt()) > first);
  expect(deliverDue).toHaveBeenCalledOnce(); // It still delivers.
  backlog.open();
  await vi.waitUntil(async () => {
    await moveClock(sql, 11 * SECOND_MS);
    return deliverDue.mock.calls.length > 1;
  });
  // The journal that hangs is given up after ten seconds.
  await vi.waitUntil(async () => {
    await moveClock(sql, 11 * SECOND_MS);
    return ship.mock.calls.length > 1;
  });
  await sweeps.close();
  expect(deps.lines.map((line) => JSON.parse(line).message)).toEqual(['Erasure journal not written']);
});

test('nothing is swept while the database may not serve, and all of it afterwards', async ({ sql }) => {
  const deps = await createWorkerDeps(sql, { providers: fakeProviders() });
  const deliverDue = vi.fn(async () => ({ delivered: 0, failed: 0 }));
  const findHold = vi.fn<() => string | undefined>(() => 'older than the journal');
  await moveClock(sql, 11 * SECOND_MS);
  const sweeps = runOwnSweeps({ ...deps, dispatcher: { deliverDue } }, { findHold, lookEveryMs: LOOK_EVERY_MS });
  await vi.waitUntil(() => findHold.mock.calls.length > 5);
  expect(deliverDue).not.toHaveBeenCalled();
  findHold.mockReturnValue(undefined);
  await vi.waitUntil(() => deliverDue.mock.calls.length === 1);
  await sweeps.close();
});
