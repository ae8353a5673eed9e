import { Hono } from 'hono';
import { z } from 'zod';
import { getScope, redirectTo, type Studio, type StudioContext, type StudioEnv, signedIn } from '../context.ts';
import type { Capability, ConnectResultQuery, SocialProvider } from '../generated/service.ts';
import { ConnectResultDocument, StartConnectDocument } from '../generated/service.ts';
import { getReturnedId, renderForeignReturn, serveLaunch } from '../launch.tsx';
import { addAttempt, type ConnectAttempt, findUnservedAttempt } from '../sessions.ts';
import { describeResult, PROVIDERS } from '../texts.ts';
import { Progress } from '../views/components.tsx';
import { ALL_CAPABILITIES, CapabilityForm, NotConnected } from '../views/connect.tsx';
import { renderPage } from '../views/layout.tsx';
import { Message } from '../views/message.tsx';

const BY_SLUG = { a: 'PROVIDER_A', b: 'PROVIDER_B', c: 'PROVIDER_C' } as const;
type Slug = keyof typeof BY_SLUG;

/** What the chooser's form may say. Whose account it will be is not in it: that is whoever is signed in. */
const Choice = z.object({
  capability: z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .pipe(z.array(z.enum(ALL_CAPABILITIES)))
    .default([]),
  reconnect: z.string().max(128).optional(),
});

/** Connecting an account, from the choice to the outcome. */
export function connectRoutes(studio: Studio): Hono<StudioEnv> {
  const { config, service, storage } = studio;
  const routes = new Hono<StudioEnv>();

  routes.get('/connect/:slug{[abc]}', (c) => {
    signedIn(c);
    const reconnect = c.req.query('reconnect');
    return renderCapabilityForm(c, {
      provider: BY_SLUG[c.req.param('slug') as Slug],
      chosen: ALL_CAPABILITIES,
      reconnect,
    });
  });

  routes.post('/connect/:slug{[abc]}', async (c) => {
    const { session, user } = signedIn(c);
    const provider = BY_SLUG[c.req.param('slug') as Slug];
    const choice = Choice.safeParse(await c.req.parseBody({ all: true }));
    const chosen = [...new Set(choice.data?.capability)];
    const reconnect = choice.data?.reconnect;
    if (chosen.length === 0) {
      return renderCapabilityForm(c, {
        provider,
        chosen,
        reconnect,
        fault: 'Choose at least one thing Demo Studio may see.',
      });
    }
    // Whoever presses the button again, before the form has been served, does not use up one more of the five.
    const unserved = findUnservedAttempt(session, { provider, reconnectConnectionId: reconnect, capabilities: chosen });
    if (unserved !== undefined) return c.redirect(`/connect/launch/${unserved.id}`, 303);
    const { createConnectSession: created } = await service(StartConnectDocument, {
      input: {
        scope: getScope(studio, user),
        provider,
        capabilities: chosen,
        returnUrl: `${config.publicUrl}/connect/return`,
        reconnectConnectionId: reconnect,
      },
    });
    // Kept before the browser leaves: it is how we know it again when it comes back.
    addAttempt(session, {
      id: created.id,
      provider,
      reconnectConnectionId: reconnect,
      capabilities: chosen,
      launch: { url: created.launchUrl, token: created.launchToken, expiresAt: created.expiresAt },
      returned: false,
    });
    return c.redirect(`/connect/launch/${created.id}`, 303);
  });

  routes.get('/connect/launch/:id', (c) => {
    const attempt = findOwnAttempt(c, c.req.param('id'));
    if (attempt === undefined) return renderForeignReturn(c);
    return serveLaunch(c, studio, attempt.launch, PROVIDERS[attempt.provider].name, getRetryUrl(attempt));
  });

  routes.get('/connect/return', (c) => {
    const attempt = findOwnAttempt(c, getReturnedId(c));
    // An id from elsewhere would show, or attach, what somebody else began.
    if (attempt === undefined) return renderForeignReturn(c);
    attempt.returned = true;
    return c.redirect(`/connect/outcome/${attempt.id}`, 303);
  });

  routes.get('/connect/outcome/:id', async (c) => {
    const { user } = signedIn(c);
    const attempt = findOwnAttempt(c, c.req.param('id'));
    if (!attempt?.returned) return renderForeignReturn(c);
    const { connectSessionResult: result } = await service(ConnectResultDocument, {
      scope: getScope(studio, user),
      id: attempt.id,
    });
    if (result.status === 'CREATED' || result.status === 'AUTHORIZING') return renderWaitingForConsent(c, attempt);
    if (result.status === 'EXCHANGING') return renderConnecting(c, attempt);
    if (result.status === 'COMPLETED' && result.connectionId !== null) {
      storage.noteAccount(user, { connectionId: result.connectionId, provider: result.provider });
      return redirectTo(c, `/connections/${result.connectionId}`, getConnectedNotice(result));
    }
    const appsUrl = config.appsUrls[result.provider];
    return renderPage(
      c,
      { title: 'Not connected' },
      <NotConnected result={result} retry={getRetryUrl(attempt)} appsUrl={appsUrl} />,
    );
  });

  return routes;
}

/** Only what this very browser session has begun, and only while somebody is signed in with it. */
function findOwnAttempt(c: StudioContext, id: string | undefined): ConnectAttempt | undefined {
  const { session, user } = c.get('visit');
  return user === undefined || id === undefined ? undefined : session?.attempts.get(id);
}

const getRetryUrl = ({ provider, reconnectConnectionId }: ConnectAttempt): string =>
  `/connect/${PROVIDERS[provider].slug}${
    reconnectConnectionId === undefined ? '' : `?reconnect=${encodeURIComponent(reconnectConnectionId)}`
  }`;

function renderCapabilityForm(
  c: StudioContext,
  input: {
    provider: SocialProvider;
    chosen: readonly Capability[];
    reconnect: string | undefined;
    fault?: string;
  },
) {
  const { provider, chosen, reconnect, fault } = input;
  const title = `Connect ${PROVIDERS[provider].name}`;
  return renderPage(
    c,
    { title, status: fault === undefined ? 200 : 400 },
    <CapabilityForm provider={provider} chosen={chosen} reconnectConnectionId={reconnect} fault={fault} />,
  );
}

const renderWaitingForConsent = (c: StudioContext, attempt: ConnectAttempt) =>
  renderPage(
    c,
    { title: 'Not finished yet', pollSeconds: 3 },
    <Message title="Not finished yet">
      <p>
        {PROVIDERS[attempt.provider].name} is still waiting for your decision. If its page is open in another tab, go on
        there; otherwise start again.
      </p>
      <a class="button main" href={getRetryUrl(attempt)}>
        Start again
      </a>
    </Message>,
  );

const renderConnecting = (c: StudioContext, attempt: ConnectAttempt) =>
  renderPage(
    c,
    { title: 'Connecting', pollSeconds: 1 },
    <Message title="Connecting your account">
      <div id="progress" data-live="" aria-live="polite">
        <Progress>You are back from {PROVIDERS[attempt.provider].name}. The account is being connected…</Progress>
      </div>
    </Message>,
  );

function getConnectedNotice({ provider, resultCode }: ConnectResultQuery['connectSessionResult']) {
  if (resultCode !== null) return { mood: 'plain', text: describeResult(resultCode) } as const;
  return { mood: 'good', text: `Your account at ${PROVIDERS[provider].name} is connected.` } as const;
}
