import { createHmac } from 'node:crypto';
import { type EndpointCall, type Params, type SandboxApp, serveEndpoint } from '../endpoint.ts';
import { createJsonResponse } from '../json.ts';
import type { Post, SandboxGrant } from '../model.ts';
import type { World } from '../world.ts';
import { createGraphError, createGraphFailure, findServiceRefusal } from './answers.ts';
import { INSIGHTS } from './authorize.ts';
import { createDeadTokenError, type GraphCaller, Usage } from './caller.ts';
import { createMediaObject, createMeObject, ME_FIELDS, MEDIA_FIELDS, pickMediaFields } from './fields.ts';
import { createInsights } from './insights.ts';
import { cutPage, DEFAULT_LIMIT } from './paging.ts';
import { settingsOf } from './settings.ts';

const VERSIONS = ['v21.0', 'v22.0', 'v23.0', 'v24.0', 'v25.0', 'v26.0'];
const BATCH = 50;

/** The Instagram Graph API: profile, media, single media and insights of the connected account only. */
export function serveProviderCApi(app: SandboxApp, world: World): void {
  const usage = new Usage(world);

  const serve = (
    route: string,
    path: string,
    query: Params,
    handle: (call: EndpointCall, caller: GraphCaller) => Response | Record<string, unknown>,
  ) =>
    serveEndpoint(app, world, {
      provider: 'PROVIDER_C',
      route,
      method: 'GET',
      path: `/c/graph/:version{v[0-9]+\\.[0-9]+}${path}`,
      query: { ...query, appsecret_proof: {} },
      bearer: 'orQuery',
      refuse: (_call, violation) => createGraphError(100, `(#100) Invalid parameter: ${violation}`),
      createFailure: createGraphFailure,
      handle: (call) => {
        if (!VERSIONS.includes(call.path.version ?? '')) {
          call.violate(`version ${call.path.version} has ended or is not there yet`);
          return createGraphError(2635, '(#2635) You are calling a deprecated version of the API.');
        }
        const found = world.grants.findLive(call.accessToken, 'access', 'short');
        const account = found && world.content.accounts.get(found.grant.accountId);
        if (found === undefined || account?.platform !== 'PROVIDER_C')
          return createDeadTokenError(world, call.accessToken);
        const refused = findServiceRefusal(settingsOf(world), account.id);
        if (refused) return refused;
        const caller = { grant: found.grant, account };
        if (settingsOf(world).appState === 'proofRequired' && call.query.appsecret_proof === undefined)
          return createGraphError(100, 'API calls from the server require an appsecret_proof argument');
        if (!isProofTaken(call, found)) {
          return createGraphError(100, 'Invalid appsecret_proof provided in the API argument');
        }
        const { headers, isOver } = usage.count(caller);
        const answer = isOver ? createGraphFailure('quota', undefined) : handle(call, caller);
        const response = answer instanceof Response ? answer : createJsonResponse(answer);
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
        return response;
      },
    });

  /** A request may carry a proof of the secret of the token's own client. The platform can be configured not to check it. */
  const isProofTaken = (call: EndpointCall, { token, grant }: { token: { value: string }; grant: SandboxGrant }) => {
    const { appsecret_proof: proof } = call.query;
    if (proof === undefined || !settingsOf(world).checksSecretProofs) return true;
    const client = world.findClient('PROVIDER_C', grant.clientId);
    const prove = (secret: string) => createHmac('sha256', secret).update(token.value).digest('hex');
    return [client?.clientSecret, client?.metaSecret].some((secret) => secret != null && prove(secret) === proof);
  };

  const fieldsOf = (call: EndpointCall, known: readonly string[]): readonly string[] | Response => {
    const fields = (call.query.fields ?? 'id').split(',');
    for (const field of fields) {
      const isKnown = known.includes(field);
      if (!isKnown) call.violate(`unknown field ${field}`);
      if (!isKnown || settingsOf(world).refusedFields.includes(field)) {
        return createGraphError(100, `(#100) Tried accessing nonexisting field (${field})`);
      }
    }
    return fields;
  };
  const postsOf = ({ account }: GraphCaller): readonly Post[] =>
    world.content
      .of(account.id)
      .filter(({ isPublic, publishedAt }) => isPublic && publishedAt !== null && publishedAt <= world.clock.now());
  const ownPost = (caller: GraphCaller, id: string | undefined) => postsOf(caller).find((post) => post.id === id);
  const missing = (id: string | undefined) =>
    createGraphError(100, `Unsupported get request. Object with ID '${id}' does not exist or cannot be loaded`, {
      subcode: 33,
    });

  const user = (call: EndpointCall, caller: GraphCaller) => {
    const fields = fieldsOf(call, ME_FIELDS);
    return fields instanceof Response
      ? fields
      : pickMediaFields(createMeObject(caller.account, postsOf(caller), world.url), fields);
  };
  const show = ({ account }: GraphCaller, post: Post, fields: readonly string[]) =>
    pickMediaFields(createMediaObject({ account, post, url: world.url }), fields);
  const media = (call: EndpointCall, caller: GraphCaller) => {
    const fields = fieldsOf(call, MEDIA_FIELDS);
    if (fields instanceof Response) return fields;
    if (Number(call.query.limit ?? DEFAULT_LIMIT) > settingsOf(world).mostPerPage) {
      const message = "Please reduce the amount of data you're asking for, then retry your request";
      return createGraphError(1, message, { status: 500 });
    }
    const page = cutPage(postsOf(caller), caller.account, call);
    if (page === null) {
      call.violate('a cursor that leads nowhere');
      return createGraphError(100, '(#100) Invalid cursor');
    }
    const data = page.posts.map((post) => show(caller, post, fields));
    return { data, ...(page.paging && { paging: page.paging }) };
  };

  const fields = { fields: {} };
  const list: Params = { ...fields, limit: { is: /^([1-9][0-9]?|100)$/ }, after: {}, before: {}, since: {}, until: {} };

  serve('items', '/', { ...fields, ids: { required: true } }, (call, caller) => {
    const ids = (call.query.ids ?? '').split(',');
    const asked = fieldsOf(call, MEDIA_FIELDS);
    if (asked instanceof Response) return asked;
    if (ids.length > BATCH) {
      call.violate('more than 50 ids');
      return createGraphError(100, '(#100) Too many IDs');
    }
    const posts = ids.map((id) => [id, ownPost(caller, id)] as const);
    const bad = posts.find(([, post]) => post === undefined);
    // One that is not there fails all of them.
    if (bad !== undefined) return missing(bad[0]);
    const objects = posts.flatMap(([id, post]) =>
      post === undefined ? [] : [[id, show(caller, post, asked)] as const],
    );
    return Object.fromEntries(objects);
  });
  serve('me', '/me', fields, user);
  serve('media', '/me/media', list, media);
  serve('media', '/:id{[0-9]+}/media', list, (call, caller) => {
    const isOwn = call.path.id === caller.account.id || call.path.id === caller.account.principal;
    return isOwn ? media(call, caller) : missing(call.path.id);
  });
  serve('insights', '/:id{[0-9]+}/insights', { metric: { required: true }, period: {} }, (call, caller) => {
    const post = ownPost(caller, call.path.id);
    if (post === undefined) return missing(call.path.id);
    if (!caller.grant.permissions.includes(INSIGHTS)) {
      return createGraphError(10, '(#10) Application does not have permission for this action');
    }
    return createInsights(post, call, settingsOf(world).refusedMetrics);
  });
  serve('item', '/:id{[0-9]+}', fields, (call, caller) => {
    if (call.path.id === caller.account.id) return user(call, caller);
    const post = ownPost(caller, call.path.id);
    if (post === undefined) return missing(call.path.id);
    const asked = fieldsOf(call, MEDIA_FIELDS);
    return asked instanceof Response ? asked : show(caller, post, asked);
  });
}
