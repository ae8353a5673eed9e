import path from 'node:path';
import { listPlatformUrls } from '../../sandbox/src/emulations.ts';
import { PLATFORMS } from '../../sandbox/src/model.ts';
import type { DemoApp } from './demo-app.ts';
import { buildHttpUrl, LOOPBACK } from './ports.ts';
import { isAnswering, type Service } from './service.ts';
import type { StackSettings } from './settings.ts';

/** The project's root, two folders above this file in both `local/src` and `local/dist`. */
export const ROOT = path.join(import.meta.dirname, '..', '..');

/** The environment variables that a developer may set. The stack sets all others. */
const ADJUSTABLE =
  /^(LOG_LEVEL|FAST_PATHS|SUSPEND_SIBLINGS|MASK_NAMES|DATABASE_POOL_SIZE|PROVIDER_[A-Z]_[A-Z_]+|OTEL_[A-Z_]+)$/;

export const pickAdjustments = (given: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value = '']) => (ADJUSTABLE.test(name) ? [[name, value]] : [])),
  );

function environment(settings: StackSettings): Record<string, string> {
  const sandbox = buildHttpUrl(settings.ports.sandbox);
  const { VAULT_EDGE_KEYS, VAULT_MAC_KEYS } = settings.keys;
  return {
    ...baseEnvironment(),
    DEPLOYMENT: 'development',
    INSTALLATION_NAME: 'Local',
    DATABASE_URL: settings.databaseUrl,
    CONNECT_URL: buildHttpUrl(settings.ports.api),
    CONNECT_LAUNCHES_PER_ADDRESS: '1000000', // All people share one address.
    ...settings.temporal,
    VAULT_EDGE_KEYS,
    VAULT_MAC_KEYS,
    ...listPlatformUrls(sandbox),
    ...settings.adjustments,
  };
}

/** Creates the environment for operators' commands, including those that open sealed values, and for `temporal`. */
export function createCommandEnvironment(settings: StackSettings): Record<string, string> {
  const { VAULT_INBOX_PUBLIC_KEYS, VAULT_INBOX_PRIVATE_KEYS, VAULT_GRANT_KEYS } = settings.keys;
  const { PATH: _, ...ours } = environment(settings);
  return { ...ours, VAULT_INBOX_PUBLIC_KEYS, VAULT_INBOX_PRIVATE_KEYS, VAULT_GRANT_KEYS };
}

const baseEnvironment = (): Record<string, string> => ({ PATH: process.env.PATH ?? '', TZ: 'UTC' });

/** The built service. */
const SERVICE = path.join('dist', 'main.js');

function program(
  name: string,
  script: string,
  args: readonly string[],
): Pick<Service, 'name' | 'program' | 'args' | 'cwd'> {
  const file = path.join(ROOT, script);
  return { name, program: process.execPath, args: ['--enable-source-maps', file, ...args], cwd: ROOT };
}

/** The sandbox: all platforms on their own wire formats. With an app, also a GraphQL explorer that asks in its name. */
export function createSandboxService({ ports, folder }: StackSettings, app: DemoApp | undefined): Service {
  return {
    ...program('sandbox', path.join('sandbox', 'dist', 'main.js'), []),
    env: {
      ...baseEnvironment(),
      SANDBOX_HOST: LOOPBACK,
      SANDBOX_PORT: String(ports.sandbox),
      SANDBOX_URL: buildHttpUrl(ports.sandbox),
      SANDBOX_STATE_FILE: path.join(folder, 'sandbox.json'),
      ...(app && {
        SANDBOX_EXPLORER_GRAPHQL_URL: `${buildHttpUrl(ports.api)}/graphql`,
        SANDBOX_EXPLORER_SCHEMA_URL: `${buildHttpUrl(ports.api)}/schema.graphql`,
        SANDBOX_EXPLORER_KEY: app.key,
        SANDBOX_EXPLORER_TENANT: app.tenantKey,
        SANDBOX_EXPLORER_RETURN_URL: app.returnUrl,
      }),
    },
    stop: { signal: 'SIGTERM', patienceMs: 3_000 },
    isReady: () => isAnswering(buildHttpUrl(ports.sandbox)),
  };
}

/** The address of the Temporal UI, if the stack runs its own Temporal server. */
const temporalUi = ({ ports, temporal }: StackSettings): Record<string, string> =>
  temporal.TEMPORAL_ADDRESS === `${LOOPBACK}:${ports.temporal}` && ports.temporalUi > 0
    ? { TEMPORAL_UI_URL: buildHttpUrl(ports.temporalUi) }
    : {};

/** Short, so that Ctrl-C is quick. The kill comes later than the grace period. */
const GRACE = { SHUTDOWN_GRACE_SECONDS: '3' };
const STOP = { signal: 'SIGTERM', patienceMs: 6_000 } as const;

/** Port 0 means no metrics: tests do not read them. */
const metricsPort = (name: string, port: number): Record<string, string> => (port > 0 ? { [name]: String(port) } : {});

export function createApiService(settings: StackSettings): Service {
  const { ports, keys } = settings;
  return {
    ...program('api', SERVICE, ['api']),
    env: {
      ...environment(settings),
      API_HOST: LOOPBACK,
      API_PORT: String(ports.api),
      VAULT_INBOX_PUBLIC_KEYS: keys.VAULT_INBOX_PUBLIC_KEYS,
      ...metricsPort('API_METRICS_PORT', ports.apiMetrics),
      ...temporalUi(settings),
      ...GRACE,
    },
    stop: STOP,
    isReady: () => isAnswering(`${buildHttpUrl(ports.api)}/readyz`),
  };
}

export function createWorkerService(settings: StackSettings): Service {
  const { ports, keys } = settings;
  return {
    ...program('worker', SERVICE, ['worker']),
    env: {
      ...environment(settings),
      WORKER_HEALTH_PORT: String(ports.workerHealth),
      ...metricsPort('WORKER_METRICS_PORT', ports.metrics),
      VAULT_GRANT_KEYS: keys.VAULT_GRANT_KEYS,
      VAULT_INBOX_PRIVATE_KEYS: keys.VAULT_INBOX_PRIVATE_KEYS,
      ...GRACE,
    },
    stop: STOP,
    isReady: () => isAnswering(`${buildHttpUrl(ports.workerHealth)}/readyz`),
  };
}

/** The origins of real consent pages that a developer has set: a browser may leave for them only if a page names them. */
const listAuthorizationOrigins = (adjustments: StackSettings['adjustments'] = {}): string[] =>
  Object.entries(adjustments).flatMap(([name, url]) => (/_AUTHORIZE_URL$/.test(name) ? [new URL(url).origin] : []));

/** The example caller, the application that a person opens. */
export function createCallerService({ ports, folder, adjustments }: StackSettings, app: DemoApp): Service {
  const [api, sandbox] = [buildHttpUrl(ports.api), buildHttpUrl(ports.sandbox)];
  const real = listAuthorizationOrigins(adjustments);
  return {
    ...program('caller', path.join('examples', 'caller', 'dist', 'main.js'), []),
    env: {
      ...baseEnvironment(),
      HOST: LOOPBACK,
      PORT: String(ports.caller),
      PUBLIC_URL: buildHttpUrl(ports.caller),
      SERVICE_GRAPHQL_URL: `${api}/graphql`,
      SERVICE_API_KEY: app.key,
      TENANT_KEY: app.tenantKey,
      IMAGE_SOURCES: real.length > 0 ? `${sandbox} https:` : sandbox,
      VISIT_URL: `${sandbox}/visit`,
      WEBHOOK_SECRETS: app.webhook?.secret ?? '',
      ...Object.fromEntries(PLATFORMS.map((platform) => [`${platform}_APPS_URL`, sandbox])),
      DATA_FILE: path.join(folder, 'caller.json'),
    },
    stop: { signal: 'SIGTERM', patienceMs: 3_000 },
    isReady: () => isAnswering(`${buildHttpUrl(ports.caller)}/healthz`),
  };
}
