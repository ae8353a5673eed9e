import type { RevokePermit } from '../../src/providers/provider.ts';

/** For a test of the code behind the permit. */
export const PERMIT = {} as RevokePermit;
