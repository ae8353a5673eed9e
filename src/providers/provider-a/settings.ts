import { z } from 'zod';
import { baseUrl } from '../../basics/base-url.ts';
import type { DepsWith } from '../deps.ts';

export const settings = {
  PROVIDER_A_AUTHORIZE_URL: baseUrl.default('https://accounts.google.com'),
  PROVIDER_A_TOKEN_URL: baseUrl.default('https://oauth2.googleapis.com'),
  PROVIDER_A_API_URL: baseUrl.default('https://www.googleapis.com/youtube/v3'),
  /** How many days before its publication a video may have been uploaded so that a scan still finds it. */
  PROVIDER_A_UPLOAD_MARGIN_DAYS: z.coerce.number().int().min(0).max(3_650).default(30),
};

export type Config = z.output<z.ZodObject<typeof settings>>;
export type AdapterDeps = DepsWith<Config>;
