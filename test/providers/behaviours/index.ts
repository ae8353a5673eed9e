import { CONNECTING } from './connecting.ts';
import type { Behaviours } from './document.ts';
import { ERRORS } from './errors.ts';
import { GRANTS } from './grants.ts';
import { READING } from './reading.ts';
import { SHARED } from './shared.ts';

/** Every behaviour of the platforms that an adapter must handle, with the tests that prove it. */
export const BEHAVIOURS: Behaviours = {
  byProvider: { ...CONNECTING, ...GRANTS, ...READING, ...ERRORS },
  shared: SHARED,
};
