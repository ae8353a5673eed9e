import { z } from 'zod';
import { baseUrl } from '../../basics/base-url.ts';
import type { DepsWith } from '../deps.ts';

export const settings = {
  PROVIDER_C_AUTHORIZE_URL: baseUrl.default('https://www.instagram.com'),
  PROVIDER_C_TOKEN_URL: baseUrl.default('https://api.instagram.com'),
  PROVIDER_C_API_URL: baseUrl.default('https://graph.instagram.com'),
  PROVIDER_C_API_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/)
    .default('v25.0'),
  /** Whether a lookup follows share links, which no API of the platform resolves. */
  PROVIDER_C_SHARE_LINKS: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
};

export type Config = z.output<z.ZodObject<typeof settings>>;
export type AdapterDeps = DepsWith<Config>;
