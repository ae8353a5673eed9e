import { Hono } from 'hono';
import {
  type Connection,
  type ErrorCode,
  eachConnection,
  ServiceError,
  type SocialProvider,
} from 'social-account-connection-client';
import { catchRefusal, getScope, type Studio, type StudioEnv } from '../context.ts';
import type { KnownAccount, User } from '../storage.ts';
import { PROVIDERS } from '../texts.ts';
import { Home, type ShownAccount, Welcome } from '../views/home.tsx';
import { renderPage } from '../views/layout.tsx';

const ACCOUNTS_PER_PAGE = 50;
const RECEIPT_DAYS = 7;
const DAY_MS = 86_400_000;
const RECENT_MS = 5_000;

/** The start page: the welcome, or the accounts of the signed-in user. */
export function homeRoutes(studio: Studio): Hono<StudioEnv> {
  const routes = new Hono<StudioEnv>();
  const readReadiness = () => catchRefusal(studio.service.integrationReadiness());
  // Anyone can request this page, and all requests share the rate limit of one app.
  const recentReadiness = cacheFor(RECENT_MS, readReadiness);
  routes.get('/', async (c) => {
    const { user } = c.get('visit');
    if (user === undefined) {
      const answer = await recentReadiness();
      const canSignIn = !(answer instanceof ServiceError) && answer.idpIdentityAvailable;
      return renderPage(c, { title: 'Welcome' }, <Welcome canSignIn={canSignIn} />);
    }
    const [answer, accounts] = await Promise.all([readReadiness(), listAccounts(studio, user)]);
    const receipts = user.receipts.filter(({ at }) => Date.parse(at) > Date.now() - RECEIPT_DAYS * DAY_MS);
    const open = answer instanceof ServiceError ? [] : answer.providers;
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

/** Caches the answer of `ask` for `ms`. */
function cacheFor<Answer>(ms: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { answer: Promise<Answer>; atMs: number } | undefined;
  return () => {
    if (last === undefined || Date.now() - last.atMs > ms) last = { answer: ask(), atMs: Date.now() };
    return last.answer;
  };
}

/** The codes with which the service refuses a whole list because of one account. */
const SINGLE_ACCOUNT_CODES: readonly ErrorCode[] = [
  'FORBIDDEN',
  'CAPABILITY_UNAVAILABLE',
  'AUTHORIZATION_SUSPENDED',
  'RECONNECT_REQUIRED',
];

/**
 * Lists all accounts of one user. The service refuses the whole list if one account fails its check. Then this function reads
 * the stored accounts one by one, so that the page still shows the others.
 */
async function listAccounts(studio: Studio, user: User): Promise<readonly ShownAccount[]> {
  const listed = await catchRefusal(listAll(studio, user));
  if (!(listed instanceof ServiceError)) {
    studio.storage.replaceAccounts(
      user,
      listed.map(({ id, provider }) => ({ connectionId: id, provider })),
    );
    return listed;
  }
  if (!SINGLE_ACCOUNT_CODES.includes(listed.code) || user.accounts.length === 0) throw listed;
  const one = async ({ connectionId: id, provider }: KnownAccount): Promise<ShownAccount | undefined> => {
    const answer = await catchRefusal(studio.service.connection({ scope: getScope(studio, user), id }));
    if (!(answer instanceof ServiceError)) return answer;
    return answer.code === 'NOT_FOUND' ? undefined : { id, provider, refusal: answer };
  };
  const shown = await Promise.all(user.accounts.map(one));
  return shown.filter((account) => account !== undefined);
}

async function listAll(studio: Studio, user: User): Promise<readonly Connection[]> {
  const accounts: Connection[] = [];
  const page = { scope: getScope(studio, user), first: ACCOUNTS_PER_PAGE };
  for await (const account of eachConnection(studio.service, page)) accounts.push(account);
  return accounts;
}
