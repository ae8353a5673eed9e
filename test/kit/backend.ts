import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, RootField } from './graphql.ts';
import { WAIT_LIMIT_MS } from './limits.ts';

export const PATIENCE = { timeout: WAIT_LIMIT_MS, interval: 100 };

const UNFINISHED = ['CREATED', 'AUTHORIZING', 'EXCHANGING'];
const OPEN = ['QUEUED', 'RUNNING'];

/** An app's backend, which acts for one person. */
export abstract class Backend {
  /** Reads all fields of one root field in the person's scope. @throws Refusal */
  abstract ask(field: RootField, variables?: object): Promise<Answer>;

  /** Waits until an answer may have changed, or `signal` ends the wait. */
  protected async changed(signal: AbortSignal): Promise<unknown> {
    return await delay(PATIENCE.interval, undefined, { signal });
  }

  /** Asks until the answer is as expected. @throws after a while with the expectation, and the last answer */
  protected async until(
    expected: string,
    ask: () => Promise<Answer>,
    isSo: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const end = performance.now() + PATIENCE.timeout;
    for (;;) {
      const asked = new AbortController();
      const changed = this.changed(asked.signal).catch(() => {}); // The time is over.
      const answer = await ask();
      if (isSo(answer)) {
        asked.abort();
        return answer;
      }
      if (performance.now() > end) throw new Error(`${expected}, but it is ${JSON.stringify(answer)}.`);
      await changed;
    }
  }

  async result(id: string): Promise<Answer> {
    return await this.ask('connectSessionResult', { id });
  }

  /** Waits for the attempt's result. */
  async finished(id: string): Promise<Answer> {
    const isFinished = ({ status }: Answer) => !UNFINISHED.includes(status);
    return await this.until(`Attempt ${id} should have a result`, () => this.result(id), isFinished);
  }

  async connection(id: string): Promise<Answer> {
    return await this.ask('connection', { id });
  }

  /** Waits until no scan of the connection is pending or running. */
  async synced(id: string): Promise<Answer> {
    const isSynced = ({ syncStatus }: Answer) => !['PENDING', 'RUNNING'].includes(syncStatus);
    return await this.until(`Connection ${id} should have no scan in flight`, () => this.connection(id), isSynced);
  }

  async job(connectionId: string, id: string): Promise<Answer> {
    return await this.ask('syncJob', { connectionId, id });
  }

  protected async jobUntil(
    connectionId: string,
    id: string,
    expected: string,
    isSo: (job: Answer) => boolean,
  ): Promise<Answer> {
    const name = `Job ${id} of connection ${connectionId}`;
    return await this.until(`${name} should ${expected}`, () => this.job(connectionId, id), isSo);
  }

  /** Waits until the job has ended. */
  async ended(connectionId: string, id: string): Promise<Answer> {
    return await this.jobUntil(connectionId, id, 'have ended', ({ status }) => !OPEN.includes(status));
  }

  /** Waits until the job waits for its next try. */
  async waiting(connectionId: string, id: string): Promise<Answer> {
    const isWaiting = ({ nextRetryAt }: Answer) => nextRetryAt !== null;
    return await this.jobUntil(connectionId, id, 'wait for its next try', isWaiting);
  }

  /** Waits until the job waits for its next try, or has ended. */
  async pausing(connectionId: string, id: string): Promise<Answer> {
    const isPausing = ({ status, nextRetryAt }: Answer) => nextRetryAt !== null || !OPEN.includes(status);
    return await this.jobUntil(connectionId, id, 'wait for its next try, or have ended', isPausing);
  }

  /** Disconnects, and waits for both receipts. */
  async disconnect(connectionId: string): Promise<{ revoke: Answer; erase: Answer; receipts: Answer }> {
    const receipts = await this.ask('disconnectConnection', { connectionId });
    const [revoke, erase] = await Promise.all([
      this.ended(connectionId, receipts.revokeJobId),
      this.ended(connectionId, receipts.eraseJobId),
    ]);
    return { revoke, erase, receipts };
  }
}
