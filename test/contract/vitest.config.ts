import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Apart from the other tests: these may go out to the real platforms. One call after the other. */
export default defineConfig({
  root: path.join(import.meta.dirname, '..', '..'),
  test: { include: ['test/contract/*.contract.ts'], testTimeout: 60_000, fileParallelism: false },
});
