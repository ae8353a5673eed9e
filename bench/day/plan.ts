import { forEachProvider, PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import { type AppId, newId, type RegistrationId } from '../../src/basics/ids.ts';

/** The largest plan: so many connections, with the default rate of calls to each platform. Smaller ones are a part of it. */
export const MOST_CONNECTIONS = 10_000_000;
const DEFAULT_CALLS_PER_SECOND = 20;
const APPS = 12;

/** Of each platform: its part of the connections, and how many registrations share them, each half as large as the one before it, a third, and so on. */
const PLATFORMS: Readonly<Record<ProviderName, { part: number; registrations: number }>> = {
  PROVIDER_A: { part: 0.5, registrations: 20 },
  PROVIDER_B: { part: 0.3, registrations: 12 },
  PROVIDER_C: { part: 0.2, registrations: 8 },
};

const DAY = 1_440;
/** The shortest interval that a policy may have. */
const SHORTEST_MINUTES = 15;
/** The policies of automatic refresh: an app by its number, and its interval in minutes. All others have none. */
const POLICIES: Readonly<Record<ProviderName, Readonly<Record<number, number>>>> = {
  PROVIDER_A: { 4: DAY, 8: 7 * DAY, 11: 7 * DAY },
  PROVIDER_B: { 8: 7 * DAY, 9: DAY, 10: 7 * DAY, 11: DAY },
  PROVIDER_C: { 7: 7 * DAY },
};

/** The units that PROVIDER_A granted the largest registrations. The others have the documented 10,000. */
const GRANTED = [200_000, 100_000, 100_000, 100_000, 100_000];
const DOCUMENTED_UNITS = 10_000;

/** The registration that leaves automatic refreshes less than the usual half of rate and quota, in percent. */
const MODEST = { provider: 'PROVIDER_B', place: 9, percent: 20 } as const;

export interface PlannedRegistration {
  readonly id: RegistrationId;
  readonly name: string;
  readonly provider: ProviderName;
  readonly apps: readonly AppId[];
  readonly connections: number;
  /** A day; null without a limit. */
  readonly units: number | null;
  readonly refreshPercent: number;
}

export interface Plan {
  /** In the tables. */
  readonly connections: number;
  readonly standsFor: number;
  /** How much more often than by the service's own intervals an upkeep is due on the day. */
  readonly upkeepPace: number;
  readonly callsPerSecond: Readonly<Record<ProviderName, number>>;
  readonly apps: readonly AppId[];
  readonly registrations: readonly PlannedRegistration[];
  readonly policies: readonly { readonly appId: AppId; readonly provider: ProviderName; readonly minutes: number }[];
}

/** The fewest connections that a day can stand for: the planner needs a call a second. */
const FEWEST = 500_000;
/** An upkeep is due once on the day, at most. */
const MOST_OFTEN = 24;

/**
 * @param connections in the tables
 * @param standsFor so many connections, with their rates and quotas: the ones in the tables are due as much more often.
 */
export function makePlan(connections: number, standsFor = connections): Plan {
  const scale = Math.max(FEWEST, standsFor) / MOST_CONNECTIONS;
  const rate = DEFAULT_CALLS_PER_SECOND * scale;
  const pace = (scale * MOST_CONNECTIONS) / connections;
  const apps = Array.from({ length: APPS }, () => newId<AppId>());
  const app = (place: number) => apps[place % APPS] as AppId;
  const registrations = PROVIDER_NAMES.flatMap((provider) => {
    const { part, registrations: count } = PLATFORMS[provider];
    const weights = Array.from({ length: count }, (_, place) => 1 / (place + 1));
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight, place) => ({
      id: newId<RegistrationId>(),
      name: `${provider.slice(-1)}${place + 1}`,
      provider,
      // Two apps share one of them.
      apps: provider === 'PROVIDER_A' && place === 1 ? [app(1), app(2)] : [app(place)],
      connections: Math.round((connections * part * weight) / all),
      units: provider === 'PROVIDER_A' ? Math.round((GRANTED[place] ?? DOCUMENTED_UNITS) * scale) : null,
      refreshPercent: provider === MODEST.provider && place === MODEST.place ? MODEST.percent : 50,
    }));
  });
  return {
    connections: registrations.reduce((sum, each) => sum + each.connections, 0),
    standsFor: scale * MOST_CONNECTIONS,
    upkeepPace: Math.min(MOST_OFTEN, pace),
    callsPerSecond: forEachProvider(() => rate),
    apps,
    registrations,
    policies: PROVIDER_NAMES.flatMap((provider) =>
      Object.entries(POLICIES[provider]).map(([place, minutes]) => ({
        appId: app(Number(place)),
        provider,
        minutes: Math.max(SHORTEST_MINUTES, Math.round(minutes / pace)),
      })),
    ),
  };
}
