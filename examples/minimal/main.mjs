// @ts-check
// A whole application in one file: people sign in, connect accounts, see their profile and posts, and disconnect again.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  assertReturn,
  createClient,
  eachConnection,
  launchForm,
  ReturnMismatchError,
  ServiceError,
  verifyWebhook,
  WaitTimeoutError,
  WebhookVerificationError,
  waitForJob,
} from 'social-account-connection-client';

/**
 * A browser: the id of its signed-in person, and the flows from which it may return. The proof of a sign-in stays here. Keep sessions
 * where all your processes find them, and end idle ones.
 * @typedef {{ userId?: string, signIn?: Accounts.IdpIdentitySession, attempts: string[] }} Session
 * @typedef {{ html: string, status?: number, headers?: Readonly<Record<string, string>> } | { to: string }} Reply
 * @import * as Accounts from 'social-account-connection-client'
 * @import { IncomingMessage, Server, ServerResponse } from 'node:http'
 */

const PLATFORMS = { PROVIDER_A: 'YouTube', PROVIDER_B: 'TikTok', PROVIDER_C: 'Instagram' };
/** @type {Accounts.Capability[]} */
const CAPABILITIES = ['PROFILE', 'CONTENT_LIST', 'CONTENT_METRICS'];
/** The consent above the buttons that connect; the links are on every page. Put your own purpose and addresses here. */
const CONSENT = `<p>This application reads the profile, the posts and their counts, to show them to you. It uses YouTube API Services.
  By connecting you agree to the privacy policy, the terms and the YouTube Terms of Service. You can disconnect here at any time.</p>`;
const FOOTER = `<footer><a href="https://app.example/privacy">Privacy policy</a> <a href="https://app.example/terms">Terms</a>
  <a href="https://www.youtube.com/t/terms">YouTube Terms of Service</a>
  <a href="https://policies.google.com/privacy">Google Privacy Policy</a></footer>`;
const BACK = '<p><a href="/">Back</a></p>';
const PATIENCE = { timeoutMs: 60_000 };
const UNFINISHED = ['CREATED', 'AUTHORIZING', 'EXCHANGING'];
/** The last 90 days, the longest window. */
const lastDays = (now = Date.now(), days = 90 * 86_400_000) => ({
  publishedAfter: new Date(now - days).toISOString(),
  publishedBefore: new Date(now).toISOString(),
});

/**
 * @param {Readonly<Record<string, string | undefined>>} settings the variables of the README
 * @returns {Server}
 */
export function startApp(settings) {
  const { PUBLIC_URL: publicUrl = '', TENANT_KEY: tenantKey = '', PORT: port = '8071' } = settings;
  const service = createClient({ url: settings.SERVICE_GRAPHQL_URL ?? '', key: settings.SERVICE_API_KEY ?? '' });
  const webhookSecrets = settings.WEBHOOK_SECRETS?.split(' ') ?? [];
  /** @type {Map<string, Session>} */
  const sessions = new Map();
  /**
   * The newest event of each connection. Events can arrive twice and out of order: `sequence` shows it.
   * @type {Map<string, { type: string, sequence: number }>}
   */
  const events = new Map();

  /** @type {(request: IncomingMessage, session: Session, renew: () => void) => Promise<Reply>} */
  async function route(request, session, renew) {
    const { pathname, searchParams } = new URL(request.url ?? '/', publicUrl);
    const action = `${request.method} ${pathname.replace(/^\/accounts\/[\w-]+/, '/accounts/:id')}`;
    const connectionId = /^\/accounts\/([\w-]+)/.exec(pathname)?.[1] ?? '';

    if (action === 'POST /sign-in') {
      renew();
      const input = { tenantKey, returnUrl: `${publicUrl}/sign-in/return` };
      session.signIn = await service.createIdpIdentitySession({ input });
      return launchForm(session.signIn);
    }
    if (action === 'GET /sign-in/return') {
      const id = assertReturn(searchParams, session.signIn?.id); // Or an attacker signs your user in as himself.
      const resultProof = session.signIn?.resultProof ?? '';
      const result = await until(() => service.redeemIdpIdentityResult({ id, tenantKey, resultProof }), ['PENDING']);
      delete session.signIn; // The proof is spent.
      if (result.status !== 'COMPLETED') return page('Not signed in', '<p>Please try again.</p>', 403);
      // The pair names a person for ever; an e-mail address does not.
      session.userId = createHash('sha256').update(`${result.issuer}\n${result.idpSub}`).digest('hex');
      renew();
      return { to: '/' };
    }
    if (session.userId === undefined) {
      if (action === 'GET /') return page('Sign in', button('/sign-in', 'Sign in'));
      return page('Not signed in', '<p><a href="/">Sign in</a> first.</p>', 403);
    }

    // The scope comes from your own session, never from the request.
    const scope = { tenantKey, externalSubjectId: session.userId };
    if (action === 'GET /') {
      /** @type {string[]} */
      const accounts = [];
      /** @type {(id: string, name: string, note: string) => void} */
      const add = (id, name, note) => {
        accounts.push(`<li><a href="/accounts/${id}">${escapeHtml(name)}</a> (${note})</li>`);
      };
      try {
        for await (const { id, provider, status, profile } of eachConnection(service, { scope }))
          add(id, profile?.displayName ?? PLATFORMS[provider], `${PLATFORMS[provider]}, ${status}`);
      } catch (error) {
        // One account that fails its check fails the list: it can be disconnected.
        if (!(error instanceof ServiceError) || error.connectionId === undefined) throw error;
        add(error.connectionId, 'Account', error.code);
      }
      const buttons = Object.entries(PLATFORMS).map(([one, name]) => button(`/connect?at=${one}`, `Connect ${name}`));
      return page('Your accounts', `<ul>${accounts.join('')}</ul>${CONSENT}${buttons.join('')}`);
    }
    if (action === 'POST /connect') {
      const provider = /** @type {Accounts.SocialProvider} */ (searchParams.get('at'));
      const reconnectConnectionId = searchParams.get('again');
      const target = { provider, reconnectConnectionId, returnUrl: `${publicUrl}/connect/return` };
      const created = await service.createConnectSession({ input: { scope, capabilities: CAPABILITIES, ...target } });
      session.attempts.push(created.id);
      return launchForm(created);
    }
    if (action === 'GET /connect/return') {
      const id = assertReturn(searchParams, session.attempts); // Or an attacker links his account to your user.
      const result = await until(() => service.connectSessionResult({ scope, id }), UNFINISHED);
      if (result.connectionId !== null) return { to: `/accounts/${result.connectionId}` };
      return page('Not connected', `<p>${result.status}: ${result.resultCode}</p>${BACK}`);
    }
    if (action === 'GET /accounts/:id') {
      const { provider, status, profile } = await service.connection({ scope, id: connectionId });
      const again = button(`/connect?at=${provider}&again=${connectionId}`, 'Reconnect');
      const title = profile?.displayName ?? PLATFORMS[provider];
      const event = `<p>Last event: ${events.get(connectionId)?.type ?? 'none'}</p>`;
      const end = event + button(`/accounts/${connectionId}/disconnect`, 'Disconnect');
      if (status !== 'CONNECTED') return page(title, `<p>${status}</p>${again}${end}`);
      const { items } = await service.content({ scope, connectionId, window: { ...lastDays(), first: 20 } });
      const posts = items.map((post) => `<li>${escapeHtml(post.title ?? post.description ?? 'Untitled')}</li>`);
      return page(title, `<ol>${posts.join('')}</ol>${button(`/accounts/${connectionId}/refresh`, 'Refresh')}${end}`);
    }
    if (action === 'POST /accounts/:id/refresh') {
      const { id } = await service.requestRefresh({ scope, connectionId, window: lastDays() });
      const { status, errorCode } = await waitForJob(service, { scope, connectionId, id }, PATIENCE);
      if (status === 'SUCCEEDED') return { to: `/accounts/${connectionId}` };
      return page('Not refreshed', `<p>${errorCode}</p><p><a href="/accounts/${connectionId}">Back</a></p>`);
    }
    if (action === 'POST /accounts/:id/disconnect') {
      const receipts = await service.disconnectConnection({ scope, connectionId });
      /** @type {(id: string) => Promise<Accounts.SyncJob>} */
      const end = (id) => waitForJob(service, { scope, connectionId, id }, PATIENCE);
      const [revoke, erase] = await Promise.all([end(receipts.revokeJobId), end(receipts.eraseJobId)]);
      return page('Disconnected', `<p>Access: ${revoke.status}. Data: ${erase.status}.</p>${BACK}`);
    }
    return page('Not found', BACK, 404);
  }

  /** @type {(request: IncomingMessage) => Promise<number>} */
  async function takeWebhook(request) {
    if (!(Number(request.headers['content-length']) <= 65_536)) return 413;
    const body = await text(request);
    const event = await verifyWebhook({ headers: request.headers, body }, webhookSecrets);
    /** @type {{ connectionId?: string | null, sequence?: number | null }} */
    const { connectionId, sequence } = event.data;
    if (connectionId && sequence && sequence > (events.get(connectionId)?.sequence ?? 0))
      events.set(connectionId, { type: event.type, sequence });
    return 204;
  }

  /** @type {(request: IncomingMessage, response: ServerResponse) => Promise<void>} */
  async function answer(request, response) {
    if (request.url === '/webhooks') return void response.writeHead(await takeWebhook(request)).end();
    let id = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const session = sessions.get(id) ?? { attempts: [] };
    const renew = () => {
      sessions.delete(id); // The new id is known to this browser only.
      id = randomUUID();
      sessions.set(id, session);
    };
    const reply = await route(request, session, renew).catch((error) => explain(error, request.url));
    // `SameSite=Lax`: no other site can send our forms with this cookie.
    const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
    response.setHeader('set-cookie', `session=${id}; HttpOnly; SameSite=Lax; Path=/${secure}`);
    if ('to' in reply) return void response.writeHead(303, { location: reply.to }).end();
    response.writeHead(reply.status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...reply.headers });
    response.end(reply.html);
  }

  /** @type {(response: ServerResponse) => (error: unknown) => void} */
  const fail = (response) => (error) => {
    if (!(error instanceof WebhookVerificationError)) console.error(error);
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  };
  return createServer((request, response) => void answer(request, response).catch(fail(response))).listen(port);
}

/**
 * A text for each failure that a person can do something about; the rest gets the id to quote.
 * @type {(error: unknown, url?: string) => Reply}
 */
function explain(error, url = '') {
  if (error instanceof ReturnMismatchError) return page('This link is invalid', '<p>Please start again.</p>', 403);
  if (error instanceof WaitTimeoutError)
    return page('Still working', '<p>Please reload this page in a minute.</p>', 202);
  if (!(error instanceof ServiceError)) throw error;
  const { code, retryAfterSeconds: seconds = 60, correlationId } = error;
  /** @type {Partial<Record<string, string>>} */
  const advice = {
    RATE_LIMITED: `Please try again in ${seconds} seconds.`,
    UPSTREAM_UNAVAILABLE: 'Please try again in a minute.',
    NOT_FOUND: 'It does not exist, or it was disconnected.',
    AUTHORIZATION_SUSPENDED: 'This account is on hold. Please try again in some minutes.',
    RECONNECT_REQUIRED: 'The access has ended. Please connect the account again.',
  };
  const [account] = /^\/accounts\/[\w-]+/.exec(url) ?? [];
  const end = account && code !== 'NOT_FOUND' ? button(`${account}/disconnect`, 'Disconnect') : '';
  return page(code, `<p>${advice[code] ?? `Please tell us this id: ${correlationId}`}</p>${end}${BACK}`, 502);
}

/**
 * @template {{ status: string }} T
 * @param {() => Promise<T>} read
 * @param {readonly string[]} unfinished
 */
async function until(read, unfinished) {
  for (const endsAt = Date.now() + 30_000; ; ) {
    const result = await read();
    if (!unfinished.includes(result.status)) return result;
    if (Date.now() > endsAt) throw new WaitTimeoutError('The service has no result yet.');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** @type {(action: string, name: string) => string} */
const button = (action, name) => `<form method="post" action="${escapeHtml(action)}"><button>${name}</button></form>`;
/** @type {(value: string) => string} */
const escapeHtml = (value) => value.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

/** @type {(title: string, body: string, status?: number) => Reply} */
function page(title, body, status = 200) {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>`;
  const html = `<!doctype html><html lang="en"><head>${head}</head><body><h1>${escapeHtml(title)}</h1>${body}${FOOTER}</body></html>`;
  return {
    html,
    status,
    headers: { 'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'" },
  };
}

if (process.argv[1] === import.meta.filename) startApp(process.env);
