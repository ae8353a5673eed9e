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

/** Moves all slots of a provider, its clock too, as if the server's clock had moved the other way. */
export async function moveSlots(sql: Database, provider: ProviderName, seconds: number): Promise<void> {
  for (const name of namesOf(provider)) {
    await sql`select setval(${name}::regclass, pg_sequence_last_value(${name}::regclass) + ${seconds * 1_000_000}::bigint)`;
  }
}
