import { createLog } from '../../src/basics/log.ts';

/** A log, and its lines, one JSON text each. */
export function keepLog(level: Parameters<typeof createLog>[0] = 'debug') {
  const lines: string[] = [];
  return { log: createLog(level, { write: (line) => void lines.push(line) }), lines };
}
