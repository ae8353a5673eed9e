import { availableParallelism, loadavg } from 'node:os';

/** A limit of an idle machine, in any unit, stretched by the machine's load. */
export const stretch = (limit: number): number => limit * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
