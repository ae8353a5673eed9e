import { forEachProvider, type ProviderErrorType, type ProviderName } from '../basics/codes.ts';
import { boundAnswers } from './bound-answers.ts';
import { countCalls } from './count-calls.ts';
import type { Http } from './http.ts';
import { PLATFORMS, type ProviderConfig } from './platforms.ts';
import type { Provider, ProviderError } from './provider.ts';
import { findUnexpected, type UnexpectedAnswer } from './unexpected-answers.ts';

/** Takes an unknown answer, and the failure that the adapter derived from it. Never waits and never throws. */
export type ReportAnswer = (provider: ProviderName, answer: UnexpectedAnswer, madeOfIt: ProviderErrorType) => void;

/** Creates one adapter for each platform. Adapters compute token expiry and retry delays from `now`, the business time. */
export function createAdapters(
  config: ProviderConfig,
  http: Http,
  now: () => Date,
  reportAnswer: ReportAnswer = () => undefined,
): Readonly<Record<ProviderName, Provider>> {
  const reportTo = (name: ProviderName) => (failure: ProviderError) => {
    const answer = findUnexpected(failure);
    if (answer !== undefined) reportAnswer(name, answer, failure.type);
  };
  const depsOf = (name: ProviderName) => ({ config, http, now, report: reportTo(name) });
  const finished = (provider: Provider) => countCalls(boundAnswers(provider, config), reportTo(provider.name));
  return forEachProvider((name) => finished(PLATFORMS[name].createAdapter(depsOf(name))));
}
