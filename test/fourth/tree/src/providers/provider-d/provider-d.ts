import { z } from 'zod';
import { NO_DETAILS } from '../../basics/post-details.ts';
import { Secret } from '../../basics/secret.ts';
import {
  addSeconds,
  createFailure,
  findEntry,
  isWithin,
  judgeClient,
  makeUpCredential,
  readAnswer,
  readJson,
  runRepeatable,
  wireCount,
  wireCursor,
  wireId,
  wireInstant,
  wireList,
  wireSeconds,
  wireText,
  wireToken,
} from '../answers.ts';
import { createMetric, createNotGrantedMetric } from '../metric.ts';
import type { Access, Call, Client, Content, Exchanged, Provider } from '../provider.ts';
import { parseUrl } from '../text.ts';
import { buildCodeForm, buildRefreshForm } from '../token-forms.ts';
import { findProviderDError } from './errors.ts';
import { COUNT, READ } from './facts.ts';
import type { AdapterDeps } from './settings.ts';

const TokenAnswer = z.object({
  access_token: wireToken,
  refresh_token: wireToken,
  expires_in: wireSeconds,
  scope: z.string().transform((list) => list.split(' ')),
});
const Me = z.object({ tile: wireId, nick: wireText, name: wireText, about: wireText, face: wireText });
const Tile = z.object({
  id: wireId,
  form: wireText,
  page: wireText,
  cover: wireText,
  headline: wireText,
  body: wireText,
  out: wireInstant,
  seen: wireCount,
  liked: wireCount,
  answered: wireCount,
  passedOn: wireCount,
});
const Tiles = z.object({ tiles: wireList(Tile), more: wireCursor.nullable() });

const KINDS = { picture: 'IMAGE', film: 'VIDEO' } as const;
const COUNTS = [
  ['VIEWS', 'seen'],
  ['LIKES', 'liked'],
  ['COMMENTS', 'answered'],
  ['SHARES', 'passedOn'],
] as const;
const PAGE = 50;

/** Mosaic, which does not exist. */
export function createProviderD({ http, config, now }: AdapterDeps): Provider {
  const post = async (path: string, where: string, client: Client, form: Record<string, string>, call: Call) => {
    const credentials = [client.clientId, client.clientSecret.reveal()].map(encodeURIComponent).join(':');
    const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
    return await http.request({
      where,
      method: 'POST',
      url: `${config.PROVIDER_D_API_URL}${path}`,
      headers,
      form,
      call,
    });
  };

  const requestTokens = async (where: string, client: Client, form: Record<string, string>, call: Call) => {
    const askedAt = now();
    const answer = await post('/token', where, client, form, call);
    const refused = findProviderDError(answer, where, now(), { outcomeUnknown: true });
    if (refused) throw refused;
    const given = readAnswer(TokenAnswer, readJson(answer), { where, status: answer.status, outcomeUnknown: true });
    const tokens = {
      accessToken: new Secret(given.access_token),
      accessExpiresAt: addSeconds(askedAt, given.expires_in),
      refreshToken: new Secret(given.refresh_token),
      refreshExpiresAt: addSeconds(askedAt, 30 * 86_400),
      permissions: given.scope,
    };
    return { tokens, principal: null } satisfies Exchanged; // The answer does not name their owner.
  };

  const refreshTokens = async (client: Client, refreshToken: Secret | null, call: Call) => {
    const where = 'PROVIDER_D refresh';
    if (refreshToken === null) throw createFailure('GrantDead', where);
    return await requestTokens(where, client, buildRefreshForm(refreshToken), call);
  };

  const read = async <Schema extends z.ZodType>(
    schema: Schema,
    where: string,
    path: string,
    { accessToken }: Pick<Access, 'accessToken'>,
    call: Call,
  ): Promise<z.output<Schema>> => {
    const url = `${config.PROVIDER_D_API_URL}${path}`;
    const headers = { authorization: `Bearer ${accessToken.reveal()}` };
    const answer = await runRepeatable(() => http.request({ where, method: 'GET', url, headers, call, quotaUnits: 1 }));
    const failed = findProviderDError(answer, where, now());
    if (failed) throw failed;
    return readAnswer(schema, readJson(answer), { where, status: answer.status });
  };

  const toContent = (tile: z.output<typeof Tile>, { permissions }: Access, withMetrics: boolean): Content => ({
    ...NO_DETAILS,
    providerContentId: tile.id,
    kind: findEntry(KINDS, tile.form ?? '') ?? 'UNKNOWN',
    canonicalUrl: tile.page,
    thumbnailUrl: tile.cover,
    title: tile.headline,
    description: tile.body,
    publishedAt: tile.out,
    metrics: withMetrics
      ? COUNTS.map(([name, field]) =>
          permissions.includes(COUNT) ? createMetric(name, field, tile[field]) : createNotGrantedMetric(name, field),
        )
      : [],
  });

  const readTiles = async (access: Access, ids: readonly string[], withMetrics: boolean, call: Call) => {
    if (ids.length === 0) return [];
    const path = `/tiles?${new URLSearchParams({ ids: ids.join(',') })}`;
    const { tiles } = await read(Tiles, 'PROVIDER_D tiles by id', path, access, call);
    return tiles.filter(({ id }) => ids.includes(id)).map((tile) => toContent(tile, access, withMetrics));
  };

  return {
    name: 'PROVIDER_D',
    exchangeCode: (client, input, call) =>
      requestTokens('PROVIDER_D code exchange', client, buildCodeForm(input), call),
    refresh: async (client, { refreshToken }, call) => (await refreshTokens(client, refreshToken, call)).tokens,
    adoptTokens: async (client, { refreshToken }, call) => ({
      client: 'OURS',
      ...(await refreshTokens(client, refreshToken, call)),
    }),
    async revoke(client, { refreshToken }, call) {
      const where = 'PROVIDER_D revoke';
      const form = { token: refreshToken?.reveal() ?? '' };
      const refused = findProviderDError(
        await runRepeatable(() => post('/revoke', where, client, form, call)),
        where,
        now(),
      );
      if (refused?.type === 'GrantDead') return 'alreadyEnded';
      if (refused) throw refused;
      return 'revoked';
    },
    async probeClient(client, _input, call) {
      const where = 'PROVIDER_D client probe';
      const form = buildRefreshForm(new Secret(makeUpCredential('worn-')));
      return judgeClient(findProviderDError(await post('/token', where, client, form, call), where, now()));
    },
    async readAccount(access, call) {
      const where = 'PROVIDER_D me';
      if (!access.permissions.includes(READ)) throw createFailure('PermissionMissing', where);
      const me = await read(Me, where, '/me', access, call);
      const profileUrl = me.nick === null ? null : `https://mosaic.example/${me.nick}`;
      const names = { displayName: me.name, handle: me.nick, description: me.about };
      return { providerAccountId: me.tile, aliasIds: [], profile: { ...names, avatarUrl: me.face, profileUrl } };
    },
    async listContent(access, { window, cursor, limit, withMetrics }, call) {
      const query = { before: window.publishedBefore.toISOString(), limit: String(Math.min(limit, PAGE)) };
      const path = `/tiles?${new URLSearchParams(cursor === null ? query : { ...query, after: cursor })}`;
      const { tiles, more } = await read(Tiles, 'PROVIDER_D tiles', path, access, call);
      const items = tiles.filter(({ out }) => isWithin(out, window));
      const isEnd = more === null || items.length < tiles.length;
      const contents = items.map((tile) => toContent(tile, access, withMetrics));
      return { items: contents, cursor: isEnd ? null : more, reachedEnd: isEnd };
    },
    readBatchSize: PAGE,
    readContent: (access, { providerContentIds, withMetrics }, call) =>
      readTiles(access, providerContentIds, withMetrics, call),
    async lookUp(access, { url, withMetrics }, call) {
      const { hostname, pathname } = parseUrl(url) ?? {};
      const id = hostname === 'mosaic.example' ? /^\/[^/]+\/(tile-\d+)$/.exec(pathname ?? '')?.[1] : undefined;
      if (id === undefined) throw createFailure('UnsupportedUrl', 'PROVIDER_D lookup');
      const [content] = await readTiles(access, [id], withMetrics, call);
      return content === undefined ? { kind: 'absent', providerContentId: id } : { kind: 'found', content };
    },
  };
}
