/**
 * Whether a form was posted by a page that may launch this app's attempts. Else somebody could post his own token from
 * a page of his, in another person's browser, and have that person's account linked to himself.
 *
 * Every browser sends `Origin` with a cross-origin POST; one that sends `Sec-Fetch-Site` sends it always, so that its
 * absence beside that is a reason for suspicion. `null` is what sandboxed pages send, and pages that hide their origin.
 * A launch is a navigation of the whole page: inside a frame, the far side's consent page could not show itself safely.
 */
export function isLaunchAllowed(headers: Headers, origins: readonly string[]): boolean {
  const destination = headers.get('sec-fetch-dest');
  if (destination !== null && destination !== 'document') return false;
  const origin = headers.get('origin');
  return origin === null ? !headers.has('sec-fetch-site') : origins.includes(origin);
}
