import { assertReturn } from 'social-account-connection-client';
import { live, message, progress } from '../components.ts';
import { newRoutes, redirectTo, type Studio, type StudioContext, setSessionCookie, unlessRefused } from '../context.ts';
import { renderForeignReturn, serveLaunch } from '../launch.ts';
import { renderPage } from '../layout.ts';
import { isUnserved, type Session } from '../sessions.ts';
import { getNetwork, UnfinishedSignIns } from '../unfinished-sign-ins.ts';

const NOT_SIGNED_IN = {
  DENIED: 'The sign-in was canceled.',
  FAILED: 'The sign-in failed. Please try again.',
  EXPIRED: 'The sign-in took longer than ten minutes. Please start again.',
  SPENT: 'This sign-in has expired. Please sign in again.',
} as const;
/** Redeemed before, perhaps by a request whose answer was lost, or expired. */
const SPENT = { status: 'SPENT', issuer: null, idpSub: null, name: null } as const;

export function signInRoutes(studio: Studio) {
  const { config, service, sessions, storage } = studio;
  const { TENANT_KEY: tenantKey } = config;
  const routes = newRoutes();
  const unfinishedSignIns = new UnfinishedSignIns();

  function begin(c: StudioContext, userId?: string): Session {
    const { sessionId, session } = sessions.begin(userId);
    setSessionCookie(c, config, sessionId);
    return session;
  }

  // Anyone can press this button, and the service allows the whole app 20 unfinished sign-ins. So a browser reuses its own
  // sign-in, and each network has a limit.
  routes.post('/sign-in', async (c) => {
    let { session } = c.get('visit');
    if (session?.signIn !== undefined && isUnserved(session.signIn)) return c.redirect('/sign-in/launch', 303);
    const release = unfinishedSignIns.begin(getNetwork(c, config.TRUSTED_PROXIES));
    const input = { tenantKey, returnUrl: `${config.PUBLIC_URL}/sign-in/return` };
    const created = await service.createIdpIdentitySession({ input }).catch((error) => {
      release();
      throw error;
    });
    session ??= begin(c);
    session.signIn = { ...created, release, returned: false };
    return c.redirect('/sign-in/launch', 303);
  });

  routes.get('/sign-in/launch', (c) => {
    const signIn = c.get('visit').session?.signIn;
    if (signIn === undefined) return renderForeignReturn(c);
    return serveLaunch(c, signIn, 'the sign-in page', '/');
  });

  routes.get('/sign-in/return', (c) => {
    const signIn = c.get('visit').session?.signIn;
    assertReturn(c.req.url, signIn?.id); // An id from another browser would sign this browser in as another person.
    if (signIn === undefined) return renderForeignReturn(c);
    signIn.returned = true;
    return c.redirect('/sign-in/finish', 303);
  });

  routes.get('/sign-in/finish', async (c) => {
    const { session, sessionId } = c.get('visit');
    const signIn = session?.signIn;
    if (session === undefined || !signIn?.returned) return renderForeignReturn(c);
    const { id, resultProof } = signIn;
    const request = service.redeemIdpIdentityResult({ id, tenantKey, resultProof });
    const { status, issuer, idpSub, name } = (await unlessRefused(request, 'NOT_FOUND')) ?? SPENT;
    if (status === 'PENDING') {
      const work = live('progress', progress('Waiting for the identity provider…'), 'polite');
      return renderPage(c, { title: 'Signing in', pollSeconds: 1 }, message('Signing you in', work));
    }
    signIn.release();
    session.signIn = undefined; // The proof is spent.
    if (status !== 'COMPLETED') return redirectTo(c, '/', { mood: 'plain', text: NOT_SIGNED_IN[status] });
    if (issuer === null || idpSub === null) throw new Error('The result of a completed sign-in has no subject.');
    const user = storage.signInUser({ issuer, idpSub, name });
    sessions.end(sessionId); // A new id, so that an id from before the sign-in is useless.
    begin(c, user.id).notice = { mood: 'good', text: name === null ? 'You are signed in.' : `Welcome, ${name}.` };
    return c.redirect('/', 303);
  });

  routes.post('/sign-out', (c) => {
    sessions.end(c.get('visit').sessionId);
    setSessionCookie(c, config, '');
    return c.redirect('/', 303);
  });

  return routes;
}
