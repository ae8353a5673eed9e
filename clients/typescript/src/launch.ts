import { ReturnMismatchError } from './errors.js';

/** The answer of `createConnectSession` or `createIdpIdentitySession`. */
export interface Launch {
  readonly launchUrl: string;
  readonly launchToken: string;
}

export interface LaunchFormOptions {
  /** The language of the page's texts, for its `lang` attribute. `en` by default. */
  readonly lang?: string;
  /** The title of the page. `Continue` by default. */
  readonly title?: string;
  /** The text of the button, for browsers without script. `Continue` by default. */
  readonly button?: string;
}

export interface LaunchPage {
  /** A whole HTML document. It holds the launch token: send it once, to the browser session that created the attempt. */
  readonly html: string;
  /** Send all of them with the page. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The page that takes a browser to the service: a form that submits itself, with its headers. The launch token is in the form
 * and nowhere else. A browser without script shows the button; with script, it cannot be pressed twice.
 * @throws TypeError when `launchUrl` is not a URL
 */
export function launchForm({ launchUrl, launchToken }: Launch, options: LaunchFormOptions = {}): LaunchPage {
  const { lang = 'en', title = 'Continue', button = 'Continue' } = options;
  const nonce = crypto.randomUUID();
  const formAction = new URL(launchUrl).origin; // The service answers with a page, so the form leads to no other origin.
  const html = [
    '<!doctype html>',
    `<html lang="${escapeHtml(lang)}">`,
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>`,
    '<body>',
    `<form method="post" action="${escapeHtml(launchUrl)}">`,
    `<input type="hidden" name="launchToken" value="${escapeHtml(launchToken)}">`,
    `<button>${escapeHtml(button)}</button>`,
    '</form>',
    `<script nonce="${nonce}">document.forms[0].submit();document.querySelector('button').disabled=true</script>`,
    '</body>',
    '</html>',
  ].join('\n');
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
      'cache-control': 'no-store',
      // The service checks the `Origin` of the form's page. Under `no-referrer` browsers send `null`.
      'referrer-policy': 'strict-origin',
      'x-content-type-options': 'nosniff',
    },
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/**
 * Checks that a browser returned from an attempt that its own session started: `ss_session_id` occurs once and is
 * expected. Without this check an attacker can link his account to your user.
 * @param returned the URL that the browser requested, or its query parameters
 * @param expected the id that you saved in the browser's session, or all of them if a session may have several attempts;
 *   undefined when there is none
 * @returns the id, for `connectSessionResult` or `redeemIdpIdentityResult`
 * @throws ReturnMismatchError show nothing of the attempt and look nothing up
 */
export function assertReturn(
  returned: string | URL | URLSearchParams,
  expected: string | readonly string[] | undefined,
): string {
  const [id, ...more] = queryOf(returned).getAll('ss_session_id');
  const isExpected = typeof expected === 'string' ? id === expected : expected?.some((one) => one === id);
  if (!id || more.length > 0 || !isExpected) {
    throw new ReturnMismatchError('The browser returned from an attempt that its session did not start.');
  }
  return id;
}

function queryOf(returned: string | URL | URLSearchParams): URLSearchParams {
  if (returned instanceof URLSearchParams) return returned;
  return new URL(returned, 'https://relative.invalid').searchParams; // Servers often give the path and query alone.
}
