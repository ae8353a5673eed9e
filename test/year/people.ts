import type { ProviderName } from '../../src/basics/codes.ts';
import type { User } from '../kit/at-work.ts';
import { DAY_MS } from '../kit/clock.ts';
import { type Answer, Refusal } from '../kit/graphql.ts';
import type { World } from './world.ts';

/** How often a person's app reads. `AUTOMATIC`: the service does, by the app's policy. `LEAVES`: only comes and goes. */
export type Habit = 'BUSY' | 'SELDOM' | 'IDLE' | 'AUTOMATIC' | 'TESTING' | 'LEAVES';

/** How somebody leaves. */
export const WAYS = ['disconnect', 'erase', 'remove at the platform', 'never come back'] as const;
export type Way = (typeof WAYS)[number];

/** What the contract promises of somebody's connection. */
type Promised = 'CONNECTED' | 'RECONNECT_REQUIRED' | 'GONE';

/** A person with one account, and what the contract promises them. */
export class Inhabitant {
  readonly name: string;
  readonly habit: Habit;
  readonly provider: ProviderName;
  readonly user: User;
  readonly account: string;
  readonly way: Way;
  connectionId = '';
  connectedAt = 0;
  promised: Promised = 'CONNECTED';
  /** Since when; a step later it must be so. */
  promisedAt = 0;
  /** The receipts of the disconnect. */
  receipts: { readonly ids: readonly string[]; readonly at: number } | undefined;
  /** Ids of posts that were read, and when. */
  readonly posts = new Map<string, number>();

  constructor(given: Pick<Inhabitant, 'name' | 'habit' | 'provider' | 'user' | 'account'> & { readonly way?: Way }) {
    this.name = given.name;
    this.habit = given.habit;
    this.provider = given.provider;
    this.user = given.user;
    this.account = given.account;
    this.way = given.way ?? 'disconnect';
  }

  async connect({ now }: World): Promise<void> {
    const reconnect = this.connectionId === '' ? {} : { reconnectConnectionId: this.connectionId };
    const result = await this.user.attempt(this.provider, this.account, reconnect);
    if (result.status !== 'COMPLETED') throw new Error(`${this.name} got ${result.status} ${result.resultCode}`);
    this.connectionId = result.connectionId;
    this.connectedAt = now();
    this.#promise('CONNECTED', now());
  }

  async read({ now, service }: World): Promise<void> {
    if (this.habit === 'BUSY' || this.habit === 'AUTOMATIC') {
      const [post] = service.control.posts(this.account);
      if (post === undefined || now() - post.uploadedAt > 10 * DAY_MS) service.control.addPost(this.account);
    }
    const { status, errorCode } = await this.user.refresh(this.connectionId);
    if (status !== 'SUCCEEDED') throw new Error(`A refresh of ${this.name} ended ${status} ${errorCode}`);
  }

  /** @returns null if it is gone. */
  async find(): Promise<Answer | null> {
    try {
      return await this.user.connection(this.connectionId);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'NOT_FOUND') return null;
      // Its client was replaced, and it is not among those who connected again.
      if (error instanceof Refusal && error.code === 'CAPABILITY_UNAVAILABLE') return { status: 'NOT_SERVED' };
      throw error;
    }
  }

  async leave({ service, now }: World): Promise<void> {
    const { tenantKey, externalSubjectId } = this.user.scope;
    if (this.way === 'disconnect') {
      const { revokeJobId, eraseJobId } = await this.user.ask('disconnectConnection', {
        connectionId: this.connectionId,
      });
      this.receipts = { ids: [revokeJobId, eraseJobId], at: now() };
      this.#promise('GONE', now());
    }
    if (this.way === 'erase') {
      const input = `appId: "${this.user.appId}", tenantKey: "${tenantKey}", externalSubjectId: "${externalSubjectId}"`;
      await service.operate(`eraseSubject(input: { ${input} })`);
      this.#promise('GONE', now());
    }
    if (this.way === 'remove at the platform') {
      service.control.removeApp(this.account);
      // Nobody tells us: the next upkeep finds it, after 27 days at most.
      this.#promise('RECONNECT_REQUIRED', now() + 27 * DAY_MS);
    }
  }

  /** Its grant has ended by itself. */
  expire(at: number): void {
    this.#promise('RECONNECT_REQUIRED', at);
  }

  #promise(promised: Promised, at: number): void {
    this.promised = promised;
    this.promisedAt = at;
  }
}
