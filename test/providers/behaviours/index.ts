import type { Behaviours } from '../../kit/behaviours-document.ts';
import { CONNECTING } from './connecting.ts';
import { ERRORS } from './errors.ts';
import { GRANTS } from './grants.ts';
import { READING } from './reading.ts';
import { SHARED } from './shared.ts';

/** Everything the platforms do that an adapter has to cope with, and the tests that show that ours do. */
export const BEHAVIOURS: Behaviours = {
  byProvider: { ...CONNECTING, ...GRANTS, ...READING, ...ERRORS },
  shared: SHARED,
};
