import { emulationB } from '../b/emulation.ts';
import type { Emulation } from '../emulation.ts';

/** Mosaic, which does not exist: it answers at the hosts of PROVIDER_B, for the accounts there. */
export const emulationD = {
  ...emulationB,
  hosts: { PROVIDER_D_AUTHORIZE_URL: '/b/www', PROVIDER_D_API_URL: '/b/open' },
  callbacks: [],
  serve: () => null,
} satisfies Emulation;
