import { randomUUID } from 'node:crypto';
import { createApp } from '../../examples/caller/src/app.ts';
import { type Config, readConfig } from '../../examples/caller/src/config.ts';
import { FakeService } from './fake-service.ts';

export const PUBLIC_URL = 'https://studio.example';
export const KEY = `${randomUUID()}.${'0123456789abcdef'.repeat(4)}`;

const VARIABLES = {
  PUBLIC_URL,
  SERVICE_GRAPHQL_URL: 'https://accounts.example/graphql',
  SERVICE_API_KEY: KEY,
  TENANT_KEY: 'studio',
  PROVIDER_C_APPS_URL: 'https://provider-c.example/apps',
};

type App = ReturnType<typeof createApp>;

/** The application over a fake service. */
export function openStudio(changes: Readonly<Record<string, string>> = {}) {
  const service = new FakeService();
  const config: Config = readConfig({ ...VARIABLES, ...changes });
  const app = createApp(config, { fetch: service.fetch });
  return { app, service, config, visitor: (address?: string) => new Visitor(app, service, address) };
}

export interface Person {
  readonly issuer: string;
  readonly idpSub: string;
  readonly name?: string | null;
  readonly email?: string;
}

export const ROWAN: Person = { issuer: 'https://idp.example', idpSub: '1001', name: 'Rowan' };
export const NOOR: Person = { issuer: 'https://idp.example', idpSub: '1002', name: 'Noor' };

/** The application, and a browser in which Rowan is signed in. */
export async function openSignedIn(changes?: Readonly<Record<string, string>>) {
  const studio = openStudio(changes);
  const rowan = studio.visitor();
  await rowan.signIn(ROWAN);
  return { ...studio, rowan };
}

/** The scopes of all connect attempts, in order. */
export const scopesOf = (service: FakeService) =>
  service
    .callsOf('createConnectSession')
    .map(({ args }) => (args.input as { scope: { tenantKey: string; externalSubjectId: string } }).scope);

let visitors = 0;
function newAddress(): string {
  visitors += 1;
  return `198.51.100.${visitors % 256}`;
}

/** A browser with its own address unless one is given. It keeps cookies, sends the origin of its forms, and records all responses. */
export class Visitor {
  readonly #app: App;
  readonly #service: FakeService;
  /** The network connection, as the server sees it. */
  readonly #env: object;
  readonly #cookies = new Map<string, string>();
  /** The headers and bodies of all responses. */
  received = '';

  constructor(app: App, service: FakeService, address = newAddress()) {
    this.#app = app;
    this.#service = service;
    const socket = { remoteAddress: address, remotePort: 1, remoteFamily: address.includes(':') ? 'IPv6' : 'IPv4' };
    this.#env = { incoming: { socket } };
  }

  get cookie(): string {
    return [...this.#cookies].map((pair) => pair.join('=')).join('; ');
  }

  set cookie(line: string) {
    this.#cookies.clear();
    for (const pair of line.split('; ').filter((one) => one !== '')) {
      const [name = '', value = ''] = pair.split('=');
      this.#cookies.set(name, value);
    }
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}) {
    return await this.#send(path, { headers });
  }

  async post(
    path: string,
    fields: Readonly<Record<string, string>> | URLSearchParams = {},
    headers: Readonly<Record<string, string>> = { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' },
  ) {
    const body = new URLSearchParams(fields);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return await this.#send(path, { method: 'POST', headers: { ...type, ...headers }, body: body.toString() });
  }

  /** Runs the whole sign-in, which the service completes as this person. */
  async signIn(person: Person): Promise<void> {
    this.#service.answers.redeemIdpIdentityResult = () => ({ status: 'COMPLETED', name: null, ...person });
    await this.post('/sign-in');
    await this.get('/sign-in/launch');
    await this.get(`/sign-in/return?ss_session_id=${this.#service.lastIds.get('identity')}`);
    const { location } = await this.get('/sign-in/finish');
    if (location !== '/') throw new Error(`The sign-in ended at ${location}.`);
  }

  /** Starts an attempt to connect an account. @returns the attempt's id. */
  async begin(fields: Readonly<Record<string, string>> = { capability: 'PROFILE' }, slug = 'b'): Promise<string> {
    const { location, text } = await this.post(`/connect/${slug}`, fields);
    const id = /^\/connect\/launch\/(.+)$/.exec(location ?? '')?.[1];
    if (id === undefined) throw new Error(`No attempt: ${location} ${text}`);
    return id;
  }

  async #send(path: string, init: RequestInit) {
    const headers = { ...(init.headers as Record<string, string>), cookie: this.cookie };
    const response = await this.#app.request(`${PUBLIC_URL}${path}`, { ...init, headers }, this.#env);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const text = await response.text();
    this.received += `${[...response.headers].map((pair) => pair.join(': ')).join('\n')}\n\n${text}\n\n`;
    return { status: response.status, headers: response.headers, location: response.headers.get('location'), text };
  }
}
