import type { IncomingMessage } from 'node:http';
import type { Hono } from 'hono';
import type { HttpEnv } from '../../../src/api/http/exchange.ts';

export const CONNECT_URL = 'https://connect.example';
export const APP_ORIGIN = 'https://app.example';

/** The parts of a browser that the flows depend on: it keeps cookies and sends the origin of a form. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #app: Hono<HttpEnv>;
  readonly #address: string;

  constructor(app: Hono<HttpEnv>, address: string) {
    this.#app = app;
    this.#address = address;
  }

  async send(
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: string | Buffer<ArrayBuffer> } = {},
  ): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie && { cookie }), ...init.headers };
    const response = await this.#app.request(
      `${CONNECT_URL}${path}`,
      { ...init, headers },
      bindingsFrom(this.#address),
    );
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.cookies.set(name, value);
    }
    // The page of a refused callback has a URL of its own.
    const location = response.headers.get('location');
    return location?.startsWith(`${CONNECT_URL}/api/`)
      ? await this.send(location.slice(CONNECT_URL.length), init)
      : response;
  }

  /** Posts the form as a page of the app does. Headers can be changed, or omitted with an empty text. */
  launch(flow: 'connect' | 'identity', launchToken: string, changes: Record<string, string> = {}) {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: APP_ORIGIN,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      ...changes,
    };
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    return this.send(`/api/${flow}/redeem`, { method: 'POST', headers: sent, body: `launchToken=${launchToken}` });
  }
}

/** The fields that `getConnInfo` reads of a real connection. */
function bindingsFrom(address: string): HttpEnv['Bindings'] {
  const socket = { remoteAddress: address, remotePort: 1, remoteFamily: 'IPv4' };
  return { incoming: { socket } as IncomingMessage } as HttpEnv['Bindings'];
}
