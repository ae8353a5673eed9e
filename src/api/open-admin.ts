import type { Client } from '@temporalio/client';
import type { Closings } from '../basics/closings.ts';
import { readTemporalSettings } from '../basics/temporal-settings.ts';
import { type ApiConfig, ConfigError } from '../config/config.ts';
import { createOperatorSignIn } from '../identity/operator-sign-in.ts';
import { createIssuerTest } from '../identity/test-issuer.ts';
import { createHttp, type Http } from '../providers/http.ts';
import { createBusinessClock } from '../store/business-clock.ts';
import { createWorkflowAsker } from '../temporal/ask-workflow.ts';
import { createAdmin } from './admin/admin.ts';
import { createTemporalUi } from './admin/temporal-ui.ts';
import type { ApiDeps } from './deps.ts';
import type { GraphqlOptions } from './graphql/contract.ts';

interface Shared {
  readonly temporal: Client;
  readonly http: Http;
  readonly mayServe: () => void;
  readonly createFast: GraphqlOptions['createFast'];
}

/** Opens the operators' part: its questions to Temporal, and the sign-in of operators. @throws ConfigError */
export function openAdmin(
  deps: ApiDeps,
  { temporal, http, mayServe, createFast }: Shared,
  closings: Closings,
): ReturnType<typeof createAdmin> {
  const { config } = deps;
  const production = config.DEPLOYMENT === 'production';
  const asker = closings.add(createWorkflowAsker(temporal, config.TASK_QUEUE));
  // Only its settings name the issuer of operators. Those of callers' issuers never reach a private network.
  const privateNetworks = config.ADMIN_OIDC_PRIVATE_NETWORKS ?? [];
  const operatorsHttp = closings.add(createHttp({ production, privateNetworks }));
  return createAdmin(
    {
      ...deps,
      temporalUi: createTemporalUi(config.TEMPORAL_UI_URL, readTemporalSettings(config).namespace),
      askWorkflow: asker.ask,
      countFailing: asker.countFailing,
      askWorkers: asker.askWorkers,
      testIssuer: createIssuerTest({ fetch: http.fetch, allowHttp: !production }),
      maskNames: config.MASK_NAMES ?? production,
    },
    {
      secure: isAdminSecure(config),
      openId: createOpenIdOptions(config, operatorsHttp, !production),
      installation: {
        name: config.INSTALLATION_NAME ?? (production ? 'Production' : 'Development'),
        color: config.INSTALLATION_COLOR,
      },
      mayServe,
      createFast,
    },
  );
}

/** @returns true if operators' browsers use https. A proxy terminates TLS, so only the configuration knows. */
export const isAdminSecure = ({ DEPLOYMENT, ADMIN_URL }: ApiConfig): boolean =>
  DEPLOYMENT === 'production' || ADMIN_URL?.startsWith('https://') === true;

/** Reads the OpenID Connect settings of the operators' sign-in. Either all or none are configured. */
function createOpenIdOptions(config: ApiConfig, http: Http, allowHttp: boolean) {
  const { ADMIN_URL, ADMIN_OIDC_ISSUER, ADMIN_OIDC_CLIENT_ID, ADMIN_OIDC_CLIENT_SECRET, ADMIN_OIDC_ROLES } = config;
  if (ADMIN_OIDC_ISSUER === undefined) return undefined;
  if (!ADMIN_URL || !ADMIN_OIDC_CLIENT_ID || !ADMIN_OIDC_CLIENT_SECRET || !ADMIN_OIDC_ROLES) {
    throw new ConfigError([
      'ADMIN_OIDC_ISSUER needs ADMIN_URL, ADMIN_OIDC_CLIENT_ID, ADMIN_OIDC_CLIENT_SECRET and ADMIN_OIDC_ROLES',
    ]);
  }
  const issuer = {
    issuer: ADMIN_OIDC_ISSUER,
    clientId: ADMIN_OIDC_CLIENT_ID,
    clientSecret: ADMIN_OIDC_CLIENT_SECRET,
    tokenAuthMethod: config.ADMIN_OIDC_TOKEN_AUTH_METHOD,
  };
  const asked = { scopes: config.ADMIN_OIDC_SCOPES, groupClaim: config.ADMIN_OIDC_GROUP_CLAIM };
  const clock = createBusinessClock();
  const signIn = createOperatorSignIn(issuer, asked, { fetch: http.fetch, allowHttp, now: clock.now });
  return { signIn, clock, roles: ADMIN_OIDC_ROLES, adminUrl: ADMIN_URL };
}
