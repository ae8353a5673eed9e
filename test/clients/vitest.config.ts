import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** The client's own tests, in the runtime that `npm run test:client-runtimes` starts. */
export default defineConfig({
  root: path.join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/clients/{calls,jobs,launch,webhooks}.test.ts'],
    setupFiles: ['test/clients/assert-runtime.ts'],
  },
});
