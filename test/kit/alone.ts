import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';

/** Tests whose database has no bystanders, with the reason. */
export const ALONE: Readonly<Record<string, string>> = {
  'test/store/fill.test.ts': 'looks at whole tables',
  'test/store/gauges.test.ts': 'looks at whole tables',
  'test/store/migrate.test.ts': 'changes tables',
  'test/store/plans.test.ts': 'counts the rows that plans read',
  'test/store/retention.test.ts': 'acts on all rows that are old',
  'test/store/roles.test.ts': 'tries each right on whole tables',
  'test/activities/reconcile.test.ts': 'acts on all rows that are overdue',
  'bench/': 'measures',
  'test/api/': 'not yet repaired',
  'test/cli/': 'not yet repaired',
  'test/issuers/': 'not yet repaired',
  'test/journal/': 'not yet repaired',
  'test/orders/': 'not yet repaired',
  'test/outbox/': 'not yet repaired',
  'test/worker/': 'not yet repaired',
  'test/year/': 'not yet repaired',
};

/** @returns whether a test file has its database for itself. */
export const isAlone = (file = ''): boolean =>
  Object.keys(ALONE).some((prefix) => path.relative(ROOT, file).startsWith(prefix));
