import type { World } from '../world.ts';
import { settingsOf } from './settings.ts';

const PACIFIC_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });

/** Units spent per Cloud project and day; the day begins at midnight Pacific time. */
export class Quota {
  readonly #world: World;
  readonly #spent = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    world.onReset(() => this.#spent.clear());
  }

  /** Takes a unit. @returns false when none is left */
  spend(project: string): boolean {
    const key = `${PACIFIC_DAY.format(this.#world.clock.now())} ${project}`;
    const spent = (this.#spent.get(key) ?? 0) + 1;
    this.#spent.set(key, spent);
    return spent <= settingsOf(this.#world).unitsPerDay;
  }
}
