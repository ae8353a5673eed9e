/** `1 connection`, `3 connections`, `12,000 connections`. */
export const formatCount = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** `A`, `A and B`, `A, B and C`. */
export const formatList = (items: readonly string[]): string => new Intl.ListFormat('en-GB').format(items);

/** Enough of an id to distinguish two things with the same name. */
export const shortenId = (id: string): string => id.slice(0, 8);

/** `connect/1f0c5a2e` for the workflow of an attempt. */
export const shortenWorkflowId = (id: string): string => id.replace(/([0-9a-f]{8})-[0-9a-f-]{27}$/, '$1');

/** Every page of one thing has its id, a UUID, in the URL. */
export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

interface Impact {
  readonly connectionCount: number;
  readonly openJobCount: number;
}

/** Describes the effect when a registration is paused, or no longer serves an app. */
export const describeImpact = ({ connectionCount, openJobCount }: Impact): string =>
  `${formatCount(connectionCount, 'connection')} will become unreadable. ${formatCount(openJobCount, 'open job')} will wait or fail.`;

/** `LS` for `Local stack`, `G` for `grace`. */
export const toInitials = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('');

/** `Left to the person` for `left to the person`. */
export const toTitle = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

export const hostOf = (url: string): string => url.replace(/^https?:\/\//, '').replace(/[/?].*$/, '');
