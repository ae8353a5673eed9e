import type { Facts } from '../facts.ts';
import type { World } from '../world.ts';

/** One of the service's own operations, as its process runs it. */
export interface Operation {
  /** The actor and the action: `caller: disconnectConnection`. */
  readonly name: string;
  /** Whether it has anything to act on in this state. */
  fits(facts: Facts): boolean;
  run(world: World, facts: Facts): Promise<unknown>;
  /** Whether two may run at once, such as two requests or two workers. */
  readonly isTwice?: boolean;
}

export const always = () => true;
export const hasConnection = ({ connectionId }: Facts) => connectionId !== undefined;
export const hasAttempt = ({ attempts }: Facts) => attempts.length > 0;
export const hasSignIn = ({ signIn }: Facts) => signIn !== undefined;
export const hasPost = ({ post }: Facts) => post !== undefined;
export const hasJob = ({ jobId }: Facts) => jobId !== undefined;
