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
};

export type Config = z.output<z.ZodObject<typeof settings>>;
export type AdapterDeps = DepsWith<Config>;
