import { EMULATIONS } from './emulations.ts';
import { PLATFORMS } from './model.ts';

/** All kinds of callbacks, each with its platform. */
export const CALLBACK_KINDS = PLATFORMS.flatMap((platform) =>
  EMULATIONS[platform].callbacks.map((callback) => ({ platform, ...callback })),
);
