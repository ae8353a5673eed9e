import { Hono } from 'hono';
import { ServiceError, type SyncJob } from 'social-account-connection-client';
import { z } from 'zod';
import {
  catchRefusal,
  getScope,
  redirectTo,
  requireUser,
  type Studio,
  type StudioContext,
  type StudioEnv,
} from '../context.ts';
import { readWindow } from '../read-window.ts';
import { keepLookup } from '../sessions.ts';
import type { Storage, User } from '../storage.ts';
import { describeRefusal, ERRORS, PROVIDERS } from '../texts.ts';
import { AccountPage, isInProgress, ManageAccount } from '../views/account.tsx';
import { ProviderBadge, RefusalNote } from '../views/components.tsx';
import { getAccountName } from '../views/home.tsx';
import { renderPage } from '../views/layout.tsx';
import { canRead } from '../views/permissions.tsx';
import { toVisitable } from '../visit.ts';
import { parseSpan, parseView, toListWindow, toScanWindow } from '../window.ts';

const PATH = '/connections/:id';

/** The page of one account, and its actions: refresh, continue, look up. */
export function accountRoutes(studio: Studio): Hono<StudioEnv> {
  const { config, service, storage } = studio;
  const routes = new Hono<StudioEnv>();

  routes.get(PATH, async (c) => {
    const { session, user } = requireUser(c);
    const connectionId = c.req.param('id');
    const scope = getScope(studio, user);
    const answer = await catchRefusal(service.connection({ scope, id: connectionId }));
    if (answer instanceof ServiceError) return renderRefusal(c, storage, user, connectionId, answer);
    storage.saveAccount(user, { connectionId, provider: answer.provider });
    const { scanDays } = user.accounts.find((known) => known.connectionId === connectionId) ?? {};
    const view = parseView(c.req.query(), { readUntil: answer.lastSuccessfulSyncAt, lastSpan: scanDays });
    const [content, scan] = await Promise.all([
      canRead(answer, 'CONTENT_LIST')
        ? catchRefusal(readWindow(service, scope, connectionId, toListWindow(view)))
        : undefined,
      readScan(studio, user, connectionId),
    ]);
    const account = toVisitable(config, answer);
    const it = { account, view, content, scan, lookupUrl: session.lookups.get(connectionId) };
    return renderPage(
      c,
      { title: getAccountName(account), pollSeconds: isInProgress(it) ? 2 : undefined },
      <AccountPage it={it} />,
    );
  });

  routes.post(`${PATH}/refresh`, async (c) => {
    const { user } = requireUser(c);
    const days = parseSpan(await readTextFields(c));
    return await startScan(c, studio, user, { window: { ...toScanWindow(days), maxItems: 100 } }, days);
  });

  routes.post(`${PATH}/continue`, async (c) => {
    const { user } = requireUser(c);
    const days = parseSpan(await readTextFields(c));
    const scan = await readScan(studio, user, c.req.param('id'));
    // A cursor is valid for a day. After that, the posts may have changed, so the window must be read again.
    if (!scan?.continuationCursor) {
      return redirectTo(c, `/connections/${c.req.param('id')}?days=${days}`, {
        mood: 'plain',
        text: 'We can no longer continue this refresh. Press Refresh to start again.',
      });
    }
    return await startScan(c, studio, user, { continuationCursor: scan.continuationCursor }, days);
  });

  routes.post(`${PATH}/lookups`, async (c) => {
    const { session, user } = requireUser(c);
    const connectionId = c.req.param('id');
    const { url = '' } = await readTextFields(c);
    keepLookup(session, connectionId, url.trim());
    const asked = await catchRefusal(
      service.requestContentLookup({ scope: getScope(studio, user), connectionId, url: cleanUrl(url) }),
    );
    if (asked instanceof ServiceError) return redirectWithError(c, `/connections/${connectionId}`, asked, UNUSABLE_URL);
    return c.redirect(`/connections/${connectionId}/lookups/${asked.id}`, 303);
  });

  return routes;
}

/** Removes surrounding spaces and the fragment of a pasted URL. */
const cleanUrl = (url: string): string => url.trim().replace(/#.*$/, '');

const UNUSABLE_URL = 'This is not the URL of a post. It must start with https:// and lead to the page of one post.';

/** Reads the text fields of a form. */
async function readTextFields(c: StudioContext): Promise<Record<string, string>> {
  return z
    .record(z.string(), z.string())
    .catch({})
    .parse(await c.req.parseBody());
}

/** Redirects back and shows there why the service refused the request. */
export function redirectWithError(c: StudioContext, path: string, error: ServiceError, onBadInput?: string): Response {
  const { title } = ERRORS[error.code];
  const text =
    error.code === 'BAD_USER_INPUT' && onBadInput !== undefined ? onBadInput : `${title}. ${describeRefusal(error)}`;
  return redirectTo(c, path, { mood: 'bad', text, reference: error.correlationId });
}

async function startScan(
  c: StudioContext,
  studio: Studio,
  user: User,
  what: { window: ReturnType<typeof toScanWindow> & { maxItems: number } } | { continuationCursor: string },
  days: number,
): Promise<Response> {
  const connectionId = c.req.param('id') ?? '';
  const path = `/connections/${connectionId}?days=${days}`;
  const scope = getScope(studio, user);
  const asked = await catchRefusal(studio.service.requestRefresh({ scope, connectionId, ...what }));
  if (asked instanceof ServiceError) return redirectWithError(c, path, asked);
  const known = user.accounts.find((account) => account.connectionId === connectionId);
  if (known !== undefined) studio.storage.saveAccount(user, { ...known, scanJobId: asked.id, scanDays: days });
  return c.redirect(path, 303);
}

/** The last requested scan; undefined if there is none or the service has deleted its job. */
async function readScan(studio: Studio, user: User, connectionId: string): Promise<SyncJob | undefined> {
  const id = user.accounts.find((account) => account.connectionId === connectionId)?.scanJobId;
  if (id === undefined) return undefined;
  const scope = getScope(studio, user);
  const answer = await catchRefusal(studio.service.syncJob({ scope, connectionId, id }));
  return answer instanceof ServiceError ? undefined : answer;
}

/** Shows why the service does not return this account, and still offers to reconnect or disconnect it. */
function renderRefusal(c: StudioContext, storage: Storage, user: User, connectionId: string, error: ServiceError) {
  const known = user.accounts.find((account) => account.connectionId === connectionId);
  if (error.code === 'NOT_FOUND' && user.receipts.some((receipt) => receipt.connectionId === connectionId)) {
    return c.redirect(`/receipts/${connectionId}`, 303);
  }
  if (error.code === 'NOT_FOUND') storage.deleteAccount(user, connectionId);
  if (error.code === 'NOT_FOUND' || known === undefined) throw error;
  const status = error.code === 'RECONNECT_REQUIRED' ? 'RECONNECT_REQUIRED' : 'CONNECTED';
  const { provider } = known;
  return renderPage(
    c,
    { title: ERRORS[error.code].title, status: ERRORS[error.code].status },
    <>
      <p class="back">
        <a href="/">← Your accounts</a>
      </p>
      <div class="columns">
        <div class="grow">
          <h1>
            <ProviderBadge provider={provider} /> Account at {PROVIDERS[provider].name}
          </h1>
          <RefusalNote error={error} />
        </div>
        <aside>
          <ManageAccount account={{ id: connectionId, provider, status }} />
        </aside>
      </div>
    </>,
  );
}
