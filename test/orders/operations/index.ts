import { BROWSERS } from './browsers.ts';
import { CALLERS } from './callers.ts';
import type { Operation } from './operation.ts';
import { OPERATORS } from './operators.ts';
import { COMMANDS, OUTSIDERS } from './outside.ts';
import { SWEEPERS, WORKERS } from './workers.ts';

/** All operations that an order can have. */
export const OPERATIONS: readonly Operation[] = [
  ...CALLERS,
  ...BROWSERS,
  ...WORKERS,
  ...SWEEPERS,
  ...OPERATORS,
  ...OUTSIDERS,
  ...COMMANDS,
];
