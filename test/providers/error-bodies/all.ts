import type { ProviderName } from '../../../src/basics/codes.ts';
import type { ErrorBody } from './body.ts';
import { PROVIDER_A_BODIES } from './provider-a.ts';
import { PROVIDER_B_BODIES } from './provider-b.ts';
import { PROVIDER_C_BODIES } from './provider-c.ts';

export const BODIES: Readonly<Record<ProviderName, readonly ErrorBody[]>> = {
  PROVIDER_A: PROVIDER_A_BODIES,
  PROVIDER_B: PROVIDER_B_BODIES,
  PROVIDER_C: PROVIDER_C_BODIES,
};
