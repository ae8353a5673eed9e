import type { GaugeRegistry } from './gauge-registry.ts';

/** How the process' own connections to the database do. The driver does not tell who waits for one: the time does. */
export function observePool(
  { gauge, observe }: GaugeRegistry,
  pool: { readonly size: number; timeRoundTrip(): Promise<number> },
): void {
  const size = gauge('accounts_database_pool_size', 'Connections to the database that this process may open');
  const roundTrip = gauge(
    'accounts_database_round_trip_seconds',
    'The least of all queries, waiting for a connection of the pool included',
  );
  observe('pool', [size, roundTrip], async () => [
    [size, pool.size],
    [roundTrip, await pool.timeRoundTrip()],
  ]);
}
