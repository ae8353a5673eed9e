import { Hono } from 'hono';
import { assertReturn, ServiceError } from 'social-account-connection-client';
import {
  catchRefusal,
  clearSessionCookie,
  redirectTo,
  type Studio,
  type StudioEnv,
  setSessionCookie,
} from '../context.ts';
import { renderForeignReturn, serveLaunch } from '../launch.tsx';
import { getNetwork } from '../network.ts';
import { isUnserved } from '../sessions.ts';
import { UnfinishedSignIns } from '../unfinished-sign-ins.ts';
import { Message, Progress } from '../views/components.tsx';
import { renderPage } from '../views/layout.tsx';

/** The messages for sign-ins that did not complete. */
const NOT_SIGNED_IN = {
  DENIED: 'The sign-in was canceled.',
  FAILED: 'The sign-in failed. Please try again.',
  EXPIRED: 'The sign-in took longer than ten minutes. Please start again.',
} as const;

/** Signs people in and out through the service's identity flow. */
export function signInRoutes(studio: Studio): Hono<StudioEnv> {
  const { config, service, sessions, storage } = studio;
  const routes = new Hono<StudioEnv>();
  const unfinishedSignIns = new UnfinishedSignIns();

  // Anyone can press this button, and the service allows the whole app 20 unfinished sign-ins. So a browser reuses its own
  // sign-in, and each network has a limit.
  routes.post('/sign-in', async (c) => {
    let { session } = c.get('visit');
    if (session?.signIn !== undefined && isUnserved(session.signIn.launch)) return c.redirect('/sign-in/launch', 303);
    const open = unfinishedSignIns.begin(getNetwork(c, config.trustedProxies));
    const created = await service
      .createIdpIdentitySession({
        input: { tenantKey: config.tenantKey, returnUrl: `${config.publicUrl}/sign-in/return` },
      })
      .catch((error) => {
        open.release();
        throw error;
      });
    if (session === undefined) {
      const begun = sessions.begin();
      session = begun.session;
      setSessionCookie(c, config, begun.sessionId);
    }
    const { id, resultProof, launchUrl: url, launchToken: token, expiresAt } = created;
    session.signIn = { id, resultProof, launch: { url, token, expiresAt }, open, returned: false };
    return c.redirect('/sign-in/launch', 303);
  });

  routes.get('/sign-in/launch', (c) => {
    const signIn = c.get('visit').session?.signIn;
    return signIn === undefined
      ? renderForeignReturn(c)
      : serveLaunch(c, studio, signIn.launch, 'the sign-in page', '/');
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
    const answer = await catchRefusal(
      service.redeemIdpIdentityResult({ id, tenantKey: config.tenantKey, resultProof }),
    );
    if (answer instanceof ServiceError) {
      if (answer.code !== 'NOT_FOUND') throw answer;
      signIn.open.release();
      session.signIn = undefined; // The result was redeemed before, perhaps by a request whose answer was lost, or it has expired.
      return redirectTo(c, '/', { mood: 'plain', text: 'This sign-in has expired. Please sign in again.' });
    }
    const result = answer;
    if (result.status === 'PENDING') {
      return renderPage(
        c,
        { title: 'Signing in', pollSeconds: 1 },
        <Message title="Signing you in">
          <div id="progress" data-live="" aria-live="polite">
            <Progress>Waiting for the identity provider…</Progress>
          </div>
        </Message>,
      );
    }
    signIn.open.release();
    session.signIn = undefined; // The proof is spent.
    if (result.status !== 'COMPLETED') {
      return redirectTo(c, '/', { mood: 'plain', text: NOT_SIGNED_IN[result.status] });
    }
    const { issuer, idpSub, name } = result;
    if (issuer === null || idpSub === null) throw new Error('The result of a completed sign-in has no subject.');
    const user = storage.signInUser({ issuer, idpSub, name });
    const begun = sessions.signIn(sessionId, user.id);
    begun.session.notice = { mood: 'good', text: name === null ? 'You are signed in.' : `Welcome, ${name}.` };
    setSessionCookie(c, config, begun.sessionId);
    return c.redirect('/', 303);
  });

  routes.post('/sign-out', (c) => {
    sessions.end(c.get('visit').sessionId);
    clearSessionCookie(c, config);
    return c.redirect('/', 303);
  });

  return routes;
}
