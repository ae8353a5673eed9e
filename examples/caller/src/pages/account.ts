import { html } from 'hono/html';
import { type Connection, ServiceError, type SyncJob } from 'social-account-connection-client';
import * as ui from '../components.ts';
import {
  catchRefusal,
  newRoutes,
  readFields,
  redirectTo,
  redirectWithError,
  requireUser,
  type Studio,
  type StudioContext,
  toVisit,
} from '../context.ts';
import { toWebUrl } from '../format.ts';
import { renderPage } from '../layout.ts';
import { canRead, getReconnectUrl, permissionsCard } from '../permissions.ts';
import { findAccount, findReceipt } from '../storage.ts';
import {
  CONNECTION_STATUS,
  describeIncomplete,
  describeJobError,
  ERRORS,
  getAccountName,
  PROVIDERS,
} from '../texts.ts';
import { parseSpan, parseView, readWindow, toScanWindow, type View } from '../window.ts';
import { lookupForm } from './lookup.ts';
import { postSection } from './posts.ts';

const PATH = '/connections/:id';

/** The page of one account, and its actions: refresh and continue. */
export function accountRoutes({ config, service, storage }: Studio) {
  const routes = newRoutes();

  routes.get(PATH, async (c) => {
    const { session, user, scope } = requireUser(c);
    const id = c.req.param('id');
    const account = await catchRefusal(service.connection({ scope, id }));
    if (account instanceof ServiceError) return renderRefusal(c, id, account);
    storage.saveAccount(user, { connectionId: id, provider: account.provider });
    const view = parseView(c.req.query(), account.lastSuccessfulSyncAt, findAccount(user, id)?.scanDays);
    const [content, scan] = await Promise.all([
      canRead(account, 'CONTENT_LIST') ? catchRefusal(readWindow(service, scope, id, view)) : undefined,
      readScan(c, id),
    ]);
    const isRunning = isInProgress(account, scan);
    const canContinue =
      scan?.status === 'SUCCEEDED' && scan.completeForWindow === false && scan.continuationCursor !== null;
    const lookup =
      canRead(account, 'CONTENT_LOOKUP') &&
      html`<article><h2>Look up a post by URL</h2>${lookupForm(id, session.lookups.get(id))}</article>`;
    return renderPage(
      c,
      { title: getAccountName(account), pollSeconds: isRunning && 2 },
      html`${ui.backLink()}
        ${ui.live('head', accountHeader(account, toWebUrl(toVisit(config, account.profile?.profileUrl))))}
        <div class="columns">
          <div>
            ${ui.live('progress', scanStatus(account, scan, view), 'polite')}
            ${ui.live('posts', postSection(account, view, content, isRunning || canContinue))}
          </div>
          <aside>
            ${ui.live('permissions', permissionsCard(account))} ${lookup} ${ui.live('manage', manageCard(account))}
          </aside>
        </div>`,
    );
  });

  routes.post(`${PATH}/refresh`, async (c) => {
    const days = parseSpan(await readFields(c));
    return await startScan(c, { window: { ...toScanWindow(days), maxItems: 100 } }, days);
  });

  routes.post(`${PATH}/continue`, async (c) => {
    const days = parseSpan(await readFields(c));
    const cursor = (await readScan(c, c.req.param('id')))?.continuationCursor;
    if (cursor) return await startScan(c, { continuationCursor: cursor }, days);
    // A cursor is valid for a day. After that, the posts may have changed, so the window must be read again.
    const text = 'We can no longer continue this refresh. Press Refresh to start again.';
    return redirectTo(c, `/connections/${c.req.param('id')}?days=${days}`, { mood: 'plain', text });
  });

  async function startScan(
    c: StudioContext,
    what: { window: ReturnType<typeof toScanWindow> & { maxItems: number } } | { continuationCursor: string },
    scanDays: number,
  ): Promise<Response> {
    const { user, scope } = requireUser(c);
    const connectionId = c.req.param('id') ?? '';
    const path = `/connections/${connectionId}?days=${scanDays}`;
    const asked = await catchRefusal(service.requestRefresh({ scope, connectionId, ...what }));
    if (asked instanceof ServiceError) return redirectWithError(c, path, asked);
    const known = findAccount(user, connectionId);
    if (known !== undefined) storage.saveAccount(user, { ...known, scanJobId: asked.id, scanDays });
    return c.redirect(path, 303);
  }

  /** The last requested scan; undefined if there is none or the service has deleted its job. */
  async function readScan(c: StudioContext, connectionId: string): Promise<SyncJob | undefined> {
    const { user, scope } = requireUser(c);
    const id = findAccount(user, connectionId)?.scanJobId;
    const answer = id === undefined ? id : await catchRefusal(service.syncJob({ scope, connectionId, id }));
    return answer instanceof ServiceError ? undefined : answer;
  }

  /** Shows why the service does not return this account, and still offers to reconnect or disconnect it. */
  function renderRefusal(c: StudioContext, connectionId: string, error: ServiceError) {
    const { user } = requireUser(c);
    const known = findAccount(user, connectionId);
    if (error.code === 'NOT_FOUND') {
      if (findReceipt(user, connectionId) !== undefined) return c.redirect(`/receipts/${connectionId}`, 303);
      storage.deleteAccount(user, connectionId);
    }
    if (error.code === 'NOT_FOUND' || known === undefined) throw error;
    const status = error.code === 'RECONNECT_REQUIRED' ? 'RECONNECT_REQUIRED' : 'CONNECTED';
    const { provider } = known;
    return renderPage(
      c,
      ERRORS[error.code],
      html`${ui.backLink()}
        <div class="columns">
          <div>
            <h1>${ui.badge(provider)} ${getAccountName({ provider, profile: null })}</h1>
            ${ui.refusalNote(error)}
          </div>
          <aside>${manageCard({ id: connectionId, provider, status })}</aside>
        </div>`,
    );
  }

  return routes;
}

/** Whether work is running that will change the page. */
const isInProgress = ({ status, syncStatus }: Connection, scan: SyncJob | undefined): boolean =>
  ui.isJobRunning(scan) || (status === 'CONNECTED' && (syncStatus === 'PENDING' || syncStatus === 'RUNNING'));

function accountHeader(account: Connection, url: string | undefined) {
  const { profile, provider, status } = account;
  const name = getAccountName(account);
  const { mood, about } = CONNECTION_STATUS[status];
  const handle = profile?.handle && html`<bdi>${profile.handle.replace(/^@?/, '@')}</bdi>`; // Some platforms omit the @ sign.
  const link = handle && (url === undefined ? handle : html`<a href="${url}" rel="noreferrer">${handle}</a>`);
  const bio = profile?.description && html`<p class="bio" dir="auto">${profile.description}</p>`;
  return html`<header class="head">
      ${ui.avatar(profile?.avatarUrl, name)}
      <div>
        <h1><bdi>${name}</bdi></h1>
        <p class="soft">${ui.badge(provider)} ${PROVIDERS[provider].name} ${link && html`· ${link}`}</p>
        ${bio}
      </div>
      ${ui.pill(CONNECTION_STATUS[status])}
    </header>
    ${about && html`<p class="callout ${mood}">${about}</p>`}`;
}

function scanStatus(account: Connection, scan: SyncJob | undefined, { days }: View): ui.Html {
  const from = PROVIDERS[account.provider].name;
  if (scan !== undefined && ui.isJobRunning(scan)) return ui.jobProgress(scan, `Reading posts from ${from}`);
  if (isInProgress(account, scan)) return ui.progress(`Reading the latest posts from ${from}…`);
  const callout = (mood: 'bad' | 'wait', title: string, text: string, action: ui.Html = null) =>
    html`<div class="callout ${mood}"><p><strong>${title}</strong> ${text}</p>${action}</div>`;
  if (scan?.status === 'FAILED') return callout('bad', 'The last refresh failed.', describeJobError(scan.errorCode));
  if (scan?.status !== 'SUCCEEDED' || scan.completeForWindow !== false) return null;
  const action = ui.actionForm(`/connections/${account.id}/continue`, 'Continue', { kind: 'main', days });
  const text = describeIncomplete(scan.incompleteReason);
  return callout('wait', 'There are more posts.', text, scan.continuationCursor !== null && action);
}

/** Also shown if the service does not return the account. */
function manageCard(account: Pick<Connection, 'id' | 'provider' | 'status'>) {
  const isDisconnecting = account.status === 'DISCONNECTED' || account.status === 'DELETING';
  const kind = account.status === 'RECONNECT_REQUIRED' ? 'main' : '';
  return html`<article class="stack">
    <h2>Manage</h2>
    ${
      isDisconnecting
        ? ui.linkButton(`/receipts/${account.id}`, 'View progress')
        : html`${ui.linkButton(getReconnectUrl(account), 'Reconnect', kind)}
          ${ui.linkButton(`/connections/${account.id}/disconnect`, 'Disconnect…', 'danger')}`
    }
  </article>`;
}
