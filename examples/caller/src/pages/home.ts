import { html } from 'hono/html';
import * as api from 'social-account-connection-client';
import type { ProviderEntry } from 'social-account-connection-client/connect-accounts';
import { ASSETS } from '../assets.ts';
import * as ui from '../components.ts';
import { catchRefusal, type Me, newRoutes, type Studio, unlessRefused } from '../context.ts';
import { renderPage } from '../layout.ts';
import { getReconnectUrl } from '../permissions.ts';
import { type ConnectAttempt, listReturnedAttempts } from '../sessions.ts';
import { findAccount, findReceipt, type Receipt, type User } from '../storage.ts';
import {
  ALL_PROVIDERS,
  CONNECTION_STATUS,
  ERRORS,
  getAccountName,
  type Mark,
  PROVIDERS,
  toKnownAccount,
} from '../texts.ts';
import { DAY_MS } from '../window.ts';

const ACCOUNTS_PER_PAGE = 50;
const RECEIPT_DAYS = 7;
const RECENT_MS = 5_000;

/** An account, or the reason why the service does not return it. */
type ShownAccount = Pick<api.Connection, 'id' | 'provider' | 'profile'> &
  Readonly<{ status: api.ConnectionStatus | api.ErrorCode; mark: Mark; name: string }>;

/** The codes with which the service refuses a whole list because of one account. */
const OF_ONE_ACCOUNT: api.ErrorCode[] = [
  'FORBIDDEN',
  'CAPABILITY_UNAVAILABLE',
  'AUTHORIZATION_SUSPENDED',
  'RECONNECT_REQUIRED',
];

export function homeRoutes({ service, storage }: Studio) {
  const routes = newRoutes();
  const readReadiness = () => unlessRefused(service.integrationReadiness());
  // Anyone can request this page, and all requests share the rate limit of one app.
  let recent: { answer: ReturnType<typeof readReadiness>; atMs: number } | undefined;

  routes.get('/', async (c) => {
    const { me } = c.get('visit');
    if (me === undefined) {
      if (!recent || Date.now() - recent.atMs > RECENT_MS) recent = { answer: readReadiness(), atMs: Date.now() };
      return renderPage(c, { title: 'Welcome' }, welcome((await recent.answer)?.idpIdentityAvailable));
    }
    const [answer, accounts, connecting] = await Promise.all([readReadiness(), listAccounts(me), listConnecting(me)]);
    const isListed = (id: string) => accounts.some((account) => account.id === id);
    const receipts = me.user.receipts.filter(
      ({ at, connectionId }) => Date.parse(at) > Date.now() - RECEIPT_DAYS * DAY_MS && !isListed(connectionId),
    );
    const isOpen = (name: string) => answer?.providers.some((one) => one.provider === name && one.available);
    const available = ALL_PROVIDERS.filter(isOpen);
    const page = { title: 'Your accounts', pollSeconds: connecting.length > 0 && 3 };
    return renderPage(c, page, home(accounts, connecting, available, receipts));
  });

  /** The service refuses the whole list if one account fails its check. Then this reads the stored ones one by one. */
  async function listAccounts({ user, scope }: Me): Promise<ShownAccount[]> {
    const listed = await catchRefusal(readAll(scope));
    if (!(listed instanceof api.ServiceError)) {
      storage.replaceAccounts(user, listed.map(toKnownAccount));
      return listed.map((account) => show(account, user));
    }
    if (!OF_ONE_ACCOUNT.includes(listed.code) || user.accounts.length === 0) throw listed;
    const read = user.accounts.map(async ({ connectionId: id, provider, name: stored }): Promise<ShownAccount> => {
      const answer = await catchRefusal(service.connection({ scope, id }));
      if (!(answer instanceof api.ServiceError)) return show(answer, user);
      const { code: status } = answer;
      const name = getAccountName({ provider, profile: null }, { name: stored });
      return { id, provider, profile: null, status, name, mark: { mood: 'bad', name: ERRORS[status].title } };
    });
    return (await Promise.all(read)).filter(({ status }) => status !== 'NOT_FOUND');
  }

  /** The attempts that the service still works on. Their pages show how they end. */
  async function listConnecting({ session, scope }: Me): Promise<ConnectAttempt[]> {
    const read = listReturnedAttempts(session).map(async (attempt) => {
      const result = await unlessRefused(service.connectSessionResult({ scope, id: attempt.id }));
      if (result === undefined) return [];
      attempt.isOver = !['CREATED', 'AUTHORIZING', 'EXCHANGING'].includes(result.status);
      return result.status === 'EXCHANGING' ? [attempt] : [];
    });
    return (await Promise.all(read)).flat();
  }

  async function readAll(scope: Me['scope']): Promise<api.Connection[]> {
    const accounts: api.Connection[] = [];
    const pages = api.eachConnection(service, { scope, first: ACCOUNTS_PER_PAGE });
    for await (const account of pages) accounts.push(account);
    return accounts;
  }

  return routes;
}

const show = (account: api.Connection, user: User): ShownAccount => ({
  ...account,
  mark: CONNECTION_STATUS[account.status],
  // While it is disconnected, only its receipt still has the name.
  name: getAccountName(account, findReceipt(user, account.id) ?? findAccount(user, account.id)),
});

const point = (title: string, text: string) =>
  html`<li class="card"><strong>${title}</strong> <span class="soft">${text}</span></li>`;

const CANNOT_SIGN_IN = ui.callout('wait', 'Sign-in is temporarily unavailable. Please try again later.');

const welcome = (canSignIn = false) =>
  html`<section class="hero">
    <div>
      <h1>All your posts and metrics in one place</h1>
      <p class="lead">
        Connect your accounts at YouTube, TikTok and Instagram, and see your posts and metrics side by side. Disconnect
        at any time and get a receipt.
      </p>
      ${canSignIn ? ui.actionForm('/sign-in', 'Sign in to begin', { kind: 'main' }) : CANNOT_SIGN_IN}
    </div>
    <img src="${ASSETS.sketch.url}" alt="" width="400" height="300" />
    <ul class="points">
      ${point('You choose', 'Choose the permissions for each account.')}
      ${point('You see the reason', 'We tell you what is missing and how to fix it.')}
      ${point('You can leave', 'A disconnect stops access at once and erases your data.')}
    </ul>
  </section>`;

function home(
  accounts: ShownAccount[],
  connecting: ConnectAttempt[],
  available: api.SocialProvider[],
  receipts: Receipt[],
) {
  const cards = [...accounts.map(accountCard), ...connecting.map(connectingCard)];
  const none = html`<p class="soft">You have no accounts yet. Connect the first one below.</p>`;
  const gone = receipts.map(
    ({ connectionId, provider, name, at }) =>
      html`${ui.badge(provider)} <a href="/receipts/${connectionId}"><bdi>${name}</bdi></a>
        <small>${ui.dateTime(at)}</small>`,
  );
  const title = html`<h2>Disconnected in the last seven days</h2>`;
  return html`<h1>Your accounts</h1>
    ${ui.live('accounts', cards.length === 0 ? none : ui.list('accounts', cards))}
    <section>
      <h2>Connect an account</h2>
      ${ui.consent(ALL_PROVIDERS)} ${ui.live('choices', choices(accounts, available))}
    </section>
    ${gone.length > 0 && html`<section>${title}${ui.list('states', gone)}</section>`}`;
}

/** The element, and its content without scripts. */
const choices = (accounts: ShownAccount[], available: api.SocialProvider[]) => {
  const cards = ALL_PROVIDERS.map((provider) => providerCard(provider, available.includes(provider)));
  return html`<connect-accounts action="/connect" providers="${JSON.stringify(listChoices(accounts, available))}">
    ${ui.list('accounts', cards)}
  </connect-accounts>`;
};

/** The entries of `<connect-accounts>`. The accounts themselves are in the list above. */
const listChoices = (accounts: ShownAccount[], available: api.SocialProvider[]): ProviderEntry[] =>
  ALL_PROVIDERS.map((provider) => {
    const canAddAccount = available.includes(provider);
    const { name } = PROVIDERS[provider];
    const own = accounts.filter((one) => one.provider === provider);
    if (!canAddAccount) return { provider, name, state: 'NOT_CONFIGURED' };
    if (own.some(({ status }) => status === 'CONNECTED')) return { provider, name, state: 'CONNECTED', canAddAccount };
    const ended = own.find(({ status }) => status === 'RECONNECT_REQUIRED');
    if (ended === undefined) return { provider, name, state: 'READY', canAddAccount };
    return { provider, name, state: 'RECONNECT_REQUIRED', account: ended.name, connectionId: ended.id };
  });

const accountCard = ({ id, provider, profile, mark, name, status }: ShownAccount) => {
  const platform = ui.mark(provider);
  const link = html`class="card account" href="/connections/${id}"`;
  const account = card(link, ui.avatar(profile?.avatarUrl, name), html`<bdi>${name}</bdi>`, platform, ui.pill(mark));
  const reconnect = ui.linkButton(getReconnectUrl({ id, provider }), 'Reconnect', 'main');
  return status === 'RECONNECT_REQUIRED' ? html`<div class="with-action">${account}${reconnect}</div>` : account;
};

const connectingCard = ({ id, provider }: ConnectAttempt) =>
  card(
    html`class="card account" href="/connect/outcome/${id}"`,
    ui.badge(provider),
    PROVIDERS[provider].name,
    'Connecting…',
  );

const providerCard = (provider: api.SocialProvider, isAvailable: boolean) => {
  const { name, about, slug } = PROVIDERS[provider];
  const link = html`class="card" ${isAvailable && html`href="/connect/${slug}"`}`;
  return card(link, ui.badge(provider), name, isAvailable ? about : 'Temporarily unavailable');
};

const card = (link: ui.Html, picture: ui.Html, name: ui.Html, about: ui.Html, mark?: ui.Html) =>
  html`<a ${link}>
    ${picture}<span class="grow"><strong>${name}</strong> <span class="soft">${about}</span></span>${mark}
  </a>`;
