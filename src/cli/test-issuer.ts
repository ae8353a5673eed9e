import type { CliConfig } from '../config/config.ts';
import { createIssuerTest } from '../identity/test-issuer.ts';
import { createHttp } from '../providers/http.ts';

/** Tests an issuer as the api does, from the machine of the command. */
export async function testIssuer({ DEPLOYMENT }: CliConfig, issuer: string): Promise<string | undefined> {
  const production = DEPLOYMENT === 'production';
  const http = createHttp({ production });
  return await createIssuerTest({ fetch: http.fetch, allowHttp: !production })(issuer);
}
