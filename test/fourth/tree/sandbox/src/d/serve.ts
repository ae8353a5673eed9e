import { redirectBack } from '../consents.tsx';
import type { EmulationParts } from '../emulation.ts';
import { type EndpointCall, type SandboxApp, serveEndpoint } from '../endpoint.ts';
import { createJsonResponse } from '../json.ts';
import type { Post, SandboxAccount, SandboxGrant } from '../model.ts';
import { createDeadEnd } from '../pages/layout.tsx';
import { isVerifierValid } from '../pkce.ts';
import { isRegisteredRedirectUri } from '../redirect-uris.ts';
import { settingsOf } from './settings.ts';

const AUTHORIZE = '/d/login/enter';
const SCOPES: Readonly<Record<string, string>> = { 'tiles:read': 'See your tiles', 'tiles:count': 'See their counts' };

const refusal = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  createJsonResponse({ error }, status, headers);

/** The platform's endpoints: consent, tokens, account and posts. */
export function serveProviderD(app: SandboxApp, { world, consents }: EmulationParts): void {
  const common = {
    provider: 'PROVIDER_D',
    refuse: (_call: EndpointCall, violation: string) => refusal(400, `malformed: ${violation}`),
    createFailure: (failure: number | 'quota', pause: number | undefined) =>
      failure === 'quota'
        ? refusal(403, 'enough_today')
        : refusal(failure, 'out_of_order', pause === undefined ? {} : { 'retry-after': String(pause) }),
  } as const;

  serveEndpoint(app, world, {
    ...common,
    route: 'authorize',
    method: 'GET',
    path: AUTHORIZE,
    query: {
      client_id: { required: true },
      redirect_uri: { required: true },
      response_type: { required: true, is: ['code'] },
      scope: { required: true },
      state: { required: true },
      code_challenge: { required: true },
      code_challenge_method: { required: true, is: ['S256'] },
    },
    handle(call) {
      const { client_id = '', redirect_uri = '', scope = '', state = '', code_challenge = '' } = call.query;
      const client = world.findClient('PROVIDER_D', client_id);
      const asked = scope.split(' ');
      if (
        client === undefined ||
        asked.some((name) => SCOPES[name] === undefined) ||
        !isRegisteredRedirectUri(redirect_uri, client.redirectUris, '/api/connect/callback/')
      ) {
        call.violate('an unknown client, scope or redirect_uri');
        return createDeadEnd('PROVIDER_D', 'Nothing here', 'Mosaic does not know this application.');
      }
      const allow = (account: SandboxAccount, granted: readonly string[]) => {
        const code = world.grants.issueCode(world.grants.open(client, account, granted), 'mc-', 300, {
          redirectUri: redirect_uri,
          codeChallenge: code_challenge,
          challengeMethod: 'S256',
          withRefreshToken: true,
        });
        return redirectBack(redirect_uri, { code: code.value, state });
      };
      const deny = () => redirectBack(redirect_uri, { error: 'access_denied', state });
      const permissions = asked.map((name) => ({ name, label: SCOPES[name] ?? name, isRequired: false }));
      return consents.ask({ platform: 'PROVIDER_D', client, permissions, allow, deny }, `${AUTHORIZE}/consent`);
    },
  });
  consents.serve(app, `${AUTHORIZE}/consent`, 'PROVIDER_D');

  /** Clients authenticate by `Authorization: Basic`. */
  const clientOf = ({ basic }: EndpointCall) => {
    const client = world.findClient('PROVIDER_D', basic?.clientId ?? '');
    return client?.clientSecret === basic?.clientSecret && !client?.isRefused ? client : undefined;
  };

  const issue = (grant: SandboxGrant) => {
    const { accessSeconds } = settingsOf(world);
    return createJsonResponse({
      access_token: world.grants.issueToken(grant, 'access', 'ma-', accessSeconds).value,
      refresh_token: world.grants.issueToken(grant, 'refresh', 'mr-', 30 * 86_400).value,
      expires_in: accessSeconds,
      scope: grant.permissions.join(' '),
    });
  };

  serveEndpoint(app, world, {
    ...common,
    route: 'token',
    method: 'POST',
    path: '/d/api/token',
    basicClient: true,
    form: ({ grant_type }) => ({
      grant_type: { required: true, is: ['authorization_code', 'refresh_token'] },
      ...(grant_type === 'refresh_token'
        ? { refresh_token: { required: true } }
        : { code: { required: true }, redirect_uri: { required: true }, code_verifier: { required: true } }),
    }),
    handle(call) {
      const client = clientOf(call);
      if (client === undefined) return refusal(401, 'invalid_client');
      const { grant_type, code = '', redirect_uri, code_verifier = '', refresh_token = '' } = call.form;
      if (grant_type === 'refresh_token') {
        const found = world.grants.findLive(refresh_token, 'refresh');
        if (found?.grant.clientId !== client.clientId) return refusal(400, 'invalid_grant');
        found.token.isSpent = true;
        return issue(found.grant);
      }
      const taken = world.grants.takeCode(code, client.clientId);
      const isBound =
        taken?.code.redirectUri === redirect_uri && isVerifierValid(code_verifier, taken?.code.codeChallenge ?? '');
      return taken !== undefined && isBound ? issue(taken.grant) : refusal(400, 'invalid_grant');
    },
  });

  serveEndpoint(app, world, {
    ...common,
    route: 'revoke',
    method: 'POST',
    path: '/d/api/revoke',
    basicClient: true,
    form: { token: { required: true } },
    handle(call) {
      const client = clientOf(call);
      if (client === undefined) return refusal(401, 'invalid_client');
      const found = world.grants.findLive(call.form.token ?? null, 'refresh');
      if (found?.grant.clientId !== client.clientId) return refusal(400, 'invalid_grant');
      world.grants.end(({ id }) => id === found.grant.id);
      return new Response(null, { status: 204 });
    },
  });

  const calls = new Map<string, number>();
  world.onReset(() => calls.clear());
  const read = (
    route: string,
    path: string,
    query: Readonly<Record<string, object>>,
    answer: (account: SandboxAccount, grant: SandboxGrant, call: EndpointCall) => Response,
  ) =>
    serveEndpoint(app, world, {
      ...common,
      route,
      method: 'GET',
      path,
      query,
      bearer: 'header',
      handle(call) {
        const found = world.grants.findLive(call.accessToken, 'access');
        const account = found && world.content.accounts.get(found.grant.accountId);
        if (found?.grant.platform !== 'PROVIDER_D' || account === undefined) return refusal(401, 'token_worn');
        if (!found.grant.permissions.includes('tiles:read')) return refusal(403, 'not_allowed');
        const { clientId } = found.grant;
        calls.set(clientId, (calls.get(clientId) ?? 0) + 1);
        if ((calls.get(clientId) ?? 0) > settingsOf(world).callsPerDay) return refusal(403, 'enough_today');
        return answer(account, found.grant, call);
      },
    });

  read('me', '/d/api/me', {}, ({ id, handle, name, bio }) =>
    createJsonResponse({
      tile: id,
      nick: handle,
      name,
      about: bio,
      face: `${world.url}/pictures/avatar/${encodeURIComponent(id)}.svg`,
    }),
  );

  read('tiles', '/d/api/tiles', { ids: {}, before: {}, after: {}, limit: {} }, (account, grant, { query }) => {
    const shown = world.content
      .of(account.id)
      .filter(({ isPublic, publishedAt }) => isPublic && publishedAt !== null && publishedAt <= world.clock.now());
    const toTile = (post: Post) => ({
      id: post.id,
      form: post.kind === 'video' ? 'film' : 'picture',
      page: `https://mosaic.example/${account.handle}/${post.id}`,
      cover: `${world.url}/pictures/cover/${post.id}-540x960.svg`,
      headline: post.title,
      body: post.caption,
      out: new Date(post.publishedAt ?? 0).toISOString(),
      ...(grant.permissions.includes('tiles:count') && {
        seen: post.views,
        liked: post.likes,
        answered: post.comments,
        passedOn: post.shares,
      }),
    });
    if (query.ids !== undefined) {
      const ids = query.ids.split(',');
      return createJsonResponse({ tiles: shown.filter(({ id }) => ids.includes(id)).map(toTile), more: null });
    }
    const before = Date.parse(query.before ?? '');
    const older = shown.filter(({ publishedAt }) => publishedAt !== null && publishedAt < before);
    const from = older.findIndex(({ id }) => id === query.after) + 1;
    const page = older.slice(from, from + Number(query.limit ?? 20));
    const hasMore = from + page.length < older.length;
    return createJsonResponse({ tiles: page.map(toTile), more: hasMore ? page.at(-1)?.id : null });
  });
}
