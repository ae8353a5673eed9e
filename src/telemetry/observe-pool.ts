import type { GaugeRegistry } from './gauge-registry.ts';

/** Observes this process' database pool. The driver does not report waiting queries; the round trip includes their wait. */
export function observePool(
  { gauge, observe }: GaugeRegistry,
  pool: { readonly size: number; timeRoundTrip(): Promise<number> },
): void {
  const size = gauge('accounts_database_pool_size', 'Database connections that this process may open');
  const roundTrip = gauge(
    'accounts_database_round_trip_seconds',
    'Duration of the shortest query, including the wait for a pool connection',
  );
  observe('pool', [size, roundTrip], async () => [
    [size, pool.size],
    [roundTrip, await pool.timeRoundTrip()],
  ]);
}
