import { z } from 'zod';
import { baseUrl } from '../../basics/base-url.ts';
import type { DepsWith } from '../deps.ts';

export const settings = {
  PROVIDER_B_AUTHORIZE_URL: baseUrl.default('https://www.tiktok.com'),
  PROVIDER_B_API_URL: baseUrl.default('https://open.tiktokapis.com'),
  /** The encoding of PROVIDER_B's PKCE challenge, on which its own pages disagree. */
  PROVIDER_B_PKCE: z.enum(['none', 'base64url', 'hex']).default('base64url'),
  /**
   * The maximum age of PROVIDER_B's events by their own timestamp. PROVIDER_B resends an event for 72 hours, perhaps with
   * its first timestamp; handling an event twice does no harm.
   */
  PROVIDER_B_EVENT_MAX_AGE_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .max(30 * 86_400)
    .default(73 * 3_600),
};

export type Config = z.output<z.ZodObject<typeof settings>>;
export type AdapterDeps = DepsWith<Config>;
