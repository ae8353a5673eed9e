import { z } from 'zod';

/** How a person answers the consent page that a launch leads to. */
export const ConnectBody = z.strictObject({
  launchUrl: z.url(),
  launchToken: z.string(),
  /** The application's: requests come from its origin, and end there. */
  returnUrl: z.url(),
  account: z.string(),
  deny: z.boolean().optional(),
  /** Leaves out permissions that contain one of these texts, as a person who unticks them. */
  without: z.array(z.string().min(1)).optional(),
});

/** Why the person did not arrive at the application. */
export class JourneyError extends Error {
  override readonly name = 'JourneyError';
}

/**
 * Acts as a person in a browser after the application's page: posts the launch form, decides on the consent page, and follows
 * the redirects to the return URL, which it does not request.
 * @returns the return URL with `ss_session_id`
 * @throws JourneyError with the title of the page at which it ended, and the text of that page
 */
export async function connectAsPerson(connect: z.infer<typeof ConnectBody>): Promise<URL> {
  const { launchUrl, launchToken, returnUrl, account, deny, without = [] } = connect;
  const browser = new Browser(new URL(returnUrl).origin);
  const page = await browser.post(launchUrl, [['launchToken', launchToken]]);
  if (page.html === undefined) return page.url; // The platform sent the person straight back.
  const permissions = readInput(page.html, 'permission').filter(
    (permission) => !without.some((text) => permission.includes(text)),
  );
  const action = /<form[^>]*\baction="([^"]*)"/.exec(page.html)?.[1];
  if (action === undefined) throw new JourneyError(`The launch ended on the page ${describe(page.html)}`);
  if (!readInput(page.html, 'account').includes(account)) {
    throw new JourneyError(`The consent page does not offer the account "${account}": it is not of this platform.`);
  }
  const back = await browser.post(new URL(unescapeHtml(action), page.url).href, [
    ['request', readInput(page.html, 'request')[0] ?? ''],
    ['account', account],
    ['decision', deny === true ? 'deny' : 'allow'],
    ...permissions.map((permission) => ['permission', permission] as const),
  ]);
  if (back.html !== undefined) throw new JourneyError(`The consent ended on the page ${describe(back.html)}`);
  return back.url;
}

interface Page {
  readonly url: URL;
  /** Undefined once the browser is back at the application. */
  readonly html: string | undefined;
}

/** Keeps cookies by origin, and follows redirects and pages that send it on until they lead to the application. */
class Browser {
  readonly #application: string;
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(application: string) {
    this.#application = application;
  }

  async post(address: string, fields: readonly (readonly [string, string])[]): Promise<Page> {
    let url = new URL(address);
    let init: RequestInit = {
      method: 'POST',
      body: new URLSearchParams(fields.map(([name, value]) => [name, value])),
      headers: { origin: url.pathname.endsWith('/redeem') ? this.#application : url.origin },
    };
    for (;;) {
      const headers = new Headers(init.headers);
      const jar = this.#cookies.get(url.origin) ?? new Map<string, string>();
      if (jar.size > 0) headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '));
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
        if (name !== undefined) jar.set(name, value ?? '');
      }
      this.#cookies.set(url.origin, jar);
      const html = await response.text();
      const location = response.headers.get('location') ?? findNextUrl(html);
      if (location === undefined) return { url, html };
      url = new URL(location, url);
      if (url.origin === this.#application) return { url, html: undefined };
      init = { method: 'GET' };
    }
  }
}

/** The URL to which a page redirects the browser. */
function findNextUrl(html: string): string | undefined {
  const url = /<meta http-equiv="refresh" content="0;url=([^"]+)"/.exec(html)?.[1];
  return url && unescapeHtml(url);
}

/** The values of all inputs of a name. */
const readInput = (html: string, name: string): string[] =>
  [...html.matchAll(/<input\b[^>]*>/g)].flatMap(([tag]) =>
    new RegExp(`\\bname="${name}"`).test(tag) ? [unescapeHtml(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? '')] : [],
  );

/** The page's title and its first paragraph. */
function describe(html: string): string {
  const [, title = 'without a title'] = /<title>([^<]*)/.exec(html) ?? [];
  const [, paragraph] = /<p\b[^>]*>(.*?)<\/p>/s.exec(html.slice(html.indexOf('<h1'))) ?? [];
  const text = unescapeHtml((paragraph ?? '').replace(/<[^>]*>/g, '')).trim();
  return `"${unescapeHtml(title)}"${text === '' ? '.' : `: ${text}`}`;
}

const unescapeHtml = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as string] ?? "'",
  );
