import type { Database } from '../store/driver/sql.ts';
import type { RetentionStep } from '../store/retention.ts';
import type { Mac } from '../vault/mac.ts';
import { handleTogether, ROWS, type Step } from './sweep-round.ts';

/** A sweep's step over rows with a limited life. */
export const createRetentionStep = (sql: Database, { list, take }: RetentionStep, mac?: Mac): Step => ({
  batch: ROWS,
  list: (page) => list(sql, page),
  handle: handleTogether((rows) => take(sql, rows, mac)),
});
