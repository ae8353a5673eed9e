import { loadClientConnectConfig } from '@temporalio/envconfig';

/** Which file and profile name a Temporal server, where not the variables alone do. */
export interface TemporalProfile {
  readonly TEMPORAL_CONFIG_FILE?: string | undefined;
  readonly TEMPORAL_PROFILE?: string | undefined;
}

/**
 * Where Temporal is, as the standard `TEMPORAL_*` variables say (address, namespace, API key, mutual TLS), or a TOML
 * file or profile they name. A profile that only happens to lie in somebody's home is not for a service.
 * @param environment in place of this process' own.
 * @throws what Temporal's library throws about a file, a profile or a value that cannot be used.
 */
export function readTemporalSettings(
  { TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE }: TemporalProfile,
  environment?: Readonly<Record<string, string | undefined>>,
) {
  const named = TEMPORAL_CONFIG_FILE !== undefined || TEMPORAL_PROFILE !== undefined;
  const overrideEnvVars = Object.fromEntries(
    Object.entries(environment ?? {}).flatMap(([name, text]) => (text ? [[name, text]] : [])),
  );
  const { connectionOptions, namespace } = loadClientConnectConfig({
    disableFile: !named,
    ...(environment && { overrideEnvVars }),
  });
  return { connectionOptions, namespace: namespace ?? 'default' };
}
