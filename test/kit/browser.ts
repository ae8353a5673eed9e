import { request } from 'undici';
import { vi } from 'vitest';

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly html: string;
}

interface Launch {
  readonly launchUrl: string;
  readonly launchToken: string;
}

type Fields = readonly (readonly [name: string, value: string])[];

const MOST_REDIRECTS = 10;

/**
 * A plain HTTP client that acts as a browser: it keeps cookies for each host, sends the origin of each navigation,
 * follows redirects and posts forms. Like any browser it ignores ports: a host's cookies go to all its ports.
 */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  /** It does not follow redirects to this prefix: another application takes over there. */
  readonly #stopAt: string;
  /** Every URL it visited or was redirected to, in order. */
  readonly visited: string[] = [];

  constructor(stopAt: string) {
    this.#stopAt = stopAt;
  }

  /** All its cookies by name. */
  get cookies(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#cookies.values()].flatMap((ofHost) => [...ofHost]));
  }

  /** Opens `url` directly, or follows a link to it `from` another page. */
  async open(url: string, from?: string): Promise<Page> {
    return await this.#go(url, { method: 'GET', from });
  }

  /** Posts a form of the page `from`; undefined means a client that does not send its origin. */
  async post(url: string, fields: Fields, from: string | undefined): Promise<Page> {
    return await this.#go(url, { method: 'POST', from, body: encode(fields) });
  }

  /** Posts a launch form. A busy machine may not answer in time, and its page asks the person to try again. */
  async launch({ launchUrl, launchToken }: Launch, from: string): Promise<Page> {
    const again = async () => {
      const page = await this.post(launchUrl, [['launchToken', launchToken]], from);
      return page.status !== 503 && page;
    };
    return await vi.waitUntil(again, { interval: 500 });
  }

  /** Posts the page's form with its hidden fields and the given fields. */
  async submit(page: Page, fields: Fields): Promise<Page> {
    const action = /<form[^>]*\baction="([^"]+)"/.exec(page.html)?.[1];
    if (action === undefined) throw new Error(`No form on ${page.url}: ${page.html.slice(0, 500)}`);
    const hidden = [...page.html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, decodeEntities(value)] as const,
    );
    return await this.post(new URL(decodeEntities(action), page.url).href, [...hidden, ...fields], page.url);
  }

  async #go(url: string, first: { method: 'GET' | 'POST'; from: string | undefined; body?: string }): Promise<Page> {
    let [target, next] = [url, first];
    for (let hop = 0; hop < MOST_REDIRECTS; hop += 1) {
      this.visited.push(target);
      const { method, from, body } = next;
      const response = await request(target, { method, headers: this.#headers(target, next), body: body ?? null });
      for (const line of [response.headers['set-cookie'] ?? []].flat()) this.#keep(new URL(target).hostname, line);
      const html = await response.body.text();
      const location = response.headers.location ?? findNextUrl(html);
      if (typeof location !== 'string') return { url: target, status: response.statusCode, html };
      target = new URL(location, target).href;
      if (target.startsWith(this.#stopAt)) {
        this.visited.push(target);
        return { url: target, status: response.statusCode, html };
      }
      next = { method: 'GET', from };
    }
    throw new Error('Too many redirects');
  }

  /** Fetch metadata, and `Origin` on a POST, describe the page that started the navigation, through all redirects. */
  #headers(target: string, { method, from }: { method: string; from: string | undefined }): Record<string, string> {
    const cookie = [...(this.#cookies.get(new URL(target).hostname) ?? [])].map((pair) => pair.join('=')).join('; ');
    const own = cookie === '' ? {} : { cookie };
    const form = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
    if (method === 'POST' && from === undefined) return { ...own, ...form };
    return {
      ...own,
      ...form,
      ...(method === 'POST' && from !== undefined ? { origin: new URL(from).origin } : {}),
      'sec-fetch-site': siteOf(target, from),
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
  }

  #keep(host: string, line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name === undefined || value === undefined) return;
    const ofHost = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, ofHost);
    if (value === '') ofHost.delete(name);
    else ofHost.set(name, value);
  }
}

function siteOf(target: string, from: string | undefined): string {
  if (from === undefined) return 'none';
  const [to, start] = [new URL(target), new URL(from)];
  if (to.origin === start.origin) return 'same-origin';
  return to.hostname === start.hostname && to.protocol === start.protocol ? 'same-site' : 'cross-site';
}

const encode = (fields: Fields) => new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();

const decodeEntities = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/** The URL to which a page sends the browser automatically. */
export function findNextUrl(html: string): string | undefined {
  const url = /<meta http-equiv="refresh" content="0;url=([^"]+)"/.exec(html)?.[1];
  return url && decodeEntities(url);
}

/** Fetches a callback, and the page of its refusal, which has a URL of its own. */
export async function fetchCallback(url: URL | string, cookie: string): Promise<Response> {
  const init = { headers: { cookie }, redirect: 'manual' } as const;
  const response = await fetch(url, init);
  await response.body?.cancel();
  const location = response.headers.get('location');
  return location && /\/api\/\w+\/refused\?/.test(location) ? await fetch(location, init) : response;
}

/** The fields that allow a consent page with this account and exactly these permissions ticked. */
export const allow = (account: string, permissions: readonly string[]): Fields => [
  ['account', account],
  ...permissions.map((permission) => ['permission', permission] as const),
  ['decision', 'allow'],
];

/** POSTs a form and reads JSON. */
export async function postForm(url: string, fields: Readonly<Record<string, string>>) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
