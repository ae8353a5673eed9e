import { html } from 'hono/html';
import {
  assertReturn,
  type Capability,
  type ConnectSessionResult,
  ServiceError,
  type SocialProvider,
} from 'social-account-connection-client';
import { z } from 'zod';
import { linkButton, live, message, progress, removeAppNote } from '../components.ts';
import { catchRefusal, newRoutes, redirectTo, requireUser, type Studio, type StudioContext } from '../context.ts';
import { renderForeignReturn, serveLaunch } from '../launch.ts';
import { renderMessage, renderPage } from '../layout.ts';
import { getReconnectUrl, joinNames, listUngranted } from '../permissions.ts';
import { addAttempt, type ConnectAttempt, findUnservedAttempt, type Notice } from '../sessions.ts';
import { ALL_CAPABILITIES, ALL_PROVIDERS, CAPABILITIES, describeResult, PROVIDERS } from '../texts.ts';

const findProvider = (slug: string) => ALL_PROVIDERS.find((provider) => PROVIDERS[provider].slug === slug);
const connectionId = z.string().max(128).optional();

/** The fields of the form. The owner of the account is not among them: it is always the signed-in user. */
const Choice = z.object({
  capability: z.preprocess((value) => [value ?? []].flat(), z.array(z.enum(ALL_CAPABILITIES))),
  reconnect: connectionId,
});

/** The form of `<connect-accounts>`. */
const Button = z.object({ provider: z.enum(ALL_PROVIDERS), reconnectConnectionId: connectionId });

/** The connect flow, from the choice of capabilities to the result. */
export function connectRoutes(studio: Studio) {
  const { config, service, storage } = studio;
  const routes = newRoutes();

  routes.get('/connect/:slug', async (c, next) => {
    const provider = findProvider(c.req.param('slug'));
    if (provider === undefined) return await next();
    requireUser(c);
    return renderForm(c, { provider, chosen: ALL_CAPABILITIES, reconnect: c.req.query('reconnect') });
  });

  routes.post('/connect/:slug', async (c, next) => {
    const provider = findProvider(c.req.param('slug'));
    if (provider === undefined) return await next();
    requireUser(c);
    const { data } = Choice.safeParse(await c.req.parseBody({ all: true }));
    const chosen = [...new Set(data?.capability)];
    const reconnect = data?.reconnect;
    return chosen.length === 0
      ? renderForm(c, { provider, chosen, reconnect, error: 'Choose at least one permission.' })
      : await startAttempt(c, provider, chosen, reconnect);
  });

  // Asks for everything that the application can use. Someone who wants to grant less opens `/connect/:slug`.
  routes.post('/connect', async (c) => {
    const { data } = Button.safeParse(await c.req.parseBody());
    if (data === undefined) return c.redirect('/', 303);
    return await startAttempt(c, data.provider, ALL_CAPABILITIES, data.reconnectConnectionId);
  });

  async function startAttempt(
    c: StudioContext,
    provider: SocialProvider,
    capabilities: readonly Capability[],
    reconnect: string | undefined,
  ): Promise<Response> {
    const { session, scope } = requireUser(c);
    // Pressing the button again before the form is served reuses the attempt. The service allows five unfinished ones.
    const unserved = findUnservedAttempt(session, { provider, reconnect, capabilities });
    if (unserved !== undefined) return c.redirect(`/connect/launch/${unserved.id}`, 303);
    const returnUrl = `${config.PUBLIC_URL}/connect/return`;
    const created = await service.createConnectSession({
      input: { scope, provider, capabilities, returnUrl, reconnectConnectionId: reconnect },
    });
    const { id, launchUrl: url, launchToken: token, expiresAt } = created;
    // Stored before the browser leaves, to check the id when it returns.
    const launch = { url, token, expiresAt };
    addAttempt(session, { id, provider, reconnect, capabilities, launch, returned: false });
    return c.redirect(`/connect/launch/${id}`, 303);
  }

  routes.get('/connect/launch/:id', (c) => {
    const attempt = findOwnAttempt(c, c.req.param('id'));
    if (attempt === undefined) return renderForeignReturn(c);
    return serveLaunch(c, studio, attempt.launch, PROVIDERS[attempt.provider].name, getRetryUrl(attempt));
  });

  routes.get('/connect/return', (c) => {
    // An id from another browser could show or connect another person's account.
    const id = assertReturn(c.req.url, [...(c.get('visit').me?.session.attempts.keys() ?? [])]);
    const attempt = findOwnAttempt(c, id);
    if (attempt === undefined) return renderForeignReturn(c);
    attempt.returned = true;
    return c.redirect(`/connect/outcome/${attempt.id}`, 303);
  });

  routes.get('/connect/outcome/:id', async (c) => {
    const { user, scope } = requireUser(c);
    const attempt = findOwnAttempt(c, c.req.param('id'));
    if (!attempt?.returned) return renderForeignReturn(c);
    const result = await service.connectSessionResult({ scope, id: attempt.id });
    const { status, provider, connectionId: id } = result;
    if (status === 'CREATED' || status === 'AUTHORIZING') return renderWaitingForConsent(c, attempt);
    if (status === 'EXCHANGING') return renderConnecting(c, provider);
    if (status !== 'COMPLETED' || id === null) return renderNotConnected(c, result, attempt);
    storage.saveAccount(user, { connectionId: id, provider });
    return redirectTo(c, `/connections/${id}`, await describeConnected(c, result, id, attempt));
  });

  /** Names the permissions that were asked for and not granted, and offers to reconnect. */
  async function describeConnected(
    c: StudioContext,
    { provider, resultCode }: ConnectSessionResult,
    id: string,
    attempt: ConnectAttempt,
  ): Promise<Notice> {
    if (resultCode === null) return { mood: 'good', text: `Your account at ${PROVIDERS[provider].name} is connected.` };
    const text = describeResult(resultCode);
    if (resultCode !== 'PARTIAL_PERMISSION') return { mood: 'plain', text };
    const account = await catchRefusal(service.connection({ scope: requireUser(c).scope, id }));
    const ungranted = account instanceof ServiceError ? [] : listUngranted(account);
    const missing = ungranted.filter((name) => attempt.capabilities.includes(name));
    return {
      mood: 'plain',
      text: missing.length === 0 ? text : `${text} You did not allow: ${joinNames(missing)}.`,
      link: { href: getReconnectUrl({ id, provider }), text: 'Reconnect to allow the rest' },
    };
  }

  /** Shows why an attempt did not connect an account. */
  function renderNotConnected(c: StudioContext, result: ConnectSessionResult, attempt: ConnectAttempt) {
    const { provider, resultCode } = result;
    const content = html`<p>${describeResult(resultCode)}</p>
      ${
        resultCode === 'MISSING_PERMISSION' &&
        html`<p>
          We asked for: ${joinNames(attempt.capabilities)}. Allow at least one of them on the page of
          ${PROVIDERS[provider].name}.
        </p>`
      }
      ${result.creatorAction !== null && removeAppNote(provider, config[`${provider}_APPS_URL`])}
      <div class="row">
        ${linkButton(getRetryUrl(attempt), 'Try again', 'main')} ${linkButton('/', 'Back to your accounts')}
      </div>`;
    const title = result.status === 'DENIED' ? 'Not connected' : 'Connection failed';
    return renderPage(c, { title: 'Not connected' }, message(title, content, provider));
  }

  return routes;
}

/** Finds an attempt that this browser session started, while a user is signed in. */
const findOwnAttempt = (c: StudioContext, id: string | undefined): ConnectAttempt | undefined =>
  c.get('visit').me?.session.attempts.get(id ?? '');

const getRetryUrl = ({ provider, reconnect }: Pick<ConnectAttempt, 'provider' | 'reconnect'>): string =>
  reconnect === undefined ? `/connect/${PROVIDERS[provider].slug}` : getReconnectUrl({ id: reconnect, provider });

interface ConnectForm {
  readonly provider: SocialProvider;
  readonly chosen: readonly Capability[];
  readonly reconnect: string | undefined;
  readonly error?: string;
}

/** The form with one checkbox for each capability. */
function renderForm(c: StudioContext, { provider, chosen, reconnect, error }: ConnectForm) {
  const { name, slug } = PROVIDERS[provider];
  const choices = ALL_CAPABILITIES.map(
    (value) =>
      html`<label class="choice">
        <input type="checkbox" name="capability" value="${value}" ${chosen.includes(value) && 'checked'} />
        <span><strong>${CAPABILITIES[value].name}</strong> <small>${CAPABILITIES[value].about}</small></span>
      </label>`,
  );
  const content = html`<p class="soft">Choose the permissions for Demo Studio. ${name} asks you to confirm them.</p>
    ${error && html`<p class="callout bad" role="alert" id="error">${error}</p>`}
    <form method="post" action="/connect/${slug}" class="stack">
      ${reconnect && html`<input type="hidden" name="reconnect" value="${reconnect}" />`}
      <fieldset ${error && html`aria-describedby="error"`}>
        <legend class="hidden">Permissions for Demo Studio</legend>
        ${choices}
      </fieldset>
      <button type="submit" class="main">Continue to ${name}</button>
    </form>
    <p class="after"><a href="${reconnect ? `/connections/${reconnect}` : '/'}">Cancel</a></p>`;
  return renderPage(
    c,
    { title: `Connect ${name}`, status: error === undefined ? 200 : 400 },
    message(`${reconnect ? 'Reconnect' : 'Connect'} ${name}`, content, provider),
  );
}

function renderWaitingForConsent(c: StudioContext, attempt: ConnectAttempt) {
  const { name } = PROVIDERS[attempt.provider];
  const text = `${name} is still waiting for your decision. If its page is open in another tab, continue there. Otherwise, start again.`;
  const next = linkButton(getRetryUrl(attempt), 'Start again', 'main');
  return renderMessage(c, { title: 'Not finished yet', pollSeconds: 3 }, text, { next });
}

function renderConnecting(c: StudioContext, provider: SocialProvider) {
  const work = progress(`We are connecting your account at ${PROVIDERS[provider].name}…`);
  const body = message('Connecting your account', live('progress', work, 'polite'));
  return renderPage(c, { title: 'Connecting', pollSeconds: 1 }, body);
}
