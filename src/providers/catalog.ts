import { forEachProvider } from '../basics/codes.ts';
import type { Catalog } from './facts.ts';
import { PLATFORMS, type ProviderConfig } from './platforms.ts';

/** Lists the facts of every supported platform. Pure: nothing here makes a request. */
export const createCatalog = (config: ProviderConfig): Catalog =>
  forEachProvider((name) => PLATFORMS[name].createFacts(config));
