import { setTimeout as delay } from 'node:timers/promises';
import type { BatchObservableResult, Meter, ObservableGauge } from '@opentelemetry/api';
import type { Log } from '../basics/log.ts';

/** A source that answers later counts as unreachable: a scrape does not wait for long. */
const READ_WITHIN_MS = 4_000;

export type Observations = readonly (readonly [
  gauge: ObservableGauge,
  value: number,
  labels?: Record<string, string>,
])[];

const UNREADABLE: Readonly<Record<Source, string>> = {
  pool: "The database did not answer this process' gauges",
  postgres: 'Gauges could not be read from Postgres',
  temporal: 'Gauges could not be read from Temporal',
};

/** Our own time limit. It has no stack, which would name only its timer. */
class LateSourceError extends Error {
  override readonly name = 'LateSourceError';

  constructor() {
    super(`No answer within ${READ_WITHIN_MS / 1_000} seconds.`);
    this.stack = '';
  }
}

async function inTime<T>(reading: Promise<T>): Promise<T> {
  const late = delay(READ_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new LateSourceError();
  });
  return await Promise.race([reading, late]);
}

/** Registers gauges; one read serves all gauges of a source. */
export interface GaugeRegistry {
  gauge(name: string, description: string): ObservableGauge;
  /** While `read` fails, the gauges report nothing and `accounts_state_readable` is 0 for the source. */
  observe(source: Source, gauges: readonly ObservableGauge[], read: Read): void;
  /** Resolves when no read is running: then the sources may be closed. */
  settled(): Promise<void>;
}
type Source = 'pool' | 'postgres' | 'temporal';
type Read = () => Promise<Observations>;

export function createGaugeRegistry(meter: Meter, log: Log): GaugeRegistry {
  const gauge = (name: string, description: string) => meter.createObservableGauge(name, { description });
  const reading = new Set<Promise<unknown>>();
  const readable = gauge('accounts_state_readable', 'Whether the source of these gauges answered: 1 or 0');
  return {
    gauge,
    observe(source, gauges, read) {
      const show = async (result: BatchObservableResult, asked: ReturnType<Read>) => {
        try {
          for (const [each, value, labels] of await inTime(asked)) result.observe(each, value, labels);
          result.observe(readable, 1, { source });
        } catch (error) {
          log.warn(UNREADABLE[source], { error });
          result.observe(readable, 0, { source });
        }
      };
      const callback = async (result: BatchObservableResult) => {
        const asked = read();
        const shown = show(result, asked);
        // Temporal's client may still retry after the time limit. If its connection closes meanwhile, it throws an
        // uncaught error. Reads from Postgres end with their connections.
        const ended = source === 'temporal' ? Promise.allSettled([asked, shown]) : shown;
        reading.add(ended);
        void ended.finally(() => reading.delete(ended));
        await shown;
      };
      meter.addBatchObservableCallback(callback, [...gauges, readable]);
    },
    settled: async () => {
      await Promise.all(reading);
    },
  };
}
