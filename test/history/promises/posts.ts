import type { Entry } from '../history.ts';
import type { Broken, PlatformRecord } from '../run.ts';
import { broken, type Promised, type View } from '../view.ts';

/** A complete page holds every post that was at the platform when its scan was asked for, once, and as it was then. */
export const posts: Promised = function* (view) {
  yield* checkSought(view);
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
    if (since === undefined) {
      if (entry.complete) yield* checkUnseenScan(posts, changes, entry, say);
      continue;
    }
    if (!entry.complete) yield say('a window that was scanned to its end is not called complete');
    for (const post of posts) {
      const { publishedAt } = post;
      if (post.account !== account || !post.isPublic || publishedAt === null) continue;
      // Platforms return whole seconds.
      const told = publishedAt - (publishedAt % 1_000);
      if (told < Date.parse(window.publishedAfter) || publishedAt >= Date.parse(window.publishedBefore)) continue;
      const own = changes.get(post.id) ?? [];
      const item = items.find(({ id }) => id === post.id);
      const posted = own.find(({ change }) => change === 'posted');
      const deleted = own.find(({ change }) => change === 'deleted');
      if (deleted !== undefined && deleted.index < since) {
        const missed = findFirstMiss(view, entry.connectionId, publishedAt, deleted.index);
        const isOld = missed !== undefined && view.timeAt(since) - view.timeAt(missed) >= GONE_AFTER_MS;
        const hasNeighbour = items.some(({ id, availability }) => id !== post.id && availability === 'AVAILABLE');
        if (item?.availability === 'AVAILABLE' && isOld && hasNeighbour)
          yield say(`post ${post.id} was deleted before the scan, and before one of an hour ago`);
      } else if (deleted === undefined && (posted === undefined || posted.index < since)) {
        if (item === undefined) yield say(`post ${post.id} is lost`);
        else if (item.availability === 'AVAILABLE') {
          const edits = own.filter(({ views }) => views !== undefined);
          const before = edits.filter(({ index }) => index < since).at(-1)?.views ?? post.views;
          const allowed = [before, ...edits.filter(({ index }) => index >= since).map(({ views }) => views)];
          if (item.views !== null && !allowed.includes(item.views)) {
            yield say(`post ${post.id} has ${item.views} views; allowed: ${allowed.join(', ')}`);
          }
        } else yield say(`post ${post.id} is ${item.availability}`);
      }
    }
  }
};

/** A post is gone with the first scan that misses it an hour or more after another one did, if another post is shown. */
const GONE_AFTER_MS = 3_600_000;

/** @returns when the end of the first scan over the post that was asked for after its deletion was seen */
function findFirstMiss(view: View, connectionId: string, publishedAt: number, deleted: number): number | undefined {
  const scans = new Set<string>();
  for (const { index, entry } of view.calls) {
    const asked = view.asked.get(entry.call);
    if (asked === undefined || asked.index < deleted || entry.type !== 'answered' || entry.value === null) continue;
    if (asked.entry.variables.connectionId !== connectionId) continue;
    const { id, status, completeForWindow } = entry.value;
    if (status === 'SUCCEEDED' && completeForWindow === true && scans.has(id)) return index;
    const { window } = asked.entry.variables;
    if (entry.field !== 'requestRefresh' || window === undefined) continue;
    if (Date.parse(window.publishedAfter) <= publishedAt && publishedAt < Date.parse(window.publishedBefore))
      scans.add(id);
  }
  return undefined;
}

/** A page that an automatic scan made complete: it holds at least the posts that were there all the time. */
function* checkUnseenScan(
  posts: PlatformRecord['posts'],
  changes: ReadonlyMap<string, readonly { change: string }[]>,
  { account, window, items }: Extract<Entry, { type: 'read' }>,
  say: (message: string) => Broken,
): Generator<Broken> {
  for (const { id, account: owner, isPublic, publishedAt } of posts) {
    if (owner !== account || !isPublic || publishedAt === null) continue;
    if (publishedAt - (publishedAt % 1_000) < Date.parse(window.publishedAfter)) continue;
    if (publishedAt >= Date.parse(window.publishedBefore)) continue;
    if (changes.get(id)?.some(({ change }) => change === 'posted' || change === 'deleted')) continue;
    if (!items.some((item) => item.id === id)) yield say(`post ${id} is missing from a page called complete`);
  }
}

/** A lookup finds the post of its URL, and after a refresh of its metrics a post has values of that time or later. */
function* checkSought(view: View): Generator<Broken> {
  const { posts } = view.platform;
  const sought = new Map<string, string>();
  for (const entry of view.entries) if (entry.type === 'sought') sought.set(entry.job, entry.post);
  const firstAsked = new Map<string, number>();
  const fresh = new Map<string, number>();
  for (const { index, entry } of view.calls) {
    const asked = view.asked.get(entry.call);
    if (entry.type !== 'answered' || entry.value === null || asked === undefined) continue;
    const { flow, value } = entry;
    const post = sought.get(value.id);
    if (entry.field === 'requestRefresh' && !firstAsked.has(value.id)) firstAsked.set(value.id, asked.index);
    if (entry.field === 'syncJob' && post !== undefined && value.status === 'SUCCEEDED') {
      const found = value.resultProviderContentId;
      if (view.kindOf(value.id) === 'requestContentLookup') {
        if (found !== post) yield broken(flow, `the lookup ${value.id} of post ${post} found ${found}`);
      } else fresh.set(`${asked.entry.variables.connectionId}/${post}`, firstAsked.get(value.id) ?? index);
    }
    if (entry.field !== 'contentItem') continue;
    const { connectionId, providerContentId } = asked.entry.variables;
    const since = fresh.get(`${connectionId}/${providerContentId}`);
    const views = value.metrics.find(({ name }: { name: string }) => name === 'VIEWS')?.value ?? null;
    if (since === undefined || views === null || value.availability !== 'AVAILABLE') continue;
    const edits = view.entries.flatMap((change, at) =>
      change.type === 'platform' && change.post === providerContentId && change.views !== undefined
        ? [{ at, views: change.views }]
        : [],
    );
    const before = edits.filter(({ at }) => at < since).at(-1)?.views;
    const first = posts.find(({ id }) => id === providerContentId)?.views;
    const allowed = [before ?? first, ...edits.filter(({ at }) => at >= since).map((edit) => edit.views)];
    if (!allowed.includes(views)) {
      yield broken(flow, `post ${providerContentId} has ${views} views; allowed: ${allowed.join(', ')}`);
    }
  }
}

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
