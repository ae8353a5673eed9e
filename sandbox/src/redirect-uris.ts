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
