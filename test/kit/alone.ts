import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';

/** Tests whose database has no bystanders, with the reason. */
const ALONE: Readonly<Record<string, string>> = {
  'test/store/gauges.test.ts': 'looks at whole tables',
  'test/store/migrate.test.ts': 'changes tables',
  'test/store/plans.test.ts': 'counts the rows that plans read',
  'test/store/retention.test.ts': 'acts on all rows that are old',
  'test/activities/unanswered-attempts.test.ts': 'acts on all attempts that are overdue',
  'test/cli/reseal.test.ts': 'seals all values again',
  'test/api/admin/overview.test.ts': 'looks at whole tables',
  'test/api/admin/find.test.ts': 'finds in whole tables',
  'test/worker/own-sweeps.test.ts': 'acts on all rows that are overdue',
  'test/worker/metrics.test.ts': 'looks at whole tables',
  'bench/': 'measures',
  'test/orders/': 'compares whole tables after each order',
};

/** @returns whether a test file has its database for itself. */
export const isAlone = (file = ''): boolean =>
  Object.keys(ALONE).some((prefix) => path.relative(ROOT, file).startsWith(prefix));
