import { z } from 'zod';

/** An app to try things with, allowed everything. */
export const DemoApp = z.object({
  id: z.string(),
  key: z.string(),
  tenantKey: z.string(),
  returnUrl: z.string(),
  identityReturnUrl: z.string(),
});
export type DemoApp = z.infer<typeof DemoApp>;
