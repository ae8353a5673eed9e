import { z } from 'zod';

/** A base URL without its trailing slash, so that paths can be appended. */
export const baseUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#]/.test(url), 'must have neither query nor fragment')
  .transform((url) => url.replace(/\/+$/, ''));
