import { type Endpoint, type EndpointCall, type SandboxApp, serveEndpoint } from '../endpoint.ts';
import type { Post, SandboxAccount, SandboxGrant } from '../model.ts';
import type { World } from '../world.ts';
import { createProviderBApiAnswer, createProviderBApiError, createProviderBApiFailure } from './answers.ts';
import { createUserObject, createVideoObject, pickFields, USER_FIELD_SCOPES, VIDEO_FIELDS } from './fields.ts';
import { settingsOf } from './settings.ts';

const MINUTE_MS = 60_000;
const BATCH = 20;

/** Who calls, once the token has been found to be live. */
interface Caller {
  readonly grant: SandboxGrant;
  readonly account: SandboxAccount;
}

/** The Display API. Calls are counted per client and endpoint over a sliding minute. */
export function serveProviderBApi(app: SandboxApp, world: World): void {
  const recent = new Map<string, number[]>();
  world.onReset(() => recent.clear());

  const isOverLimit = (key: string): boolean => {
    const now = world.clock.now();
    const times = (recent.get(key) ?? []).filter((time) => time > now - MINUTE_MS);
    recent.set(key, [...times, now]);
    return times.length >= settingsOf(world).callsPerMinute;
  };

  const serve = (
    endpoint: Pick<Endpoint, 'route' | 'method' | 'path' | 'json'>,
    scopeOf: (field: string) => string | undefined,
    handle: (call: EndpointCall, caller: Caller, fields: readonly string[]) => Response,
  ) =>
    serveEndpoint(app, world, {
      ...endpoint,
      provider: 'PROVIDER_B',
      query: { fields: { required: true } },
      bearer: 'header',
      refuse: (_call, violation) =>
        createProviderBApiError(400, 'invalid_params', `The request is invalid: ${violation}.`),
      createFailure: createProviderBApiFailure,
      handle: (call) => {
        const found = world.grants.findLive(call.accessToken, 'access');
        const account = found && world.content.accounts.get(found.grant.accountId);
        if (found === undefined || account === undefined || found.grant.platform !== 'PROVIDER_B') {
          return createProviderBApiError(
            401,
            'access_token_invalid',
            'The access token is invalid or not found in the request.',
          );
        }
        if (isOverLimit(`${found.grant.clientId} ${endpoint.route}`)) {
          return createProviderBApiError(
            429,
            'rate_limit_exceeded',
            'The API rate limit was exceeded. Please try again later.',
          );
        }
        const fields = (call.query.fields ?? '').split(',');
        for (const field of fields) {
          const scope = scopeOf(field);
          if (scope === undefined) {
            call.violate(`unknown field ${field}`);
            return createProviderBApiError(400, 'invalid_params', `Invalid field: ${field}.`);
          }
          if (!found.grant.permissions.includes(scope)) {
            return createProviderBApiError(
              401,
              'scope_not_authorized',
              'The user did not authorize the scope required for completing this request.',
            );
          }
        }
        return handle(call, { grant: found.grant, account }, fields);
      },
    });

  const videos = ({ account, grant }: Caller, posts: readonly Post[], fields: readonly string[]) => {
    const shown = { account, url: world.url, now: world.clock.now(), clientKey: grant.clientId };
    return posts.map((post) => pickFields(createVideoObject({ ...shown, post }), fields));
  };
  const publicPosts = ({ account }: Caller) =>
    world.content.of(account.id).filter(({ isPublic, publishedAt }) => isPublic && isPast(publishedAt, world));
  const videoScope = (field: string) => (VIDEO_FIELDS.includes(field) ? 'video.list' : undefined);

  serve(
    { route: 'userInfo', method: 'GET', path: '/b/open/v2/user/info/' },
    (field) => USER_FIELD_SCOPES[field],
    (_call, caller, fields) => {
      const user = createUserObject(caller.account, publicPosts(caller), world.url, world.clock.now());
      return createProviderBApiAnswer({ user: pickFields(user, fields) });
    },
  );

  serve(
    { route: 'videoList', method: 'POST', path: '/b/open/v2/video/list/', json: { max_count: {}, cursor: {} } },
    videoScope,
    (call, caller, fields) => {
      const { max_count: count = 10, cursor = world.clock.now() } = call.json;
      if (!isWithin(count, 1, BATCH) || !isWithin(cursor, 0, Number.MAX_SAFE_INTEGER)) {
        call.violate('max_count is not 1 to 20, or cursor not a time in milliseconds');
        return createProviderBApiError(400, 'invalid_params', 'max_count or cursor is invalid.');
      }
      const page = pageBefore(publicPosts(caller), cursor, count, caller.account);
      return createProviderBApiAnswer({
        videos: videos(caller, page.posts, fields),
        cursor: page.cursor,
        has_more: page.hasMore,
      });
    },
  );

  serve(
    { route: 'videoQuery', method: 'POST', path: '/b/open/v2/video/query/', json: { filters: { required: true } } },
    videoScope,
    (call, caller, fields) => {
      const ids = videoIds(call.json.filters);
      if (ids === null) {
        call.violate('filters.video_ids is not a list of 1 to 20 ids');
        return createProviderBApiError(400, 'invalid_params', 'filters.video_ids is invalid.');
      }
      // Posts that are gone, private or another person's are silently missing.
      const own = publicPosts(caller).filter((post) => ids.includes(post.id));
      return createProviderBApiAnswer({ videos: videos(caller, own, fields) });
    },
  );
}

const isPast = (instant: number | null, world: World): boolean => instant !== null && instant <= world.clock.now();

const isWithin = (value: unknown, low: number, high: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high;

/** Posts published before the cursor, which moves even over a page that is empty. */
function pageBefore(posts: readonly Post[], cursor: number, count: number, account: SandboxAccount) {
  const seconds = (post: Post) => Math.floor((post.publishedAt ?? 0) / 1000) * 1000;
  const older = posts.filter((post) => seconds(post) < cursor);
  const isShort = account.traits.includes('shortPages');
  const first = older[0];
  const crossed = posts.length - older.length;
  if (isShort && first !== undefined && crossed >= 8 && crossed < 16 && cursor > seconds(first) + 1) {
    return { posts: [], cursor: seconds(first) + 1, hasMore: true };
  }
  const page = older.slice(0, isShort ? Math.ceil(count / 3) : count);
  const last = page.at(-1);
  return { posts: page, cursor: last === undefined ? cursor : seconds(last), hasMore: older.length > page.length };
}

function videoIds(filters: unknown): readonly string[] | null {
  if (typeof filters !== 'object' || filters === null || !('video_ids' in filters)) return null;
  const { video_ids: ids } = filters;
  if (Object.keys(filters).length > 1 || !Array.isArray(ids) || ids.length < 1 || ids.length > BATCH) return null;
  return ids.every((id): id is string => typeof id === 'string') ? ids : null;
}
