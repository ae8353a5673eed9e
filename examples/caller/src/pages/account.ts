import { html } from 'hono/html';
import { type Connection, ServiceError, type SyncJob } from 'social-account-connection-client';
import * as ui from '../components.ts';
import * as context from '../context.ts';
import { renderPage } from '../layout.ts';
import { canRead, getReconnectUrl, permissionsCard } from '../permissions.ts';
import { findReceipt } from '../storage.ts';
import * as texts from '../texts.ts';
import { parseSpan, parseView, readWindow, toScanWindow, type View } from '../window.ts';
import { lookupForm } from './post.ts';
import { postSection } from './posts.ts';

const PATH = '/connections/:id';

export function accountRoutes({ config, service, storage }: context.Studio) {
  const routes = context.newRoutes();

  routes.get(PATH, async (c) => {
    const { session, user, key, scope, known, connectionId: id } = context.requireAccount(c);
    const account = await context.catchRefusal(service.connection({ scope, id }));
    if (account instanceof ServiceError) return renderRefusal(c, account);
    storage.saveAccount(user, texts.toKnownAccount(account));
    const isEnded = account.status === 'RECONNECT_REQUIRED';
    const view = parseView(c.req.query(), account.lastSuccessfulSyncAt, known?.scanDays);
    const [content, scan] = await Promise.all([
      !isEnded && canRead(account, 'CONTENT_LIST') ? context.catchRefusal(readWindow(service, key, view)) : undefined,
      readScan(c),
    ]);
    const isRunning = isInProgress(account, scan);
    const isScanOpen = isRunning || (isCutShort(scan) && scan.continuationCursor !== null);
    const lookup =
      account.status === 'CONNECTED' &&
      canRead(account, 'CONTENT_LOOKUP') &&
      html`<article><h2>Look up a post by URL</h2>${lookupForm(id, session.lookup)}</article>`;
    const title = texts.getAccountName(account, known);
    const head = ui.live('head', accountHeader(account, context.toLink(config, account.profile?.profileUrl), title));
    const main = html`${ui.live('progress', scanStatus(account, scan, view), 'polite')}
      ${!isEnded && ui.live('posts', postSection(account, view, content, { isScanOpen, hasTotals: mayAddUp(config, account.provider) }))}`;
    const manage = ui.live('manage', manageCard(account, { offersReconnect: !isEnded }));
    const permissions = ui.live('permissions', permissionsCard(account));
    const aside = isEnded ? html`${manage}` : html`${permissions} ${lookup} ${manage}`;
    return renderPage(c, { title, pollSeconds: isRunning && 2 }, accountPage(main, aside, head));
  });

  routes.post(`${PATH}/refresh`, (c) => startScan(c));
  routes.post(`${PATH}/continue`, async (c) => await startScan(c, { cursor: (await readScan(c))?.continuationCursor }));

  async function startScan(c: context.StudioContext, continued?: { cursor: string | null | undefined }) {
    const { user, key, known, path } = context.requireAccount(c);
    const scanDays = parseSpan(await context.readFields(c));
    const page = `${path}?days=${scanDays}`;
    if (continued && !continued.cursor) {
      // A cursor is valid for a day. After that, the posts may have changed, so the window must be read again.
      const text = 'We can no longer continue this refresh. Press Refresh to start again.';
      return context.redirectTo(c, page, { mood: 'plain', text });
    }
    const window = { ...toScanWindow(scanDays), maxItems: 100 };
    const what = continued ? { continuationCursor: continued.cursor } : { window };
    const asked = await context.catchRefusal(service.requestRefresh({ ...key, ...what }));
    if (asked instanceof ServiceError) return context.redirectWithError(c, page, asked);
    if (known !== undefined) storage.saveAccount(user, { ...known, scanJobId: asked.id, scanDays });
    return c.redirect(page, 303);
  }

  /** The last requested scan; undefined if there is none or the service has deleted its job. */
  async function readScan(c: context.StudioContext): Promise<SyncJob | undefined> {
    const { known, key } = context.requireAccount(c);
    const id = known?.scanJobId;
    return id === undefined ? undefined : await context.unlessRefused(service.syncJob({ ...key, id }));
  }

  /** Shows why the service does not return this account, and still offers to reconnect or disconnect it. */
  function renderRefusal(c: context.StudioContext, error: ServiceError) {
    const { user, known, connectionId: id } = context.requireAccount(c);
    if (error.code === 'NOT_FOUND') {
      if (findReceipt(user, id) !== undefined) return c.redirect(`/receipts/${id}`, 303);
      storage.deleteAccount(user, id);
    }
    if (error.code === 'NOT_FOUND' || known === undefined) throw error;
    const status = error.code === 'RECONNECT_REQUIRED' ? 'RECONNECT_REQUIRED' : 'CONNECTED';
    const main = html`<h1>${ui.badge(known.provider)} ${texts.getAccountName({ ...known, profile: null }, known)}</h1>
      ${ui.refusalNote(error)}`;
    return renderPage(c, texts.ERRORS[error.code], accountPage(main, manageCard({ ...known, id, status })));
  }

  return routes;
}

/** YouTube's terms allow totals and averages of its counts only after it has accepted this use. */
const mayAddUp = ({ YOUTUBE_DERIVED_METRICS }: context.Studio['config'], provider: Connection['provider']): boolean =>
  provider !== 'PROVIDER_A' || YOUTUBE_DERIVED_METRICS === 'accepted';

const accountPage = (main: ui.Html, aside: ui.Html, head?: ui.Html) =>
  html`${ui.backLink()} ${head}<div class="columns"><div>${main}</div><aside>${aside}</aside></div>`;

const isCutShort = (scan: SyncJob | undefined): scan is SyncJob =>
  scan?.status === 'SUCCEEDED' && scan.completeForWindow === false;

const isInProgress = ({ status, syncStatus }: Connection, scan: SyncJob | undefined): boolean =>
  ui.isJobRunning(scan) || (status === 'CONNECTED' && (syncStatus === 'PENDING' || syncStatus === 'RUNNING'));

function accountHeader(account: Connection, url: string | undefined, name: string) {
  const { profile, provider, status } = account;
  const { mood, about } = texts.CONNECTION_STATUS[status];
  const handle = profile?.handle && html`<bdi>${profile.handle.replace(/^@?/, '@')}</bdi>`; // Some platforms omit the @ sign.
  const link = handle && (url === undefined ? handle : html`<a href="${url}" rel="noreferrer">${handle}</a>`);
  const reconnect =
    status === 'RECONNECT_REQUIRED' &&
    html`<div class="row">${ui.linkButton(getReconnectUrl(account), 'Reconnect', 'main')}</div>`;
  return html`<header class="head">
      ${ui.avatar(profile?.avatarUrl, name)}
      <div>
        <h1><bdi>${name}</bdi></h1>
        <p class="soft">${ui.mark(provider)} ${link && html`· ${link}`}</p>
        ${profile?.description && html`<p class="bio" dir="auto">${profile.description}</p>`}
      </div>
      ${ui.pill(texts.CONNECTION_STATUS[status])}
    </header>
    ${about && ui.callout(mood, texts.nameIn(about, provider), reconnect)}`;
}

function scanStatus(account: Connection, scan: SyncJob | undefined, { days }: View): ui.Html {
  const from = texts.PROVIDERS[account.provider].name;
  if (scan !== undefined && ui.isJobRunning(scan))
    return ui.jobProgress(scan, `Reading posts from ${from}`, account.provider);
  if (isInProgress(account, scan)) return ui.progress(`Reading the latest posts from ${from}…`);
  // A reconnect and a newer read leave the failed one behind, whose job can be read for seven days. The head names a lost access.
  if (scan?.status === 'FAILED' && account.syncStatus === 'FAILED' && account.status !== 'RECONNECT_REQUIRED') {
    return ui.callout(
      'bad',
      html`<strong>The last refresh failed.</strong> ${texts.describeJobError(scan.errorCode, account.provider)}`,
    );
  }
  if (!isCutShort(scan)) return null;
  const action = ui.actionForm(`/connections/${account.id}/continue`, 'Continue', { kind: 'main', days });
  const text = html`<strong>There are more posts.</strong> ${texts.describeIncomplete(scan.incompleteReason, account.provider)}`;
  return ui.callout('wait', text, scan.continuationCursor !== null && action);
}

/** Also shown if the service does not return the account. */
function manageCard(account: Pick<Connection, 'id' | 'provider' | 'status'>, { offersReconnect = true } = {}) {
  const { id, status } = account;
  const buttons =
    status === 'DISCONNECTED' || status === 'DELETING'
      ? ui.linkButton(`/receipts/${id}`, 'View progress')
      : html`${offersReconnect && ui.linkButton(getReconnectUrl(account), 'Reconnect', status === 'RECONNECT_REQUIRED' ? 'main' : '')}
          ${ui.linkButton(`/connections/${id}/disconnect`, 'Disconnect…', 'danger')}`;
  return html`<article class="stack"><h2>Manage</h2>${buttons}</article>`;
}
