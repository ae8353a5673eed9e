import { html } from 'hono/html';
import { assertReturn, type Capability, type ConnectSessionResult } from 'social-account-connection-client';
import { z } from 'zod';
import * as ui from '../components.ts';
import { newRoutes, redirectTo, requireUser, type Studio, type StudioContext, unlessRefused } from '../context.ts';
import { formatTime } from '../format.ts';
import { renderForeignReturn, serveLaunch } from '../launch.ts';
import { renderPage } from '../layout.ts';
import { getReconnectUrl, joinNames, listUngranted } from '../permissions.ts';
import { addAttempt, type ConnectAttempt, type ConnectChoice, findUnservedAttempt, type Notice } from '../sessions.ts';
import { findAccount } from '../storage.ts';
import {
  ALL_CAPABILITIES,
  ALL_PROVIDERS,
  CAPABILITIES,
  describeResult,
  PROVIDERS,
  UNUSABLE_ACCOUNTS,
} from '../texts.ts';

const connectionId = z.string().max(128).optional();

/** The fields of the form. The owner of the account is not among them: it is always the signed-in user. */
const Choice = z.object({
  capability: z.preprocess((value) => [value ?? []].flat(), z.array(z.enum(ALL_CAPABILITIES))),
  reconnect: connectionId,
});

/** The form of `<connect-accounts>`. */
const Button = z.object({ provider: z.enum(ALL_PROVIDERS), reconnectConnectionId: connectionId });

export function connectRoutes(studio: Studio) {
  const { config, service, storage } = studio;
  const routes = newRoutes();

  for (const provider of ALL_PROVIDERS) {
    const path = `/connect/${PROVIDERS[provider].slug}`;
    routes.get(path, (c) => {
      requireUser(c);
      return renderForm(c, { provider, capabilities: ALL_CAPABILITIES, reconnect: c.req.query('reconnect') });
    });
    routes.post(path, async (c) => {
      requireUser(c);
      const { data } = Choice.safeParse(await c.req.parseBody({ all: true }));
      const choice = { provider, capabilities: [...new Set(data?.capability)], reconnect: data?.reconnect };
      if (choice.capabilities.length > 0) return await startAttempt(c, choice);
      return renderForm(c, choice, 'Choose at least one permission.');
    });
  }

  // Asks for everything that the application can use. Someone who wants to grant less opens the form of a provider.
  routes.post('/connect', async (c) => {
    const { data } = Button.safeParse(await c.req.parseBody());
    if (data === undefined) return c.redirect('/', 303);
    const { provider, reconnectConnectionId: reconnect } = data;
    return await startAttempt(c, { provider, capabilities: ALL_CAPABILITIES, reconnect });
  });

  async function startAttempt(c: StudioContext, choice: ConnectChoice): Promise<Response> {
    const { session, scope } = requireUser(c);
    // Pressing the button again before the form is served reuses the attempt. The service allows five unfinished ones.
    const unserved = findUnservedAttempt(session, choice);
    if (unserved !== undefined) return c.redirect(`/connect/launch/${unserved.id}`, 303);
    const { provider, capabilities, reconnect: reconnectConnectionId } = choice;
    const returnUrl = `${config.PUBLIC_URL}/connect/return`;
    const input = { scope, provider, capabilities, returnUrl, reconnectConnectionId };
    const created = await service.createConnectSession({ input });
    // Stored before the browser leaves, to check the id when it returns.
    addAttempt(session, { ...created, ...choice, returned: false });
    return c.redirect(`/connect/launch/${created.id}`, 303);
  }

  routes.get('/connect/launch/:id', (c) => {
    const attempt = findOwnAttempt(c, c.req.param('id'));
    if (attempt === undefined) return renderForeignReturn(c);
    return serveLaunch(c, attempt, PROVIDERS[attempt.provider].name, getRetryUrl(attempt));
  });

  routes.get('/connect/return', (c) => {
    // An id from another browser could show or connect another person's account.
    const id = assertReturn(c.req.url, [...(c.get('visit').me?.session.attempts.keys() ?? [])]);
    const attempt = findOwnAttempt(c, id);
    if (attempt === undefined) return renderForeignReturn(c);
    attempt.returned = true;
    return c.redirect(`/connect/outcome/${id}`, 303);
  });

  routes.get('/connect/outcome/:id', async (c) => {
    const { user, scope } = requireUser(c);
    const attempt = findOwnAttempt(c, c.req.param('id'));
    if (!attempt?.returned) return renderForeignReturn(c);
    const result = await service.connectSessionResult({ scope, id: attempt.id });
    const { status, provider, connectionId: id } = result;
    if (status === 'CREATED' || status === 'AUTHORIZING') {
      const next = ui.linkButton(getRetryUrl(attempt), 'Start again', 'main');
      const text = `${PROVIDERS[provider].name} is still waiting for your decision. If its page is open in another tab, continue there. Otherwise, start again.`;
      const body = ui.message('Not finished yet', html`${ui.live('progress', html`<p>${text}</p>`, 'polite')}${next}`);
      return renderPage(c, { title: 'Not finished yet', pollSeconds: 3 }, body);
    }
    if (status === 'EXCHANGING') {
      const { name } = PROVIDERS[provider];
      const work = ui.progress(
        html`We are connecting your account at ${name}. This takes a few seconds. If ${name} is slow, it can take until
          ${formatTime(attempt.expiresAt)}. The result appears here.`,
      );
      // The attempt continues without the page: the account appears in the list if it succeeds.
      const out = html`<p>You need not wait.</p>
        <div class="row">${ui.linkButton('/', 'Back to your accounts')}</div>`;
      const body = ui.message('Connecting your account', html`${ui.live('progress', work, 'polite')}${out}`);
      return renderPage(c, { title: 'Connecting', pollSeconds: 1 }, body);
    }
    attempt.isOver = true;
    if (status !== 'COMPLETED' || id === null) return renderNotConnected(c, result, attempt);
    storage.saveAccount(user, { connectionId: id, provider });
    const isPartial = result.resultCode === 'PARTIAL_PERMISSION';
    const account = isPartial ? await unlessRefused(service.connection({ scope, id })) : undefined;
    const missing = account ? listUngranted(account).filter((name) => attempt.capabilities.includes(name)) : [];
    return redirectTo(c, `/connections/${id}`, describeSuccess(result, getReconnectUrl({ id, provider }), missing));
  });

  function renderNotConnected(c: StudioContext, result: ConnectSessionResult, attempt: ConnectAttempt) {
    const { provider, resultCode } = result;
    const { name } = PROVIDERS[provider];
    const wanted = findKnownName(c, attempt.reconnect);
    const asked = joinNames(attempt.capabilities);
    const canTryAgain = resultCode !== 'CLIENT_REFUSED';
    const missing = `We asked for: ${asked}. Allow at least one of them on the page of ${name}.`;
    const content = html`<p>${describeResult(resultCode, provider)}</p>
      ${resultCode === 'MISSING_PERMISSION' && html`<p>${missing}</p>`}
      ${resultCode === 'ACCOUNT_MISMATCH' && wanted && html`<p>${name} asks which account to use: choose <strong><bdi>${wanted}</bdi></strong>. If it offers only another one, sign out of it there first.</p>`}
      ${resultCode === 'ACCOUNT_UNUSABLE' && html`<p>${UNUSABLE_ACCOUNTS[provider]}</p>`}
      <div class="row">
        ${canTryAgain && ui.linkButton(getRetryUrl(attempt), 'Try again', 'main')} ${ui.linkButton('/', 'Back to your accounts')}
      </div>
      ${result.creatorAction !== null && ui.removeAppNote(provider, config[`${provider}_APPS_URL`], canTryAgain)}`;
    const title = result.status === 'DENIED' ? `Not connected to ${name}` : `Connection to ${name} failed`;
    return renderPage(c, { title }, ui.message(title, content, provider));
  }

  return routes;
}

/** Names the permissions that were asked for and not granted, and offers to reconnect. */
function describeSuccess({ provider, resultCode }: ConnectSessionResult, href: string, missing: Capability[]): Notice {
  if (resultCode === null) return { mood: 'good', text: `Your account at ${PROVIDERS[provider].name} is connected.` };
  const text = describeResult(resultCode, provider);
  if (resultCode !== 'PARTIAL_PERMISSION') return { mood: 'plain', text };
  const names = missing.length > 0 ? ` You did not allow: ${joinNames(missing)}.` : '';
  return { mood: 'plain', text: `${text}${names}`, link: { href, text: 'Reconnect to allow the rest' } };
}

/** The name of the account to reconnect, if it was stored. */
function findKnownName(c: StudioContext, connectionId: string | undefined): string | undefined {
  const { me } = c.get('visit');
  return me && connectionId !== undefined ? findAccount(me.user, connectionId)?.name : undefined;
}

/** Finds an attempt that this browser session started, while a user is signed in. */
const findOwnAttempt = (c: StudioContext, id: string): ConnectAttempt | undefined =>
  c.get('visit').me?.session.attempts.get(id);

const getRetryUrl = ({ provider, reconnect }: ConnectChoice): string =>
  reconnect === undefined ? `/connect/${PROVIDERS[provider].slug}` : getReconnectUrl({ id: reconnect, provider });

function renderForm(c: StudioContext, { provider, capabilities, reconnect }: ConnectChoice, error?: string) {
  const { name, slug } = PROVIDERS[provider];
  const choices = ALL_CAPABILITIES.map(
    (value) =>
      html`<label class="choice">
        <input type="checkbox" name="capability" value="${value}" ${capabilities.includes(value) && 'checked'} />
        <span><strong>${CAPABILITIES[value].name}</strong> <small>${CAPABILITIES[value].about}</small></span>
      </label>`,
  );
  const wanted = findKnownName(c, reconnect);
  const content = html`<p class="soft">Choose the permissions for Demo Studio. ${name} asks you to confirm them.</p>
    ${wanted && html`<p>At ${name}, choose the account <strong><bdi>${wanted}</bdi></strong>. Another account does not reconnect this one.</p>`}
    ${error && html`<p class="callout bad" role="alert" id="error">${error}</p>`}
    <form method="post" action="/connect/${slug}" class="stack">
      ${reconnect && html`<input type="hidden" name="reconnect" value="${reconnect}" />`}
      <fieldset ${error && html`aria-describedby="error"`}>
        <legend class="hidden">Permissions for Demo Studio</legend>
        ${choices}
      </fieldset>
      ${ui.consent([provider])}
      <button type="submit" class="main">Continue to ${name}</button>
    </form>
    <p class="after"><a href="${reconnect ? `/connections/${reconnect}` : '/'}">Cancel</a></p>`;
  const title = `${reconnect ? 'Reconnect' : 'Connect'} ${name}`;
  return renderPage(c, { title: `Connect ${name}`, status: error ? 400 : 200 }, ui.message(title, content, provider));
}
