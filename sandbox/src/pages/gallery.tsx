import type { FC } from 'hono/jsx';
import type { Post, SandboxAccount } from '../model.ts';
import { buildPostUrl } from '../post-url.ts';
import { Action, ActionForm } from './actions.tsx';
import { SandboxLayout } from './layout.tsx';

/** An account and all its posts, each with its URL for a lookup. */
export const Gallery: FC<{ account: SandboxAccount; posts: readonly Post[] }> = ({ account, posts }) => (
  <SandboxLayout title={account.name} provider={account.platform} isWide>
    <p>
      <a href="/">← Sandbox</a>
    </p>
    <section class="card">
      <h1>
        <bdi>{account.name}</bdi>
      </h1>
      <p class="soft">
        @{account.handle} · {account.note} · <code>{account.id}</code>
      </p>
      <p>
        <bdi>{account.bio}</bdi>
      </p>
      <Action name="add-post" values={{ account: account.id }} label="Add a post" />
    </section>
    <br />
    <div class="posts">
      {posts.map((post) => (
        <PostCard account={account} post={post} />
      ))}
    </div>
  </SandboxLayout>
);

const PostCard: FC<{ account: SandboxAccount; post: Post }> = ({ account, post }) => {
  const values = { account: account.id, post: post.id };
  const title = post.title === '' ? post.caption.slice(0, 80) : post.title;
  return (
    <article>
      <img src={`/pictures/cover/${post.id}-400x500.svg`} alt="" loading="lazy" width="400" height="500" />
      <bdi>{title}</bdi>
      <br />
      <small>
        {post.publishedAt === null ? 'scheduled' : new Date(post.publishedAt).toISOString().slice(0, 10)} · {post.kind}
        {post.isPublic ? '' : ' · hidden'} · {post.views ?? '?'} views
      </small>
      <br />
      <code>{buildPostUrl(account, post)}</code>
      <br />
      <Action
        name={post.isPublic ? 'hide-post' : 'show-post'}
        values={values}
        label={post.isPublic ? 'Hide' : 'Show'}
        about={title}
      />{' '}
      <Action name="delete-post" values={values} label="Delete" about={title} />
      <details>
        <summary>Edit</summary>
        <ActionForm name="edit-post" label="Save">
          <input type="hidden" name="account" value={account.id} />
          <input type="hidden" name="post" value={post.id} />
          {(['title', 'caption', 'views', 'likes', 'comments'] as const).map((name) => (
            <input
              type="text"
              name={name}
              value={post[name] ?? ''}
              aria-label={`${name} of ${title}`}
              placeholder={name}
            />
          ))}
        </ActionForm>
      </details>
    </article>
  );
};
