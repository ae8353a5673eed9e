import { emulationA } from './a/emulation.ts';
import { emulationB } from './b/emulation.ts';
import { emulationC } from './c/emulation.ts';
import type { Emulation } from './emulation.ts';
import { type Letter, PLATFORMS, type Platform } from './model.ts';

/** The one list of the platforms' folders. */
const LIST = {
  PROVIDER_A: emulationA,
  PROVIDER_B: emulationB,
  PROVIDER_C: emulationC,
} satisfies Readonly<Record<Platform, Emulation>>;

export const EMULATIONS: Readonly<Record<Platform, Emulation>> = LIST;

/** The settings of the control API. */
export type SandboxSettings = { readonly [Name in Platform as Letter<Name>]: (typeof LIST)[Name]['defaults'] };

/** The service's settings with the addresses of the platforms, for a sandbox at `url`. */
export const listPlatformUrls = (url: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    PLATFORMS.flatMap((platform) =>
      Object.entries(EMULATIONS[platform].hosts).map(([name, path]) => [name, `${url}${path}`]),
    ),
  );
