import { makeKeys } from '../../local/src/development-keys.ts';
import { startApi } from '../../src/api/main.ts';
import { createLog } from '../../src/basics/log.ts';
import { readConfig } from '../../src/config/config.ts';

/** The api as its process starts it, over this database, without a log. */
export const startTestApi = async (url: string, environment: Readonly<Record<string, string>> = {}) =>
  await startApi(
    readConfig('api', {
      ...(await makeKeys()),
      DEPLOYMENT: 'development',
      DATABASE_URL: url,
      CONNECT_URL: 'http://localhost:4000',
      API_PORT: '0',
      ...environment,
    }),
    createLog('silent'),
  );
