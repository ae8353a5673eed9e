import { Hono } from 'hono';
import {
  catchRefusal,
  clearSessionCookie,
  redirectTo,
  type Studio,
  type StudioEnv,
  setSessionCookie,
} from '../context.ts';
import { FinishSignInDocument, StartSignInDocument } from '../generated/service.ts';
import { getReturnedId, renderForeignReturn, serveLaunch } from '../launch.tsx';
import { ServiceError } from '../service.ts';
import { isUnserved } from '../sessions.ts';
import { networkOf, UnfinishedSignIns } from '../unfinished-sign-ins.ts';
import { Progress } from '../views/components.tsx';
import { renderPage } from '../views/layout.tsx';
import { Message } from '../views/message.tsx';

/** What a person reads when a sign-in ended without a person signed in. */
const NOT_SIGNED_IN = {
  DENIED: 'The sign-in was called off. Nobody was signed in.',
  FAILED: 'The sign-in could not be finished. Please try again.',
  EXPIRED: 'The sign-in took longer than ten minutes. Please start again.',
} as const;

/** Signing in and out: the identity flow of the service, seen from the caller. */
export function signInRoutes(studio: Studio): Hono<StudioEnv> {
  const { config, service, sessions, storage } = studio;
  const routes = new Hono<StudioEnv>();
  const openSignIns = new UnfinishedSignIns();

  // Anybody may press this button, and the service allows the whole app 20 unfinished sign-ins: so one browser uses its
  // own again, and one network has a few.
  routes.post('/sign-in', async (c) => {
    let { session } = c.get('visit');
    if (session?.signIn !== undefined && isUnserved(session.signIn.launch)) return c.redirect('/sign-in/launch', 303);
    const open = openSignIns.begin(networkOf(c, config.trustedProxies));
    const { createIdpIdentitySession: created } = await service(StartSignInDocument, {
      input: { tenantKey: config.tenantKey, returnUrl: `${config.publicUrl}/sign-in/return` },
    }).catch((error) => {
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
    return signIn === undefined ? renderForeignReturn(c) : serveLaunch(c, studio, signIn.launch, 'the sign-in', '/');
  });

  routes.get('/sign-in/return', (c) => {
    const signIn = c.get('visit').session?.signIn;
    const id = getReturnedId(c);
    // An id from elsewhere would sign this browser in as whoever began there.
    if (signIn === undefined || id !== signIn.id) return renderForeignReturn(c);
    signIn.returned = true;
    return c.redirect('/sign-in/finish', 303);
  });

  routes.get('/sign-in/finish', async (c) => {
    const { session, sessionId } = c.get('visit');
    const signIn = session?.signIn;
    if (session === undefined || !signIn?.returned) return renderForeignReturn(c);
    const { id, resultProof } = signIn;
    const answer = await catchRefusal(service(FinishSignInDocument, { id, tenantKey: config.tenantKey, resultProof }));
    if (answer instanceof ServiceError) {
      if (answer.code !== 'NOT_FOUND') throw answer;
      signIn.open.release();
      session.signIn = undefined; // Redeemed before, perhaps by an answer that was lost on its way, or too old.
      return redirectTo(c, '/', { mood: 'plain', text: 'This sign-in is over. Please sign in again.' });
    }
    const { redeemIdpIdentityResult: result } = answer;
    if (result.status === 'PENDING') {
      return renderPage(
        c,
        { title: 'Signing in', pollSeconds: 1 },
        <Message title="Signing you in">
          <div id="progress" data-live="" aria-live="polite">
            <Progress>Waiting for the answer of the sign-in…</Progress>
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
    if (issuer === null || idpSub === null) throw new Error('A completed sign-in names nobody.');
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
