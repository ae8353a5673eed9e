/** `1 connection`, `3 connections`, `12,000 connections`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** `A`, `A and B`, `A, B and C`. */
export const listed = (items: readonly string[]): string => new Intl.ListFormat('en-GB').format(items);

/** What a registration's pause, or its no longer serving an app, touches. */
export const touched = ({ connectionCount, openJobCount }: { connectionCount: number; openJobCount: number }): string =>
  `${count(connectionCount, 'connection')} cannot be read after it; ${count(openJobCount, 'open job')} will wait, or fail, because of it.`;
