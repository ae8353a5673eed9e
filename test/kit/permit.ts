import type { RevokePermit } from '../../src/providers/provider.ts';

/** For a test of what lies behind the permit. */
export const PERMIT = {} as RevokePermit;
