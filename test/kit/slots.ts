import type { ProviderName } from '../../src/basics/codes.ts';
import type { Database } from './postgres.ts';

// What tests of other folders need of the store.
export { type Slot, takeSlot } from '../../src/store/provider-rate-limit.ts';

const NEXT = 'slots';
const ALL = [NEXT, 'slots_connects', 'slots_grants', 'slots_clock'];
const nameOf = (provider: ProviderName, sequence: string) => `${provider.toLowerCase()}_${sequence}`;
const namesOf = (provider: ProviderName) => ALL.map((sequence) => nameOf(provider, sequence));

/** Frees all slots of a provider, as a crash of Postgres does. */
export async function clearSlots(sql: Database, provider: ProviderName): Promise<void> {
  for (const name of namesOf(provider)) await sql`alter sequence ${sql(name)} restart`;
}

/** When the next slot of a provider is, in seconds from now; negative if slots are left unused. */
export async function findNextSlot(sql: Database, provider: ProviderName): Promise<number> {
  const name = nameOf(provider, NEXT);
  const [row] = await sql`
    select (pg_sequence_last_value(${name}::regclass) / 1e6 - extract(epoch from clock_timestamp()))::float8 as seconds
  `;
  return Number(row?.seconds);
}

/** Makes the next slot of a provider so many seconds from now. */
export async function setNextSlot(sql: Database, provider: ProviderName, seconds: number): Promise<void> {
  await clearSlots(sql, provider);
  const name = nameOf(provider, NEXT);
  await sql`select setval(${name}::regclass, ((extract(epoch from clock_timestamp()) + ${seconds}) * 1000000)::bigint)`;
}
