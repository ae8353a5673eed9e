import { PROVIDER_NAMES } from '../../../src/basics/codes.ts';
import type { SocialProvider } from '../generated/operations.ts';

/** The providers, for filters and forms. */
export const PROVIDERS: readonly SocialProvider[] = PROVIDER_NAMES;
