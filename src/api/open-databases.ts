import type { Closings } from '../basics/closings.ts';
import type { Log } from '../basics/log.ts';
import type { ApiConfig } from '../config/config.ts';
import { addReadConnection } from '../store/driver/read-connection.ts';
import { type Link, openLink } from '../store/driver/reconnecting-pool.ts';
import { type Database, openDatabase } from '../store/driver/sql.ts';

export interface Databases {
  readonly sql: Database;
  readonly link: Link;
  /** The most connections of the process. */
  readonly size: number;
}

/** Opens the pools. They connect with the first statement. */
export function openDatabases(config: ApiConfig, log: Log, closings: Closings): Databases {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: size, FAST_PATHS: isFast } = config;
  const openPool = (poolSize: number) => () =>
    openDatabase(url, { poolSize, applicationName: 'api', files: config, sharesRoundTrips: isFast });
  const link = closings.add(openLink(openPool(1), () => log.warn('Silent database connections replaced')));
  const open = (poolSize: number) => {
    const pool = link.openPool(openPool(poolSize));
    closings.add({ close: () => pool.end({ timeout: 5 }) });
    return pool;
  };
  const sql = open(Math.max(1, isFast ? size - 1 : size));
  if (isFast) addReadConnection(sql, open(1));
  return { sql, link, size: sql.options.max + (isFast ? 1 : 0) };
}
