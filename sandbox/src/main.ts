import type { ExplorerOptions } from './explorer.ts';
import { startSandbox } from './server.ts';

// biome-ignore lint/style/noProcessEnv: a program of its own, which shares no settings with the service.
const environment = process.env;

/** All of its variables or none are set. */
function readExplorer(): ExplorerOptions | undefined {
  const { SANDBOX_EXPLORER_GRAPHQL_URL: graphqlUrl, SANDBOX_EXPLORER_SCHEMA_URL: schemaUrl } = environment;
  const { SANDBOX_EXPLORER_KEY: key, SANDBOX_EXPLORER_TENANT: tenantKey } = environment;
  const { SANDBOX_EXPLORER_RETURN_URL: returnUrl } = environment;
  return graphqlUrl && schemaUrl && key && tenantKey && returnUrl
    ? { graphqlUrl, schemaUrl, key, tenantKey, returnUrl }
    : undefined;
}

try {
  const sandbox = await startSandbox({
    host: environment.SANDBOX_HOST || undefined,
    port: Number(environment.SANDBOX_PORT || 0),
    url: environment.SANDBOX_URL || undefined,
    seed: environment.SANDBOX_SEED || undefined,
    stateFile: environment.SANDBOX_STATE_FILE || undefined,
    idpRedirectUris: environment.SANDBOX_IDP_REDIRECT_URIS?.split(/[\s,]+/).filter((uri) => uri !== ''),
    startIdp: true,
    explorer: readExplorer(),
    allowNonLoopback: environment.SANDBOX_ALLOW_NON_LOOPBACK === 'true',
  });
  console.log(JSON.stringify({ level: 'info', msg: 'sandbox ready', url: sandbox.url }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
} catch (error) {
  console.error(JSON.stringify({ level: 'error', msg: 'sandbox not started', error: String(error) }));
  process.exitCode = 1;
}
