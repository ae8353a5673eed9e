/** `1 connection`, `3 connections`, `12,000 connections`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** `A`, `A and B`, `A, B and C`. */
export const listed = (items: readonly string[]): string => new Intl.ListFormat('en-GB').format(items);
