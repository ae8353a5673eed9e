import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../basics/log.ts';
import type { ReportAnswer } from '../providers/adapters.ts';
import type { Sql } from '../store/driver/sql.ts';
import { noteUnknownAnswer, type SeenAnswer } from '../store/unknown-answers.ts';
import { countUnknownAnswers } from '../telemetry/instruments.ts';

const NEWS = 'The provider gave an answer that no adapter knows';
/** In an outage the same answer comes hundreds of times a second. */
const BATCH_MS = 5_000;
/** The most different answers of a batch. */
const MOST_PENDING = 100;
/** A worker that stops does not wait longer for the database. */
const CLOSE_WITHIN_MS = 1_000;

export interface AnswerReports {
  readonly report: ReportAnswer;
  /** Stores the collected answers, if the database answers within a second. Never throws. */
  close(): Promise<void>;
}

/**
 * Keeps the answers that no adapter knows, for people: each in a row of its own, in batches, and apart from the calls. A batch
 * that cannot be written is counted and dropped.
 */
export function createAnswerReports(sql: Sql, log: Log, { batchMs = BATCH_MS } = {}): AnswerReports {
  let pending = new Map<string, { answer: SeenAnswer; times: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(batch: typeof pending): Promise<void> {
    for (const { answer, times } of batch.values()) {
      const { provider, status, code, text } = answer;
      const seen = await noteUnknownAnswer(sql, answer, times);
      countUnknownAnswers(answer.provider, seen, times);
      if (seen === 'FIRST') log.warn(NEWS, { provider, status, answer: { code, text } });
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = pending;
    pending = new Map();
    writing = writing
      .then(() => write(batch))
      .catch((error: unknown) => log.warn('Unknown answers of providers were not written', { error }));
    return writing;
  }

  return {
    report(provider, { where: place, status, code, text }, madeOfIt) {
      const answer: SeenAnswer = { provider, place, status, code, text, madeOfIt };
      const key = JSON.stringify(answer);
      const { times } = pending.get(key) ?? { times: 0 };
      if (times === 0 && pending.size >= MOST_PENDING) return countUnknownAnswers(provider, 'FULL', 1);
      pending.set(key, { answer, times: times + 1 });
      timer ??= setTimeout(() => void flush(), batchMs).unref();
    },
    close: () => Promise.race([flush(), delay(CLOSE_WITHIN_MS, undefined, { ref: false })]),
  };
}
