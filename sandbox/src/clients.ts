import { EMULATIONS } from './emulations.ts';
import { forEachPlatform, letterOf, type SandboxClient } from './model.ts';

/** The name of the application that `npm start` sets up. */
export const DEMO_APP = 'Demo Studio';

/** The clients that every sandbox starts with. */
export const KNOWN_CLIENTS = forEachPlatform(
  (platform): SandboxClient => ({
    platform,
    clientId: `sandbox-client-${letterOf(platform)}`,
    name: DEMO_APP,
    clientSecret: `sandbox-secret-${letterOf(platform)}`,
    metaSecret: null,
    redirectUris: null,
    project: 'sandbox-project',
    webhookUrl: null,
    dataDeletionUrl: null,
    ...EMULATIONS[platform].client,
  }),
);

/** The client of the OpenID provider. */
export const IDP_CLIENT = { clientId: 'sandbox-idp-client', clientSecret: 'sandbox-idp-secret' } as const;
