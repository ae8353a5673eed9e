import type { ProviderName } from '../../src/basics/codes.ts';
import type { Database } from './postgres.ts';

// What tests of other folders need of the store.
export { type Slot, takeSlot } from '../../src/store/provider-rate-limit.ts';

const SEQUENCES = ['slots', 'slots_connects', 'slots_grants', 'slots_clock'];
const namesOf = (provider: ProviderName) => SEQUENCES.map((sequence) => `${provider.toLowerCase()}_${sequence}`);

/** Frees all slots of a provider, as a crash of Postgres does. */
export async function clearSlots(sql: Database, provider: ProviderName): Promise<void> {
  for (const name of namesOf(provider)) await sql`alter sequence ${sql(name)} restart`;
}
