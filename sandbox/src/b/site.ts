import { type SandboxApp, serveEndpoint } from '../endpoint.ts';
import { createJsonResponse } from '../json.ts';
import type { Post, SandboxAccount } from '../model.ts';
import { createPostPage } from '../pages/post-page.tsx';
import type { World } from '../world.ts';
import { createProviderBApiFailure } from './answers.ts';
import { settingsOf } from './settings.ts';
import { buildPostUrl } from './urls.ts';

const SITE = 'https://www.tiktok.com';
const POST_PATH = /\/(?:video|photo)\/(\d{10,25})\/?$/;
const SHORT_PATH = /^\/(?:t\/)?([A-Za-z0-9_-]{5,20})\/?$/;

/** Short links that do not end at a post, for tests. */
const ODD_LINKS: Readonly<Record<string, string>> = {
  ZSlogin: `${SITE}/login?redirect_url=%2Fforyou`,
  ZSshop: 'https://shop.tiktok.com/view/product/1729400000000000000',
  ZSloop: `${SITE}/t/ZSloop/`,
  ZSaway: 'https://example.com/elsewhere',
  ZSplain: 'http://www.tiktok.com/t/ZSplain2/',
};

/** The public website: short links that redirect, and oEmbed. Needs no token. */
export function serveProviderBSite(app: SandboxApp, world: World): void {
  const find = (predicate: {
    id?: string | undefined;
    code?: string | undefined;
  }): { post: Post; account: SandboxAccount } | null => {
    const post =
      predicate.id === undefined ? world.content.findByCode(predicate.code ?? '') : world.content.find(predicate.id);
    const account = post && world.content.accounts.get(post.accountId);
    return post?.isPublic && account?.platform === 'PROVIDER_B' ? { post, account } : null;
  };
  const notFound = () => new Response('Couldn’t find this page', { status: 404 });
  const common = {
    provider: 'PROVIDER_B',
    method: 'GET',
    refuse: notFound,
    createFailure: createProviderBApiFailure,
  } as const;

  // One code leads to its post in one hop, and with `hop-` before it in as many more as there are such prefixes.
  for (const path of ['/b/vm/:code', '/b/vm/:code/', '/b/www/t/:code', '/b/www/t/:code/']) {
    serveEndpoint(app, world, {
      ...common,
      route: 'shortLink',
      path,
      handle: ({ path: { code = '' } }) => {
        // The answer to a server whose address looks like a robot's.
        if (settingsOf(world).shortLinks === 'page')
          return new Response('<title>Verify to continue</title>', { headers: { 'content-type': 'text/html' } });
        const found = find({ code });
        const longer = code.startsWith('hop-') ? `${SITE}/t/${code.slice(4)}/` : ODD_LINKS[code];
        const location = found === null ? longer : `${buildPostUrl(found.account, found.post)}?_r=1&_t=ZS-sandbox`;
        return location === undefined ? notFound() : new Response(null, { status: 301, headers: { location } });
      },
    });
  }

  serveEndpoint(app, world, {
    ...common,
    route: 'page',
    path: '/b/www/:handle{@[^/]+}/:kind{video|photo}/:id{[0-9]+}',
    handle: ({ path: { id } }) => {
      const found = find({ id });
      return found === null ? notFound() : createPostPage(found.account, found.post);
    },
  });

  serveEndpoint(app, world, {
    ...common,
    route: 'oembed',
    path: '/b/www/oembed',
    query: { url: { required: true } },
    refuse: () => createJsonResponse({ code: 400, message: 'Something went wrong' }, 400),
    handle: ({ query: { url = '' } }) => {
      const pathname = URL.canParse(url) ? new URL(url).pathname : '';
      const found = find({ id: POST_PATH.exec(pathname)?.[1], code: SHORT_PATH.exec(pathname)?.[1] });
      if (found === null) return createJsonResponse({ code: 400, message: 'Something went wrong' }, 400);
      const { post, account } = found;
      return createJsonResponse({
        version: '1.0',
        type: 'video',
        title: post.caption,
        author_url: `${SITE}/@${account.handle}`,
        author_name: account.name,
        author_unique_id: account.handle,
        width: '100%',
        height: '100%',
        html: `<blockquote class="tiktok-embed" cite="${buildPostUrl(account, post)}" data-video-id="${post.id}"></blockquote>`,
        thumbnail_url: `${world.url}/pictures/cover/${post.id}-540x960.svg`,
        thumbnail_width: 540,
        thumbnail_height: 960,
        provider_name: 'TikTok',
        provider_url: SITE,
        embed_product_id: post.id,
        embed_type: 'video',
      });
    },
  });
}
