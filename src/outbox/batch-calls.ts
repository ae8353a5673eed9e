/**
 * Work on single items, done for as many at once as have come by then: one call at a time, and nobody waits longer than for
 * the one that was under way and the next.
 * @returns resolves, or fails, with the call that the item was part of.
 */
export function batchCalls<Item>(work: (items: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let next: { readonly items: Item[]; readonly done: Promise<void> } | undefined;
  let last: Promise<void> = Promise.resolve();
  return (item) => {
    if (next === undefined) {
      const items: Item[] = [];
      const before = last;
      const done = before
        .catch(() => undefined) // Its own items have been told.
        .then(() => {
          next = undefined;
          return work(items);
        });
      last = done;
      next = { items, done };
    }
    next.items.push(item);
    return next.done;
  };
}
