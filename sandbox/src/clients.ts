import type { Platform, SandboxClient } from './model.ts';

/** The name of the application that `npm start` sets up. */
export const DEMO_APP = 'Demo Studio';

const client = (platform: Platform, letter: string, metaSecret: string | null = null): SandboxClient => ({
  platform,
  clientId: `sandbox-client-${letter}`,
  name: DEMO_APP,
  clientSecret: `sandbox-secret-${letter}`,
  metaSecret,
  redirectUris: null,
  project: 'sandbox-project',
  webhookUrl: null,
  dataDeletionUrl: null,
});

/** The clients that every sandbox starts with. */
export const KNOWN_CLIENTS: Readonly<Record<Platform, SandboxClient>> = {
  PROVIDER_A: client('PROVIDER_A', 'a'),
  PROVIDER_B: client('PROVIDER_B', 'b'),
  PROVIDER_C: client('PROVIDER_C', 'c', 'sandbox-meta-secret-c'),
};

/** The client of the OpenID provider. */
export const IDP_CLIENT = { clientId: 'sandbox-idp-client', clientSecret: 'sandbox-idp-secret' } as const;

/** Whether a redirect URI is registered. Without a list, any loopback callback under `path` is. */
export function isRegisteredRedirectUri(
  redirectUri: string,
  registered: readonly string[] | null,
  path: string,
): boolean {
  if (registered !== null) return registered.includes(redirectUri);
  if (!URL.canParse(redirectUri)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(redirectUri);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return protocol === 'http:' && isLoopback && pathname.startsWith(path) && search === '' && hash === '';
}
