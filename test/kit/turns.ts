import type { ProviderName } from '../../src/basics/codes.ts';
import type { Database } from '../../src/store/driver/sql.ts';

const LINES = ['turns', 'turns_connects', 'turns_grants'];
const sequencesOf = (provider: ProviderName, lines: readonly string[]) =>
  lines.map((line) => `${provider.toLowerCase()}_${line}`);

/** Empties the line of a provider, as a crash of Postgres does. */
export async function clearTurns(sql: Database, provider: ProviderName): Promise<void> {
  for (const name of sequencesOf(provider, [...LINES, 'turns_clock'])) await sql`alter sequence ${sql(name)} restart`;
}

/** Moves the whole line of a provider, its clock too, as if the server's clock had moved the other way. */
export async function moveTurns(sql: Database, provider: ProviderName, seconds: number): Promise<void> {
  for (const name of sequencesOf(provider, [...LINES, 'turns_clock'])) {
    await sql`select setval(${name}::regclass, pg_sequence_last_value(${name}::regclass) + ${seconds * 1_000_000}::bigint)`;
  }
}

/** When the next turn of a provider is, in seconds from now; negative if turns are left unused. */
export async function findNextTurn(sql: Database, provider: ProviderName): Promise<number> {
  const [name = ''] = sequencesOf(provider, LINES);
  const [row] = await sql`
    select (pg_sequence_last_value(${name}::regclass) / 1e6 - extract(epoch from clock_timestamp()))::float8 as seconds
  `;
  return Number(row?.seconds);
}

/** Makes the next turn of a provider so many seconds from now. */
export async function setNextTurn(sql: Database, provider: ProviderName, seconds: number): Promise<void> {
  await clearTurns(sql, provider);
  const [name = ''] = sequencesOf(provider, LINES);
  await sql`select setval(${name}::regclass, ((extract(epoch from clock_timestamp()) + ${seconds}) * 1000000)::bigint)`;
}
