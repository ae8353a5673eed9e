import type { SandboxAccount, SandboxGrant } from '../model.ts';
import type { World } from '../world.ts';
import { createGraphError, formatUsage } from './answers.ts';
import { settingsOf } from './settings.ts';

const DAY_MS = 86_400_000;

export interface GraphCaller {
  readonly grant: SandboxGrant;
  readonly account: SandboxAccount;
}

/** Why a token is not taken: 463 it has expired, 458 the person removed the app. */
export function createDeadTokenError(world: World, value: string | null): Response {
  const found = value === null ? undefined : world.grants.find(value);
  if (found?.grant.platform !== 'PROVIDER_C')
    return createGraphError(190, 'Invalid OAuth access token - Cannot parse access token');
  if (found.grant.endedAt !== null) {
    const message = 'Error validating access token: The user has not authorized application.';
    return createGraphError(190, message, { subcode: 458 });
  }
  return createGraphError(190, 'Error validating access token: Session has expired', { subcode: 463 });
}

/** Counts calls for each client and account over a sliding day, and reports them in the headers of every answer. */
export class Usage {
  readonly #world: World;
  readonly #times = new Map<string, number[]>();

  constructor(world: World) {
    this.#world = world;
    world.onReset(() => this.#times.clear());
  }

  /** Counts a call. @returns the headers, and whether it was one too many */
  count({ grant, account }: GraphCaller): { headers: Record<string, string>; isOver: boolean } {
    const now = this.#world.clock.now();
    const key = `${grant.clientId} ${account.id}`;
    const times = (this.#times.get(key) ?? []).filter((time) => time > now - DAY_MS);
    times.push(now);
    this.#times.set(key, times);
    const limit = settingsOf(this.#world).callsPerDay;
    const isOver = times.length > limit;
    const percent = limit === 0 ? 100 : Math.min(100, Math.floor((times.length / limit) * 100));
    const regainMinutes = isOver ? Math.max(1, Math.ceil(((times[0] ?? now) + DAY_MS - now) / 60_000)) : 0;
    const usage = { call_count: percent, total_cputime: 0, total_time: Math.ceil(percent / 2) };
    const headers = { 'x-app-usage': JSON.stringify(usage), ...formatUsage(account.id, usage, regainMinutes) };
    return { headers, isOver };
  }
}
