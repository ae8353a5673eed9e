import { broken, type Promised, type View } from '../view.ts';

/** A complete page holds every post that was at the platform when its scan was asked for, once, and as it was then. */
export const posts: Promised = function* (view) {
  const { posts } = view.platform;
  const known = new Map(posts.map((post) => [post.id, post]));
  const changes = new Map<string, { index: number; change: string; views: string | undefined }[]>();
  for (const [index, entry] of view.entries.entries()) {
    if (entry.type !== 'platform' || entry.post === undefined) continue;
    const { change, views } = entry;
    changes.set(entry.post, [...(changes.get(entry.post) ?? []), { index, change, views }]);
  }
  for (const entry of view.entries) {
    if (entry.type !== 'read') continue;
    const { flow, account, window, items, from } = entry;
    const say = (message: string) => broken(flow, `${message} (window ${JSON.stringify(window)})`);
    const ids = items.map(({ id }) => id);
    const doubled = ids.find((id, at) => ids.indexOf(id) !== at);
    if (doubled !== undefined) yield say(`post ${doubled} is listed twice`);
    const times = items.map(({ publishedAt }) => publishedAt ?? '');
    if (times.some((time, at) => at > 0 && time > (times[at - 1] ?? ''))) yield say('posts are out of order');
    const stranger = ids.find((id) => known.get(id)?.account !== account);
    if (stranger !== undefined) yield say(`post ${stranger} is not the account's`);

    const since = findScan(view, entry.connectionId, window, from);
    if (since !== undefined && !entry.complete)
      yield say('a window that was scanned to its end is not called complete');
    if (since === undefined && !entry.complete) continue;
    for (const post of posts) {
      const { publishedAt } = post;
      if (post.account !== account || !post.isPublic || publishedAt === null) continue;
      // Platforms return whole seconds.
      const told = publishedAt - (publishedAt % 1_000);
      if (told < Date.parse(window.publishedAfter) || publishedAt >= Date.parse(window.publishedBefore)) continue;
      const own = changes.get(post.id) ?? [];
      const item = items.find(({ id }) => id === post.id);
      const posted = own.find(({ change }) => change === 'posted');
      if (own.some(({ change }) => change === 'deleted') || (posted && posted.index >= (since ?? 0))) continue;
      // An automatic scan made the page complete: it holds at least the posts that were there all the time.
      if (since === undefined) {
        if (item === undefined) yield say(`post ${post.id} is missing from a page called complete`);
      } else if (item === undefined) yield say(`post ${post.id} is lost`);
      else if (item.availability !== 'AVAILABLE') yield say(`post ${post.id} is ${item.availability}`);
      else {
        const edits = own.filter(({ views }) => views !== undefined);
        const before = edits.filter(({ index }) => index < since).at(-1)?.views ?? post.views;
        const allowed = [before, ...edits.filter(({ index }) => index >= since).map(({ views }) => views)];
        if (item.views !== null && !allowed.includes(item.views))
          yield say(`post ${post.id} has ${item.views} views; allowed: ${allowed.join(', ')}`);
      }
    }
  }
};

/** @returns when the latest scan of this window that its caller saw end complete before `from` was first asked for */
function findScan(view: View, connectionId: string, window: object, from: number): number | undefined {
  let since: number | undefined;
  const firstAsked = new Map<string, number>();
  const chain = new Map<string, string>(); // A continuation belongs to the job whose cursor it used.
  const cursors = new Map<string, string>();
  for (const { index, entry } of view.calls) {
    if (index >= from) break;
    if (entry.type !== 'answered' || entry.value === null) continue; // A post that was never read is null.
    const asked = view.asked.get(entry.call);
    if (asked?.entry.variables.connectionId !== connectionId) continue;
    const { id, continuationCursor } = entry.value;
    if (entry.field === 'requestRefresh') {
      const { window: own, continuationCursor: used } = asked.entry.variables;
      if (used !== undefined) chain.set(id, chain.get(cursors.get(used) ?? '') ?? cursors.get(used) ?? '');
      else if (own !== undefined && isSame(own, window) && !firstAsked.has(id)) firstAsked.set(id, asked.index);
    }
    if (typeof continuationCursor === 'string') cursors.set(continuationCursor, id);
    if (entry.value.status === 'SUCCEEDED' && entry.value.completeForWindow === true) {
      since = firstAsked.get(chain.get(id) ?? id) ?? since;
    }
  }
  return since;
}

// biome-ignore lint/suspicious/noExplicitAny: an untyped request.
const isSame = (one: any, other: any): boolean =>
  one.publishedAfter === other.publishedAfter && one.publishedBefore === other.publishedBefore;
