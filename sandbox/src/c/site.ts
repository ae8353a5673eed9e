import { type SandboxApp, serveEndpoint } from '../endpoint.ts';
import type { World } from '../world.ts';
import { createGraphFailure } from './answers.ts';
import { settingsOf } from './settings.ts';
import { buildPostUrl } from './urls.ts';

/** The prefix before the post's code in a share link. Real share codes are unrelated to it. */
const MARK = 'BA';

/** The public website: share links, which redirect to their post or to the login page. Needs no token. */
export function serveProviderCSite(app: SandboxApp, world: World): void {
  for (const path of ['/c/www/share/:code', '/c/www/share/:kind{p|reel}/:code']) {
    for (const end of ['', '/']) {
      serveEndpoint(app, world, {
        provider: 'PROVIDER_C',
        route: 'shareLink',
        method: 'GET',
        path: `${path}${end}`,
        query: { igsh: {}, utm_source: {} },
        refuse: () => new Response(null, { status: 404 }),
        createFailure: createGraphFailure,
        handle: ({ path: { code = '' } }) => {
          if (settingsOf(world).shareLinks === 'page')
            return new Response('<title>Instagram</title>', { headers: { 'content-type': 'text/html' } });
          return new Response(null, { status: 302, headers: { location: whereTo(world, code) } });
        },
      });
    }
  }
}

function whereTo(world: World, code: string): string {
  const post = code.startsWith(MARK) ? world.content.findByCode(code.slice(MARK.length)) : undefined;
  const account = post?.isPublic ? world.content.accounts.get(post.accountId) : undefined;
  if (!post || account?.platform !== 'PROVIDER_C') return 'https://www.instagram.com/accounts/login/';
  return `${buildPostUrl(account, post)}?igsh=sandbox`;
}
