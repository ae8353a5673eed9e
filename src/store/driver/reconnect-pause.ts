/*
 * Answers porsager/postgres 1179: the driver's pause before it connects again counts the failures of all connections of a pool, so that
 * it reaches 20 s in one outage, and is the same for all of them. `test/store/driver-faults.test.ts` fails when this file can go.
 */

/** In seconds: at most one, and spread. */
export const chooseReconnectPause = (failures: number): number =>
  (0.5 + Math.random() / 2) * Math.min(3 ** failures / 100, 1);
