import { type Endpoint, type EndpointCall, type Params, type SandboxApp, serveEndpoint } from '../endpoint.ts';
import { createJsonResponse } from '../json.ts';
import type { Post, SandboxAccount, SandboxGrant } from '../model.ts';
import type { World } from '../world.ts';
import {
  createInvalidCredentialsError,
  createProviderAApiError,
  createProviderAApiFailure,
  createQuotaExceededError,
  createSuspendedProjectError,
} from './answers.ts';
import { READ_CHANNEL } from './authorize.ts';
import { Quota } from './quota.ts';
import {
  buildUploadsId,
  CHANNEL_PARTS,
  createChannelResource,
  createPlaylistItemResource,
  createVideoResource,
  PLAYLIST_ITEM_PARTS,
  VIDEO_PARTS,
} from './resources.ts';
import { settingsOf } from './settings.ts';

/** Parameters that each of Google's APIs takes. Google's own clients send the first. */
const COMMON: Params = { alt: { is: ['json'] }, prettyPrint: { is: ['true', 'false'] }, quotaUser: {}, key: {} };

const BATCH = 50;
const DEFAULT_PAGE = 5;

interface Caller {
  readonly grant: SandboxGrant;
  readonly account: SandboxAccount;
}

/** The YouTube Data API, as far as it takes `youtube.readonly`. Each request costs a unit, a bad one too. */
export function serveProviderAApi(app: SandboxApp, world: World): void {
  const quota = new Quota(world);

  const callerOf = (call: EndpointCall): Caller | Response => {
    const found = world.grants.findLive(call.accessToken, 'access');
    const account = found && world.content.accounts.get(found.grant.accountId);
    if (found === undefined || account === undefined || found.grant.platform !== 'PROVIDER_A')
      return createInvalidCredentialsError();
    if (settingsOf(world).projectSuspended) return createSuspendedProjectError();
    const project = world.findClient('PROVIDER_A', found.grant.clientId)?.project ?? '';
    if (!quota.spend(project)) return createQuotaExceededError(settingsOf(world).quotaAnswer);
    if (!found.grant.permissions.includes(READ_CHANNEL)) {
      return createProviderAApiError(
        403,
        'insufficientPermissions',
        'Request had insufficient authentication scopes.',
        {
          status: 'PERMISSION_DENIED',
          detail: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
          headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="insufficient_scope"' },
        },
      );
    }
    return { grant: found.grant, account };
  };

  const serve = (
    endpoint: Pick<Endpoint, 'route' | 'path' | 'query'>,
    knownParts: readonly string[],
    handle: (call: EndpointCall, caller: Caller, parts: readonly string[]) => Response,
  ) =>
    serveEndpoint(app, world, {
      ...endpoint,
      provider: 'PROVIDER_A',
      method: 'GET',
      query: { ...COMMON, part: { required: true, isList: true }, ...endpoint.query },
      bearer: 'header',
      refuse: (call, violation) => {
        const caller = callerOf(call);
        return caller instanceof Response
          ? caller
          : createProviderAApiError(400, 'badRequest', `Invalid request: ${violation}.`);
      },
      createFailure: createProviderAApiFailure,
      handle: (call) => {
        const caller = callerOf(call);
        if (caller instanceof Response) return caller;
        const parts = (call.query.part ?? '').split(',');
        const unknown = parts.find((part) => !knownParts.includes(part));
        if (unknown === undefined) return handle(call, caller, parts);
        call.violate(`unknown part ${unknown}`);
        return createProviderAApiError(400, 'unknownPart', `'${unknown}'`, { domain: 'youtube.part' });
      },
    });

  serve(
    {
      route: 'channels',
      path: '/a/youtube/v3/channels',
      query: { mine: { required: true, is: ['true'] }, maxResults: { is: /^([0-9]|[1-4][0-9]|50)$/ } },
    },
    CHANNEL_PARTS,
    (_call, { account }, parts) => {
      const pageInfo = { totalResults: 1, resultsPerPage: DEFAULT_PAGE };
      const answer = { kind: 'youtube#channelListResponse', etag: 'sandbox', pageInfo };
      // Without a channel the key itself is missing.
      if (account.traits.includes('noChannel'))
        return createJsonResponse({ ...answer, pageInfo: { ...pageInfo, totalResults: 0 } });
      const posts = world.content.of(account.id).filter(({ isPublic }) => isPublic);
      return createJsonResponse({ ...answer, items: [createChannelResource(account, posts, world.url, parts)] });
    },
  );

  serve(
    {
      route: 'playlistItems',
      path: '/a/youtube/v3/playlistItems',
      query: {
        playlistId: { required: true },
        maxResults: { is: /^([0-9]|[1-4][0-9]|50)$/ },
        pageToken: {},
      },
    },
    PLAYLIST_ITEM_PARTS,
    (call, caller, parts) => {
      const { playlistId = '', maxResults = String(DEFAULT_PAGE), pageToken } = call.query;
      const owner = world.accountsOf('PROVIDER_A').find((account) => buildUploadsId(account) === playlistId);
      const all = owner === undefined ? [] : uploads(world, owner, caller);
      // A channel that never uploaded has no such playlist yet.
      if (owner === undefined || all.length === 0) {
        const message = 'The playlist identified with the request’s playlistId parameter cannot be found.';
        return createProviderAApiError(404, 'playlistNotFound', message, { domain: 'youtube.playlistItem' });
      }
      const offset = pageToken === undefined ? 0 : readPageToken(pageToken, playlistId);
      if (offset === null) {
        call.violate('a pageToken that was not given out');
        return createProviderAApiError(400, 'invalidPageToken', 'The request specifies an invalid page token.', {
          domain: 'youtube.parameter',
        });
      }
      const end = offset + Number(maxResults);
      return createJsonResponse({
        kind: 'youtube#playlistItemListResponse',
        etag: 'sandbox',
        ...(end < all.length && { nextPageToken: writePageToken(end, playlistId) }),
        ...(offset > 0 && { prevPageToken: writePageToken(Math.max(0, offset - Number(maxResults)), playlistId) }),
        items: all
          .slice(offset, end)
          .map((post, index) => createPlaylistItemResource(owner, post, offset + index, world.url, parts)),
        pageInfo: { totalResults: all.length, resultsPerPage: Number(maxResults) },
      });
    },
  );

  serve(
    { route: 'videos', path: '/a/youtube/v3/videos', query: { id: { required: true, isList: true } } },
    VIDEO_PARTS,
    (call, caller, parts) => {
      const ids = [...new Set((call.query.id ?? '').split(','))];
      if (ids.length > BATCH) {
        call.violate('more than 50 ids');
        return createProviderAApiError(400, 'invalidFilters', 'The request specifies too many ids.', {
          domain: 'youtube.parameter',
        });
      }
      // Ids that are unknown, deleted, or private to someone else are left out. Other people's public videos are not.
      const items = ids.flatMap((id) => {
        const post = world.content.find(id);
        const owner = post && world.content.accounts.get(post.accountId);
        if (post === undefined || owner?.platform !== 'PROVIDER_A') return [];
        return isVisible(post, caller) ? [createVideoResource(owner, post, world.url, parts)] : [];
      });
      const pageInfo = { totalResults: items.length, resultsPerPage: items.length };
      return createJsonResponse({ kind: 'youtube#videoListResponse', etag: 'sandbox', items, pageInfo });
    },
  );
}

const isVisible = (post: Post, caller: Caller): boolean => post.isPublic || post.accountId === caller.account.id;

/** By the moment of upload, newest first, whenever they were published. */
const uploads = (world: World, owner: SandboxAccount, caller: Caller): readonly Post[] =>
  world.content
    .of(owner.id)
    .filter((post) => isVisible(post, caller) && post.uploadedAt <= world.clock.now())
    .toSorted((one, other) => other.uploadedAt - one.uploadedAt);

const writePageToken = (offset: number, playlistId: string): string =>
  Buffer.from(`PT:${offset}:${playlistId}`).toString('base64url');

function readPageToken(token: string, playlistId: string): number | null {
  const [, offset, owner] = /^PT:(\d+):(.+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  return owner === playlistId ? Number(offset) : null;
}
