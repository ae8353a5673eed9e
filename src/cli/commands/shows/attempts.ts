import { cut, formatSecond, joinAnswer } from './format.ts';

interface ListedAttempt {
  readonly id: string;
  readonly status: string;
  readonly provider: string;
  readonly appName: string;
  readonly resultCode: string | null;
  readonly lastAnswer: string | null;
  readonly lastAnswerCode: string | null;
  readonly lastRefusal: string | null;
  readonly createdAt: string;
}

export const briefAttempt = (attempt: ListedAttempt) => ({
  id: attempt.id,
  provider: attempt.provider,
  app: cut(attempt.appName, 10),
  status: attempt.status,
  created: formatSecond(attempt.createdAt).slice(5, 16),
  result: cut(attempt.resultCode ?? joinAnswer(attempt.lastAnswer, attempt.lastAnswerCode) ?? '-', 16),
  // `wrongBrowser` as words; `attempts show` tells what can be done.
  refused: cut(attempt.lastRefusal?.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? '-', 16),
});
