import type { Context } from 'hono';
import type { Provider } from 'oidc-provider';
import { DEMO_APP } from '../clients.ts';
import type { SandboxApp } from '../endpoint.ts';
import { ConsentPage } from '../pages/consent.tsx';
import { createDeadEnd, createHtmlResponse } from '../pages/layout.tsx';
import { IDP_PATH, type Idp } from './idp.ts';

const PERMISSIONS = [
  { name: 'openid', label: 'Know who you are', isRequired: true },
  { name: 'email', label: 'See your e-mail address', isRequired: false },
  { name: 'profile', label: 'See your name and picture', isRequired: false },
];

/** The sign-in page of the OpenID provider: the consent form, with people for accounts. */
export function serveIdpInteraction(app: SandboxApp, idp: Idp): void {
  const path = `${IDP_PATH}/interaction/:uid`;
  const gone = () =>
    createDeadEnd(
      'IDP',
      'This sign-in has ended',
      'It was completed before, took too long, or started in another browser.',
      410,
    );

  const pending = async ({ env }: Context) => {
    const [provider, { errors }] = await Promise.all([idp.provider(), import('oidc-provider')]);
    const interaction = await provider.interactionDetails(env.incoming, env.outgoing).catch((error: unknown) => {
      if (error instanceof errors.SessionNotFound) return null; // The browser has no sign-in in progress.
      throw error;
    });
    return interaction && { provider, interaction };
  };

  app.get(path, async (context) => {
    const found = await pending(context);
    if (found === null) return gone();
    const asked = String(found.interaction.params.scope ?? '').split(' ');
    const choices = idp.people().map(({ sub, title, note, claims }) => ({
      id: sub,
      title,
      subtitle: String(claims.email ?? 'no e-mail address'),
      note,
    }));
    return createHtmlResponse(
      <ConsentPage
        provider="IDP"
        title="Sign in"
        lead="wants to know who you are."
        client={{ clientId: String(found.interaction.params.client_id ?? ''), name: DEMO_APP }}
        action={context.req.path}
        requestId={found.interaction.uid}
        choices={choices}
        permissions={PERMISSIONS.filter(({ name }) => asked.includes(name))}
      />,
    );
  });

  app.post(path, async (context) => {
    const found = await pending(context);
    const form = new URLSearchParams(await context.req.text());
    if (found === null || form.get('request') !== found.interaction.uid) return gone();
    const { provider, interaction } = found;
    const { incoming, outgoing } = context.env;
    const finish = async (result: Readonly<Record<string, unknown>>) => {
      const next = await provider.interactionResult(incoming, outgoing, result, { mergeWithLastSubmission: false });
      return context.redirect(next, 303);
    };
    if (form.get('decision') === 'deny') {
      return await finish({ error: 'access_denied', error_description: 'The person did not allow it.' });
    }
    const person = idp.people().find(({ sub }) => sub === form.get('account'));
    if (person === undefined || form.get('decision') !== 'allow') {
      return createDeadEnd('IDP', 'No person was chosen', 'Go back, choose who you are, and press Allow or Deny.');
    }
    const grant = new provider.Grant({ accountId: person.sub, clientId: String(interaction.params.client_id) });
    const asked = String(interaction.params.scope ?? '').split(' ');
    const given = ['openid', ...form.getAll('permission')];
    grant.addOIDCScope(given.join(' '));
    // Rejects unticked scopes by name, or the provider would ask for them again.
    grant.rejectOIDCScope(asked.filter((name) => !given.includes(name)).join(' '));
    const login = { accountId: person.sub };
    const answer = await finish({ select_account: {}, login, consent: { grantId: await grant.save() } });
    const { session } = interaction;
    if (session?.accountId !== undefined && session.accountId !== person.sub) await signOut(provider, session.uid);
    return answer;
  });
}

/** Ends the sign-in of the person before. Otherwise the provider asks the browser to sign out first, which has no page here. */
async function signOut(provider: Provider, sessionUid: string): Promise<void> {
  const session = await provider.Session.findByUid(sessionUid);
  if (session === undefined) return;
  session.accountId = undefined;
  session.authorizations = undefined;
  await session.persist();
}
