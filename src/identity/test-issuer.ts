import { createDiscovery, type DiscoveryOptions } from './discovery.ts';

/**
 * Asks an issuer for its metadata and signing keys, as a sign-in does.
 * @returns why no person could sign in, as a sentence; undefined if nothing is wrong. Only a sign-in tries our client and its secret.
 */
export type TestIssuer = (issuer: string) => Promise<string | undefined>;

const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const KEYS_TIMEOUT_MS = 5_000;

export const createIssuerTest =
  (options: DiscoveryOptions): TestIssuer =>
  async (issuer) => {
    try {
      const metadata = await createDiscovery(options).getMetadata(issuer); // Without the cache of earlier calls.
      const missing = NEEDED.filter((name) => typeof metadata[name] !== 'string');
      if (missing.length > 0) return `Its metadata lacks ${missing.join(', ')}.`;
      const answer = await options.fetch(String(metadata.jwks_uri), {
        method: 'GET',
        headers: { accept: 'application/json' },
        body: undefined,
        redirect: 'manual',
        signal: AbortSignal.timeout(KEYS_TIMEOUT_MS),
      });
      if (answer.status !== 200) return `Its signing keys cannot be read: HTTP ${answer.status}.`;
      const { keys } = (await answer.json()) as { keys?: unknown };
      return Array.isArray(keys) && keys.length > 0 ? undefined : 'It publishes no signing keys.';
    } catch (error) {
      return `It cannot be read: ${describeCause(error)}.`;
    }
  };

/** What a person can do about codes of the network. */
const ADVICE: Readonly<Partial<Record<string, string>>> = {
  ENOTFOUND: 'its host name is unknown (ENOTFOUND). Check the address, and the DNS of our network',
  EAI_AGAIN: 'its host name could not be looked up (EAI_AGAIN). Check the address, and the DNS of our network',
  ECONNREFUSED: 'its host refuses the connection (ECONNREFUSED). Check the address and its port',
};

/** The innermost cause: `HTTP 404`, a code of the network with what to check, or a library's message. */
function describeCause(error: unknown): string {
  let text = 'no answer';
  for (let cause: unknown = error; cause !== null && typeof cause === 'object'; cause = (cause as Error).cause) {
    if ('status' in cause && typeof cause.status === 'number') return `HTTP ${cause.status}`;
    if ('code' in cause && typeof cause.code === 'string') text = cause.code;
    else if (cause instanceof Error) text = cause.message.replace(/\.$/, '');
  }
  const [code = ''] = /\bE[A-Z]+(?:_[A-Z]+)?\b/.exec(text) ?? [];
  return ADVICE[code] ?? text;
}
