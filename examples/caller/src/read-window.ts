import type { Client, ContentItem, SubjectScope } from 'social-account-connection-client';

/** The most posts in one answer. */
const POSTS_PER_ANSWER = 50;
/** Bounds the memory and the calls of one page. Older posts are reached by an earlier window. */
const MAX_ANSWERS = 6;

/** The posts of a window, newest first. */
export interface WindowPosts {
  readonly items: readonly ContentItem[];
  /** Whether the window has more posts than these, all of them older. */
  readonly isCut: boolean;
  readonly completeForWindow: boolean;
  readonly incompleteReason: string | null;
}

/** Reads a whole window, answer after answer, because its totals need every post. @throws ServiceError as `content` */
export async function readWindow(
  service: Pick<Client, 'content'>,
  scope: SubjectScope,
  connectionId: string,
  window: { readonly publishedAfter: string; readonly publishedBefore: string },
): Promise<WindowPosts> {
  const items: ContentItem[] = [];
  let after: string | undefined;
  for (let answers = 1; ; answers += 1) {
    const page = await service.content({ scope, connectionId, window: { ...window, first: POSTS_PER_ANSWER, after } });
    items.push(...page.items);
    const { hasNextPage, endCursor, completeForWindow, incompleteReason } = page.pageInfo;
    const hasMore = hasNextPage && endCursor !== null;
    if (!hasMore || answers === MAX_ANSWERS) {
      return { items, isCut: hasMore, completeForWindow, incompleteReason: incompleteReason ?? null };
    }
    after = endCursor;
  }
}
