/** More than an api meets in an hour. */
const MAX_HOLDERS = 1_000;

interface Holder<Item> {
  /** With their weights, in the order of their last use. */
  readonly items: Map<Item, number>;
  total: number;
}

/**
 * Keeps items for holders, within bounds. A holder with more than its share loses the item that it has not used for longest. If
 * all items together are too many, the holder with most loses one. So no holder pushes out the items of one with less.
 * An item that several holders use counts once, and stays until the last of them has lost it.
 */
export class Shares<Item> {
  readonly #most: { readonly each: number; readonly all: number };
  readonly #drop: (item: Item) => void;
  /** In the order of their last use. */
  readonly #holders = new Map<string, Holder<Item>>();
  /** How many holders an item has. */
  readonly #uses = new Map<Item, number>();
  #total = 0;

  /** @param most weights of all items of one holder, and of all. @param drop is called with an item that no holder has any more. */
  constructor(most: { readonly each: number; readonly all: number }, drop: (item: Item) => void) {
    this.#most = most;
    this.#drop = drop;
  }

  /** Keeps an item for a holder, or notes one more use of it. */
  use(name: string, item: Item, weight: number): void {
    const holder = this.#holders.get(name) ?? { items: new Map(), total: 0 };
    // Deleted and set again, maps keep the order of the last use.
    this.#holders.delete(name);
    this.#holders.set(name, holder);
    if (holder.items.delete(item)) {
      holder.items.set(item, weight);
      return;
    }
    holder.items.set(item, weight);
    holder.total += weight;
    const uses = this.#uses.get(item) ?? 0;
    this.#uses.set(item, uses + 1);
    if (uses === 0) this.#total += weight;
    while (holder.total > this.#most.each) this.#loseOldest(name, holder);
    while (this.#total > this.#most.all) this.#loseOldest(...this.#findLargest());
    if (this.#holders.size > MAX_HOLDERS) this.#forgetOldestHolder();
  }

  #findLargest(): [string, Holder<Item>] {
    return [...this.#holders].reduce((largest, one) => (one[1].total > largest[1].total ? one : largest));
  }

  #forgetOldestHolder(): void {
    for (const [name, holder] of this.#holders) {
      while (holder.items.size > 0) this.#loseOldest(name, holder);
      return;
    }
  }

  #loseOldest(name: string, holder: Holder<Item>): void {
    for (const [item, weight] of holder.items) {
      holder.items.delete(item);
      holder.total -= weight;
      if (holder.items.size === 0) this.#holders.delete(name);
      const uses = (this.#uses.get(item) ?? 1) - 1;
      if (uses > 0) this.#uses.set(item, uses);
      else this.#lose(item, weight);
      return;
    }
  }

  #lose(item: Item, weight: number): void {
    this.#uses.delete(item);
    this.#total -= weight;
    this.#drop(item);
  }
}
