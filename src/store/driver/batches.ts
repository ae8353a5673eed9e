import postgres from 'postgres';
import { findReadConnection } from './read-connection.ts';
import { mayShareRoundTrips, type Sql } from './sql.ts';

/** Answers several questions with one statement, in their order. */
type Ask<Question, Answer> = (sql: Sql, questions: readonly Question[]) => Promise<readonly Answer[]>;

interface Limits {
  /** Questions in one statement. */
  readonly largest: number;
  /** Statements at the same time. Questions that arrive meanwhile wait and share the next one. */
  readonly atOnce: number;
  /** A connection may hang. After this time its statement no longer keeps the next one waiting. */
  readonly patienceMs: number;
}

/** Two statements, so that Postgres runs one while this process and its callers deal with the answers of the other. */
const LIMITS: Limits = { largest: 32, atOnce: 2, patienceMs: 1_000 };

/**
 * Makes one statement answer the questions of all requests that arrive in the same turn of the event loop, or while
 * earlier statements run. The statement always begins after the questions arrived, so that each answer is as fresh as if
 * its request had asked alone. A question that Postgres refuses fails alone.
 */
export function askTogether<Question, Answer>(
  ask: Ask<Question, Answer>,
  limits: Partial<Limits> = {},
): (sql: Sql, question: Question) => Promise<Answer> {
  const batchers = new WeakMap<Sql, Batcher<Question, Answer>>();
  return (sql, question) => {
    if (!mayShareRoundTrips(sql)) return ask(sql, [question]).then(([answer]) => answer as Answer);
    let batcher = batchers.get(sql);
    if (batcher === undefined) {
      const readConnection = findReadConnection(sql);
      const send = (questions: readonly Question[]) =>
        readConnection === undefined
          ? ask(sql, questions)
          : readConnection.run((connection) => ask(connection, questions));
      batcher = new Batcher(send, { ...LIMITS, ...limits });
      batchers.set(sql, batcher);
    }
    return batcher.add(question);
  };
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** The questions of one kind to one database. */
class Batcher<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #limits: Limits;
  #waiting: Waiting<Question, Answer>[] = [];
  #running = 0;
  #isPlanned = false;

  constructor(ask: (questions: readonly Question[]) => Promise<readonly Answer[]>, limits: Limits) {
    this.#ask = ask;
    this.#limits = limits;
  }

  add(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      this.#plan();
    });
  }

  /** Starts the next statement at the end of this turn of the event loop. */
  #plan(): void {
    if (this.#isPlanned || this.#running >= this.#limits.atOnce) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#start();
    });
  }

  #start(): void {
    const { largest, atOnce } = this.#limits;
    while (this.#waiting.length > 0 && this.#running < atOnce) void this.#run(this.#waiting.splice(0, largest));
  }

  async #run(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    const end = this.#begin();
    try {
      const answers = await this.#ask(batch.map(({ question }) => question));
      if (answers.length !== batch.length) throw new Error('A batch has lost an answer.');
      end(); // The next statement runs while this process deals with these answers.
      answers.forEach((answer, index) => void batch[index]?.resolve(answer));
    } catch (error) {
      end();
      if (batch.length > 1 && isOfOneQuestion(error)) for (const one of batch) void this.#run([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  /** Counts a statement as running. @returns a function that ends it. */
  #begin(): () => void {
    this.#running += 1;
    let isRunning = true;
    const end = () => {
      if (!isRunning) return;
      isRunning = false;
      clearTimeout(timer);
      this.#running -= 1;
      this.#start();
    };
    const timer = setTimeout(end, this.#limits.patienceMs);
    return end;
  }
}

/** SQLSTATE class 22: Postgres refuses a value. Every other failure would meet each question alone too. */
const isOfOneQuestion = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code.startsWith('22');
