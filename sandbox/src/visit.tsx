import type { Control } from './control.ts';
import type { SandboxApp } from './endpoint.ts';
import type { Post, SandboxAccount } from './model.ts';
import { createHtmlResponse, SandboxLayout } from './pages/layout.tsx';
import { createPostPage } from './pages/post-page.tsx';
import { buildPostUrl, listProfileUrls } from './post-url.ts';

/**
 * Serves `/visit?url=` for the links of a development stack: a URL of a real platform leads to the sandbox's page of the
 * same account or post, because the platform itself does not have it.
 */
export function serveVisits(app: SandboxApp, control: Control): void {
  app.get('/visit', (context) => {
    const url = normalize(context.req.query('url') ?? '');
    const account = control.accounts().find((one) => listProfileUrls(one).some((known) => normalize(known) === url));
    if (account !== undefined) return context.redirect(buildAccountPath(account));
    const found = findPost(control, url);
    if (found !== undefined) return context.redirect(`${buildAccountPath(found.account)}/posts/${found.post.id}`);
    return createHtmlResponse(
      <SandboxLayout title="Not in the sandbox">
        <div class="card">
          <h1>Not in the sandbox</h1>
          <p>The sandbox has no account and no post with this URL. It may have been deleted or reset here.</p>
          <p>
            <a href="/">All accounts of the sandbox</a>
          </p>
        </div>
      </SandboxLayout>,
      404,
    );
  });

  app.get('/accounts/:id/posts/:post', (context) => {
    const { id, post: postId } = context.req.param();
    const account = control.accounts().find((one) => one.id === id);
    const post = account && control.posts(account.id).find((one) => one.id === postId);
    if (account === undefined || post === undefined) return context.notFound();
    return createPostPage(account, post, buildPostUrl(account, post));
  });
}

const buildAccountPath = ({ id }: SandboxAccount) => `/accounts/${encodeURIComponent(id)}`;

function findPost(control: Control, url: string): { account: SandboxAccount; post: Post } | undefined {
  for (const account of control.accounts()) {
    const post = control.posts(account.id).find((one) => normalize(buildPostUrl(account, one)) === url);
    if (post !== undefined) return { account, post };
  }
  return undefined;
}

/** Drops the tracking parameters of platforms. Some name a post in the query, as `v`. */
function normalize(text: string): string {
  if (!URL.canParse(text)) return '';
  const { origin, pathname, searchParams } = new URL(text);
  const video = searchParams.get('v');
  return `${origin}${pathname.replace(/\/$/, '')}${video === null ? '' : `?v=${video}`}`;
}
