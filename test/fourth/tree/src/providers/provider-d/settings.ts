import { z } from 'zod';
import { baseUrl } from '../../basics/base-url.ts';
import type { DepsWith } from '../deps.ts';

export const settings = {
  PROVIDER_D_LOGIN_URL: baseUrl.default('https://login.mosaic.example'),
  PROVIDER_D_API_URL: baseUrl.default('https://api.mosaic.example'),
  /** How old a callback may be. */
  PROVIDER_D_CALLBACK_MAX_AGE_SECONDS: z.coerce.number().int().min(60).default(3_600),
};

export type Config = z.output<z.ZodObject<typeof settings>>;
export type AdapterDeps = DepsWith<Config>;
