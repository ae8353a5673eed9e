import { Hono } from 'hono';
import {
  assertReturn,
  type Capability,
  type ConnectSessionResult,
  ServiceError,
  type SocialProvider,
} from 'social-account-connection-client';
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
import { renderForeignReturn, serveLaunch } from '../launch.tsx';
import { addAttempt, type ConnectAttempt, findUnservedAttempt, type Notice } from '../sessions.ts';
import type { User } from '../storage.ts';
import { describeResult, PROVIDERS } from '../texts.ts';
import { Message, Progress } from '../views/components.tsx';
import { CapabilityForm, NotConnected } from '../views/connect.tsx';
import { renderPage } from '../views/layout.tsx';
import { ALL_CAPABILITIES, getReconnectUrl, joinNames, listUngranted } from '../views/permissions.tsx';

const BY_SLUG = { a: 'PROVIDER_A', b: 'PROVIDER_B', c: 'PROVIDER_C' } as const;
type Slug = keyof typeof BY_SLUG;

/** The fields of the form. The owner of the account is not among them: it is always the signed-in user. */
const Choice = z.object({
  capability: z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .pipe(z.array(z.enum(ALL_CAPABILITIES)))
    .default([]),
  reconnect: z.string().max(128).optional(),
});

/** The form of `<connect-accounts>`. */
const Button = z.object({
  provider: z.enum(Object.values(BY_SLUG)),
  reconnectConnectionId: z.string().max(128).optional(),
});

/** The connect flow, from the choice of capabilities to the result. */
export function connectRoutes(studio: Studio): Hono<StudioEnv> {
  const { config, service, storage } = studio;
  const routes = new Hono<StudioEnv>();

  routes.get('/connect/:slug{[abc]}', (c) => {
    requireUser(c);
    const reconnect = c.req.query('reconnect');
    return renderCapabilityForm(c, {
      provider: BY_SLUG[c.req.param('slug') as Slug],
      chosen: ALL_CAPABILITIES,
      reconnect,
    });
  });

  routes.post('/connect/:slug{[abc]}', async (c) => {
    requireUser(c);
    const provider = BY_SLUG[c.req.param('slug') as Slug];
    const choice = Choice.safeParse(await c.req.parseBody({ all: true }));
    const chosen = [...new Set(choice.data?.capability)];
    const reconnect = choice.data?.reconnect;
    if (chosen.length === 0) {
      return renderCapabilityForm(c, {
        provider,
        chosen,
        reconnect,
        error: 'Choose at least one permission.',
      });
    }
    return await startAttempt(c, provider, chosen, reconnect);
  });

  // Asks for everything that the application can use. Someone who wants to grant less opens `/connect/:slug`.
  routes.post('/connect', async (c) => {
    const pressed = Button.safeParse(await c.req.parseBody());
    if (!pressed.success) return c.redirect('/', 303);
    const { provider, reconnectConnectionId } = pressed.data;
    return await startAttempt(c, provider, ALL_CAPABILITIES, reconnectConnectionId);
  });

  async function startAttempt(
    c: StudioContext,
    provider: SocialProvider,
    chosen: readonly Capability[],
    reconnect: string | undefined,
  ): Promise<Response> {
    const { session, user } = requireUser(c);
    // Pressing the button again before the form is served reuses the attempt. The service allows five unfinished ones.
    const unserved = findUnservedAttempt(session, { provider, reconnectConnectionId: reconnect, capabilities: chosen });
    if (unserved !== undefined) return c.redirect(`/connect/launch/${unserved.id}`, 303);
    const created = await service.createConnectSession({
      input: {
        scope: getScope(studio, user),
        provider,
        capabilities: chosen,
        returnUrl: `${config.publicUrl}/connect/return`,
        reconnectConnectionId: reconnect,
      },
    });
    // Stored before the browser leaves, to check the id when it returns.
    addAttempt(session, {
      id: created.id,
      provider,
      reconnectConnectionId: reconnect,
      capabilities: chosen,
      launch: { url: created.launchUrl, token: created.launchToken, expiresAt: created.expiresAt },
      returned: false,
    });
    return c.redirect(`/connect/launch/${created.id}`, 303);
  }

  routes.get('/connect/launch/:id', (c) => {
    const attempt = findOwnAttempt(c, c.req.param('id'));
    if (attempt === undefined) return renderForeignReturn(c);
    return serveLaunch(c, studio, attempt.launch, PROVIDERS[attempt.provider].name, getRetryUrl(attempt));
  });

  routes.get('/connect/return', (c) => {
    const { session, user } = c.get('visit');
    // An id from another browser could show or connect another person's account.
    const id = assertReturn(c.req.url, user === undefined ? [] : [...(session?.attempts.keys() ?? [])]);
    const attempt = findOwnAttempt(c, id);
    if (attempt === undefined) return renderForeignReturn(c);
    attempt.returned = true;
    return c.redirect(`/connect/outcome/${attempt.id}`, 303);
  });

  routes.get('/connect/outcome/:id', async (c) => {
    const { user } = requireUser(c);
    const attempt = findOwnAttempt(c, c.req.param('id'));
    if (!attempt?.returned) return renderForeignReturn(c);
    const result = await service.connectSessionResult({
      scope: getScope(studio, user),
      id: attempt.id,
    });
    if (result.status === 'CREATED' || result.status === 'AUTHORIZING') return renderWaitingForConsent(c, attempt);
    if (result.status === 'EXCHANGING') return renderConnecting(c, attempt);
    if (result.status === 'COMPLETED' && result.connectionId !== null) {
      storage.saveAccount(user, { connectionId: result.connectionId, provider: result.provider });
      return redirectTo(c, `/connections/${result.connectionId}`, await describeConnected(result, attempt, user));
    }
    const appsUrl = config.appsUrls[result.provider];
    return renderPage(
      c,
      { title: 'Not connected' },
      <NotConnected result={result} asked={attempt.capabilities} retry={getRetryUrl(attempt)} appsUrl={appsUrl} />,
    );
  });

  /** Names the permissions that were asked for and not granted, and offers to reconnect. */
  async function describeConnected(result: ConnectSessionResult, attempt: ConnectAttempt, user: User): Promise<Notice> {
    const { provider, resultCode, connectionId: id } = result;
    if (resultCode === null || id === null) {
      return { mood: 'good', text: `Your account at ${PROVIDERS[provider].name} is connected.` };
    }
    const text = describeResult(resultCode);
    if (resultCode !== 'PARTIAL_PERMISSION') return { mood: 'plain', text };
    const account = await catchRefusal(service.connection({ scope: getScope(studio, user), id }));
    const missing =
      account instanceof ServiceError
        ? []
        : listUngranted(account).filter((name) => attempt.capabilities.includes(name));
    return {
      mood: 'plain',
      text: missing.length === 0 ? text : `${text} You did not allow: ${joinNames(missing)}.`,
      link: { href: getReconnectUrl({ id, provider }), text: 'Reconnect to allow the rest' },
    };
  }

  return routes;
}

/** Finds an attempt that this browser session started, while a user is signed in. */
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
    error?: string;
  },
) {
  const { provider, chosen, reconnect, error } = input;
  const title = `Connect ${PROVIDERS[provider].name}`;
  return renderPage(
    c,
    { title, status: error === undefined ? 200 : 400 },
    <CapabilityForm provider={provider} chosen={chosen} reconnectConnectionId={reconnect} error={error} />,
  );
}

const renderWaitingForConsent = (c: StudioContext, attempt: ConnectAttempt) =>
  renderPage(
    c,
    { title: 'Not finished yet', pollSeconds: 3 },
    <Message title="Not finished yet">
      <p>
        {PROVIDERS[attempt.provider].name} is still waiting for your decision. If its page is open in another tab,
        continue there. Otherwise, start again.
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
        <Progress>We are connecting your account at {PROVIDERS[attempt.provider].name}…</Progress>
      </div>
    </Message>,
  );
