import { defineConfig } from 'vitest/config';

/** Run by `npm run test:s3`, which starts an S3 server. */
export default defineConfig({ test: { include: ['test/s3/*.s3.ts'], testTimeout: 60_000 } });
