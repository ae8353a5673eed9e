import type { z } from 'zod';
import type { ProviderName } from '../basics/codes.ts';
import type { ChecklistItem } from './checklist.ts';
import type { DepsWith } from './deps.ts';
import type { ProviderFacts } from './facts.ts';
import type { Provider } from './provider.ts';
import { providerA } from './provider-a/platform.ts';
import { providerB } from './provider-b/platform.ts';
import { providerC } from './provider-c/platform.ts';

/** Everything that the service knows of a platform, from its folder. */
interface Platform {
  /** The environment variables that api, worker and try-provider read. Each name begins with the provider's. */
  readonly settings: z.ZodRawShape;
  /** The calls a second to the platform, over all workers, unless the operator sets another number. */
  readonly callsPerSecond: number;
  // The list below checks that each takes its own settings.
  readonly createFacts: (config: never) => ProviderFacts;
  readonly createAdapter: (deps: DepsWith<never>) => Provider;
  /** The checklist for an operator at the platform. */
  readonly checklist: readonly ChecklistItem[];
}

/** The one list of the platforms' folders. */
export const PLATFORMS = {
  PROVIDER_A: providerA,
  PROVIDER_B: providerB,
  PROVIDER_C: providerC,
} satisfies Readonly<Record<ProviderName, Platform>>;

type AllOf<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Settings = AllOf<(typeof PLATFORMS)[ProviderName]['settings']> &
  Record<`${ProviderName}_API_URL`, z.ZodType<string>>;

/** The settings of all platforms. `config/config.ts` reads them. */
export const PROVIDER_SETTINGS = Object.assign({}, ...Object.values(PLATFORMS).map(({ settings }) => settings)) as {
  [Name in keyof Settings]: Settings[Name];
};
export type ProviderConfig = z.output<z.ZodObject<typeof PROVIDER_SETTINGS>>;
