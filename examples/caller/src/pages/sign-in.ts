import { assertReturn, ServiceError } from 'social-account-connection-client';
import { live, message, progress } from '../components.ts';
import { catchRefusal, newRoutes, redirectTo, type Studio, setSessionCookie } from '../context.ts';
import { renderForeignReturn, serveLaunch } from '../launch.ts';
import { renderPage } from '../layout.ts';
import { getNetwork } from '../network.ts';
import { isUnserved } from '../sessions.ts';
import { UnfinishedSignIns } from '../unfinished-sign-ins.ts';

/** The messages for sign-ins that did not complete. */
const NOT_SIGNED_IN = {
  DENIED: 'The sign-in was canceled.',
  FAILED: 'The sign-in failed. Please try again.',
  EXPIRED: 'The sign-in took longer than ten minutes. Please start again.',
  /** Redeemed before, perhaps by a request whose answer was lost, or expired. */
  SPENT: 'This sign-in has expired. Please sign in again.',
} as const;

/** Signs people in and out through the service's identity flow. */
export function signInRoutes(studio: Studio) {
  const { config, service, sessions, storage } = studio;
  const { TENANT_KEY: tenantKey } = config;
  const routes = newRoutes();
  const unfinishedSignIns = new UnfinishedSignIns();

  // Anyone can press this button, and the service allows the whole app 20 unfinished sign-ins. So a browser reuses its own
  // sign-in, and each network has a limit.
  routes.post('/sign-in', async (c) => {
    let { session } = c.get('visit');
    if (session?.signIn !== undefined && isUnserved(session.signIn.launch)) return c.redirect('/sign-in/launch', 303);
    const release = unfinishedSignIns.begin(getNetwork(c, config.TRUSTED_PROXIES));
    const input = { tenantKey, returnUrl: `${config.PUBLIC_URL}/sign-in/return` };
    const created = await service.createIdpIdentitySession({ input }).catch((error) => {
      release();
      throw error;
    });
    if (session === undefined) {
      const begun = sessions.begin();
      session = begun.session;
      setSessionCookie(c, config, begun.sessionId);
    }
    const { id, resultProof, launchUrl: url, launchToken: token, expiresAt } = created;
    session.signIn = { id, resultProof, launch: { url, token, expiresAt }, release, returned: false };
    return c.redirect('/sign-in/launch', 303);
  });

  routes.get('/sign-in/launch', (c) => {
    const signIn = c.get('visit').session?.signIn;
    if (signIn === undefined) return renderForeignReturn(c);
    return serveLaunch(c, studio, signIn.launch, 'the sign-in page', '/');
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
    const result = await catchRefusal(service.redeemIdpIdentityResult({ id, tenantKey, resultProof }));
    if (result instanceof ServiceError && result.code !== 'NOT_FOUND') throw result;
    const status = result instanceof ServiceError ? 'SPENT' : result.status;
    if (status === 'PENDING') {
      const work = live('progress', progress('Waiting for the identity provider…'), 'polite');
      return renderPage(c, { title: 'Signing in', pollSeconds: 1 }, message('Signing you in', work));
    }
    signIn.release();
    session.signIn = undefined; // The proof is spent.
    if (result instanceof ServiceError || status !== 'COMPLETED') {
      return redirectTo(c, '/', { mood: 'plain', text: NOT_SIGNED_IN[status === 'COMPLETED' ? 'SPENT' : status] });
    }
    const { issuer, idpSub, name } = result;
    if (issuer === null || idpSub === null) throw new Error('The result of a completed sign-in has no subject.');
    const user = storage.signInUser({ issuer, idpSub, name });
    sessions.end(sessionId); // A new id, so that an id from before the sign-in is useless.
    const begun = sessions.begin(user.id);
    begun.session.notice = { mood: 'good', text: name === null ? 'You are signed in.' : `Welcome, ${name}.` };
    setSessionCookie(c, config, begun.sessionId);
    return c.redirect('/', 303);
  });

  routes.post('/sign-out', (c) => {
    sessions.end(c.get('visit').sessionId);
    setSessionCookie(c, config, '');
    return c.redirect('/', 303);
  });

  return routes;
}
