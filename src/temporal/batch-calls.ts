/**
 * Collects single items into batches. One call runs at a time; an item waits at most for the call in progress and the next.
 * @returns a function that resolves, or fails, with the call that handled its item.
 */
export function batchCalls<Item, Result>(
  work: (items: readonly Item[]) => Promise<Result>,
): (item: Item) => Promise<Result> {
  let next: { readonly items: Item[]; readonly done: Promise<Result> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (item) => {
    if (next === undefined) {
      const items: Item[] = [];
      const before = last;
      const done = before
        .catch(() => undefined) // Its own callers get that error.
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
