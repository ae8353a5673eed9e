import { Hono } from 'hono';
import { catchRefusal, getScope, type Studio, type StudioEnv } from '../context.ts';
import {
  type AccountFragment,
  AccountsDocument,
  OneAccountDocument,
  ReadinessDocument,
  type SocialProvider,
} from '../generated/service.ts';
import { type ErrorCode, ServiceError } from '../service.ts';
import type { KnownAccount, User } from '../storage.ts';
import { PROVIDERS } from '../texts.ts';
import { Home, type ShownAccount, Welcome } from '../views/home.tsx';
import { renderPage } from '../views/layout.tsx';

const RECEIPT_DAYS = 7;
const DAY_MS = 86_400_000;
const RECENT_MS = 5_000;

/** The first page: what to do, or the accounts of whoever is signed in. */
export function homeRoutes(studio: Studio): Hono<StudioEnv> {
  const routes = new Hono<StudioEnv>();
  const readReadiness = () => catchRefusal(studio.service(ReadinessDocument, {}));
  // Anybody may ask for this page, and all of them together have the requests per second of one app.
  const recentReadiness = cacheFor(RECENT_MS, readReadiness);
  routes.get('/', async (c) => {
    const { user } = c.get('visit');
    if (user === undefined) {
      const answer = await recentReadiness();
      const canSignIn = !(answer instanceof ServiceError) && answer.integrationReadiness.idpIdentityAvailable;
      return renderPage(c, { title: 'Welcome' }, <Welcome canSignIn={canSignIn} />);
    }
    const [answer, accounts] = await Promise.all([readReadiness(), listAccounts(studio, user)]);
    const receipts = user.receipts.filter(({ at }) => Date.parse(at) > Date.now() - RECEIPT_DAYS * DAY_MS);
    const open = answer instanceof ServiceError ? [] : answer.integrationReadiness.providers;
    const available = (Object.keys(PROVIDERS) as SocialProvider[]).filter((name) =>
      open.some(({ provider, available }) => provider === name && available),
    );
    return renderPage(
      c,
      { title: 'Your accounts' },
      <Home accounts={accounts} available={available} receipts={receipts} />,
    );
  });
  return routes;
}

/** Asks again only when the last answer is older than `ms`; whoever comes meanwhile gets that one. */
function cacheFor<Answer>(ms: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { answer: Promise<Answer>; atMs: number } | undefined;
  return () => {
    if (last === undefined || Date.now() - last.atMs > ms) last = { answer: ask(), atMs: Date.now() };
    return last.answer;
  };
}

/** What one account's failed check can make the service answer to the whole list. */
const SINGLE_ACCOUNT_CODES: readonly ErrorCode[] = [
  'FORBIDDEN',
  'CAPABILITY_UNAVAILABLE',
  'AUTHORIZATION_SUSPENDED',
  'RECONNECT_REQUIRED',
];

/**
 * All accounts of one person. One account that fails its check makes the service refuse the whole list; then those we
 * know of are asked for one by one, so that the others still show.
 */
async function listAccounts(studio: Studio, user: User): Promise<readonly ShownAccount[]> {
  const listed = await catchRefusal(listAll(studio, user));
  if (!(listed instanceof ServiceError)) {
    studio.storage.keepAccounts(
      user,
      listed.map(({ id, provider }) => ({ connectionId: id, provider })),
    );
    return listed;
  }
  if (!SINGLE_ACCOUNT_CODES.includes(listed.code) || user.accounts.length === 0) throw listed;
  const one = async ({ connectionId: id, provider }: KnownAccount): Promise<ShownAccount | undefined> => {
    const answer = await catchRefusal(studio.service(OneAccountDocument, { scope: getScope(studio, user), id }));
    if (!(answer instanceof ServiceError)) return answer.connection;
    return answer.code === 'NOT_FOUND' ? undefined : { id, provider, refusal: answer };
  };
  const shown = await Promise.all(user.accounts.map(one));
  return shown.filter((account) => account !== undefined);
}

async function listAll(studio: Studio, user: User, after: string | null = null): Promise<readonly AccountFragment[]> {
  const { connections } = await studio.service(AccountsDocument, { scope: getScope(studio, user), after });
  const { endCursor, hasNextPage } = connections.pageInfo;
  return hasNextPage ? [...connections.items, ...(await listAll(studio, user, endCursor))] : connections.items;
}
