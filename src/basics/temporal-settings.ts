import { loadClientConnectConfig } from '@temporalio/envconfig';

/** The file and profile that configure Temporal, unless the variables do so alone. */
export interface TemporalProfile {
  readonly TEMPORAL_CONFIG_FILE?: string | undefined;
  readonly TEMPORAL_PROFILE?: string | undefined;
}

/**
 * Reads how to reach Temporal (address, namespace, API key, mutual TLS) from the standard `TEMPORAL_*` variables, or
 * from the TOML file or profile that they name. Ignores the default profile in the user's home directory.
 * @param environment replaces the environment of this process.
 * @throws Error of Temporal's library for an unusable file, profile or value.
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
