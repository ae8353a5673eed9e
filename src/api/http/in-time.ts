import { createMiddleware } from 'hono/factory';
import { ServiceError } from '../../basics/errors.ts';
import type { HttpEnv } from './exchange.ts';

/** Every request is answered within this time, in milliseconds: before the time-outs of callers, proxies and people. */
export const ANSWER_WITHIN_MS = 8_000;

/** @returns the result of `work`, or undefined if it takes longer. @throws the error of `work` meanwhile */
export function waitFor<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => resolve(undefined), ms);
    work.then(
      (result) => {
        clearTimeout(late);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(late);
        reject(error);
      },
    );
  });
}

/** The answer to a request that we cannot serve now. It may have had an effect, unless it was refused at once. */
export const unavailable = () =>
  new ServiceError('UPSTREAM_UNAVAILABLE', 'The service does not answer in time. Try again later.');

/**
 * Refuses a request at once if `most` others are unfinished, and answers it by the error of `fail` if it takes too long. Its
 * work then continues.
 */
export function inTime(
  fail: () => Error,
  { most, answerWithinMs = ANSWER_WITHIN_MS }: { most: number; answerWithinMs?: number },
) {
  let unfinished = 0;
  return createMiddleware<HttpEnv>(async (_c, next) => {
    if (unfinished >= most) throw fail();
    unfinished += 1;
    const work = next().then(() => true);
    const end = () => {
      unfinished -= 1;
    };
    work.then(end, end);
    if ((await waitFor(work, answerWithinMs)) === undefined) throw fail();
  });
}
