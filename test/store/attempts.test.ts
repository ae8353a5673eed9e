import { describe, expect } from 'vitest';
import type { AttemptId } from '../../src/basics/ids.ts';
import { cancelReconnects } from '../../src/store/attempts/attempts.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { businessNow } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';

const read = async (sql: Database, { attemptId }: { attemptId: AttemptId }) =>
  (await sql`select status, sealed_code, finished_at from connect_attempt where attempt_id = ${attemptId}`)[0];
const EXCHANGING = { status: 'EXCHANGING', sealedCode: 'code', finishedAt: null };

describe('attempts to renew a connection are canceled', () => {
  test('those that began before the one that has completed, not the later ones', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const reconnectConnectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const now = await businessNow(sql);
    const make = (ms: number) =>
      at(sql, now, ms, () => seedAttempt(sql, seeded, { reconnectConnectionId }, answerAttempt));
    const [older, same, completed, newer] = [await make(-1), await make(0), await make(0), await make(1)];
    const canceled = await inTransaction(sql, (tx) => cancelReconnects(tx, reconnectConnectionId, completed));
    expect(canceled.toSorted()).toEqual([older.attemptId, same.attemptId].toSorted());
    for (const attempt of [completed, newer]) expect(await read(sql, attempt)).toEqual(EXCHANGING);
  });
});
