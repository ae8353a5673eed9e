/**
 * Checks that a page of this app posted the form. Without this check, an attacker could post their own token in another
 * person's browser and link that person's account to themselves.
 *
 * Every browser sends `Origin` with a cross-origin POST. Browsers that send `Sec-Fetch-Site` always send `Origin` too,
 * so a request with only the former is suspicious. Sandboxed pages and pages that hide their origin send `null`. A
 * launch must navigate the whole page, because a consent page inside a frame is open to clickjacking.
 */
export function isLaunchAllowed(headers: Headers, origins: readonly string[]): boolean {
  const destination = headers.get('sec-fetch-dest');
  if (destination !== null && destination !== 'document') return false;
  const origin = headers.get('origin');
  return origin === null ? !headers.has('sec-fetch-site') : origins.includes(origin);
}
