import type { Post, SandboxAccount } from './model.ts';

/** The control API's changes to the seeded posts. They survive a restart. */
export interface Edits {
  added: readonly Post[];
  changed: Readonly<Record<string, Partial<Post>>>;
  deleted: readonly string[];
}

/** All accounts and posts: the seeded ones with the edits on top. */
export class SandboxContent {
  readonly accounts: ReadonlyMap<string, SandboxAccount>;
  readonly #seeded: readonly Post[];
  #edits: Edits = { added: [], changed: {}, deleted: [] };
  #posts = new Map<string, Post>();

  constructor(accounts: readonly SandboxAccount[], posts: readonly Post[]) {
    this.accounts = new Map(accounts.map((account) => [account.id, account]));
    this.#seeded = posts;
    this.#rebuild();
  }

  get edits(): Edits {
    return this.#edits;
  }

  restore(edits: Edits): void {
    this.#edits = edits;
    this.#rebuild();
  }

  find(postId: string): Post | undefined {
    return this.#posts.get(postId);
  }

  findByCode(code: string): Post | undefined {
    return [...this.#posts.values()].find((post) => post.code === code);
  }

  /** Newest publication first; scheduled ones come first of all. */
  of(accountId: string): readonly Post[] {
    const own = [...this.#posts.values()].filter((post) => post.accountId === accountId);
    return own.sort((one, other) => publication(other) - publication(one));
  }

  add(post: Post): void {
    this.#edits = { ...this.#edits, added: [...this.#edits.added, post] };
    this.#rebuild();
  }

  change(postId: string, change: Partial<Post>): void {
    const changed = { ...this.#edits.changed, [postId]: { ...this.#edits.changed[postId], ...change } };
    this.#edits = { ...this.#edits, changed };
    this.#rebuild();
  }

  delete(postId: string): void {
    this.#edits = { ...this.#edits, deleted: [...this.#edits.deleted, postId] };
    this.#rebuild();
  }

  #rebuild(): void {
    const { added, changed, deleted } = this.#edits;
    const posts = [...this.#seeded, ...added].filter((post) => !deleted.includes(post.id));
    this.#posts = new Map(posts.map((post) => [post.id, { ...post, ...changed[post.id] }]));
  }
}

const publication = (post: Post): number => post.publishedAt ?? Number.POSITIVE_INFINITY;
