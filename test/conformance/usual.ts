import type { Service, User } from '../kit/at-work.ts';

/**
 * The instant at which a file stops the clock: now in whole seconds, because platforms have their own clock. Each file
 * asks once; this module can be older than a file.
 */
export const takeNow = () => Math.floor(Date.now() / 1_000) * 1_000 - 10_000;

export const DOWN = { kind: 'status', status: 503 } as const;
export const LATER = { kind: 'status', status: 429, retryAfterSeconds: 901 } as const;

export const booksOf = (user: User) => user.account('PROVIDER_B', /right to left/);
export const emptyOf = (user: User) => user.account('PROVIDER_B', /^No posts/);
export const nightOf = (user: User) => user.account('PROVIDER_B', /short pages/);

type Options = Parameters<User['connect']>[2] & { account?: string };

/** Makes a connection of PROVIDER_B from this instant, with its first scan of the week before. The clock stays there. */
export const connectAt =
  (now: number) =>
  async (user: User, service: Service, { account = booksOf(user), ...options }: Options = {}) => {
    await service.at(now);
    return await user.connect('PROVIDER_B', account, options);
  };
