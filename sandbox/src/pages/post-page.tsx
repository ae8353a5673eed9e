import type { Post, SandboxAccount } from '../model.ts';
import { createHtmlResponse, SandboxLayout } from './layout.tsx';

/** A post's page. With the `url` by which an application looks the post up, it also has a link to the account. */
export const createPostPage = (account: SandboxAccount, post: Post, url?: string): Response =>
  createHtmlResponse(
    <SandboxLayout title={post.title === '' ? account.name : post.title} provider={account.platform}>
      <article class="card posts">
        <img src={`/pictures/cover/${post.id}-400x500.svg`} alt="" width="400" height="500" />
        <div>
          <h1>
            <bdi>{post.title}</bdi>
          </h1>
          <p class="soft">
            <bdi>{account.name}</bdi> · @{account.handle}
          </p>
          <p>
            <bdi>{post.caption}</bdi>
          </p>
          {url !== undefined && (
            <p>
              <small>Its URL at the platform, for a lookup:</small> <code>{url}</code>
            </p>
          )}
        </div>
      </article>
      {url !== undefined && (
        <p>
          <a href={`/accounts/${encodeURIComponent(account.id)}`}>
            All posts of <bdi>{account.name}</bdi>
          </a>
        </p>
      )}
    </SandboxLayout>,
  );
