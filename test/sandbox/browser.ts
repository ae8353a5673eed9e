/** A plain HTTP client that plays a browser: it keeps cookies, follows redirects as long as told to, and posts forms. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  /** Redirects to this URL's prefix are not followed: they are where the application would take over. */
  readonly #stopAt: string;

  constructor(stopAt: string) {
    this.#stopAt = stopAt;
  }

  async open(url: string): Promise<Page> {
    return await this.#go(url, { method: 'GET' });
  }

  /** Posts the page's form with its hidden fields and these. */
  async submit(page: Page, fields: readonly (readonly [string, string])[]): Promise<Page> {
    const action = /<form[^>]*\baction="([^"]+)"/.exec(page.html)?.[1];
    if (action === undefined) throw new Error(`No form on ${page.url}: ${page.html.slice(0, 500)}`);
    const hidden = [...page.html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const all = [...hidden.map(([, name = '', value = '']) => [name, decodeEntities(value)]), ...fields];
    const body = new URLSearchParams(all.map(([name = '', value = '']) => [name, value]));
    return await this.#go(new URL(decodeEntities(action), page.url).href, { method: 'POST', body });
  }

  async #go(url: string, init: { method: string; body?: URLSearchParams }): Promise<Page> {
    let target = url;
    let request = init;
    for (let hop = 0; hop < 10; hop++) {
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(target, {
        ...request,
        redirect: 'manual',
        headers: cookie === '' ? {} : { cookie },
      });
      for (const line of response.headers.getSetCookie()) this.#keep(line);
      const html = await response.text();
      const location = response.headers.get('location');
      if (location === null) return { url: target, status: response.status, html };
      target = new URL(location, target).href;
      if (target.startsWith(this.#stopAt)) return { url: target, status: response.status, html };
      request = { method: 'GET' };
    }
    throw new Error('Too many redirects');
  }

  #keep(line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name === undefined || value === undefined) return;
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly html: string;
}

const decodeEntities = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');

/** Allows a consent page with this account and exactly these permissions ticked. */
export const allow = (account: string, permissions: readonly string[]): (readonly [string, string])[] => [
  ['account', account],
  ...permissions.map((permission) => ['permission', permission] as const),
  ['decision', 'allow'],
];

/** POSTs a form and reads JSON. */
export async function postForm(url: string, fields: Readonly<Record<string, string>>) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
