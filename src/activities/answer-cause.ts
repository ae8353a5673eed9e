import type { ProviderError } from '../providers/provider.ts';
import type { AnswerCause } from '../store/answer-cause.ts';

/** The platform's answer, as the store keeps it for operators. */
export const toCause = ({ status, networkCode, platformCode }: ProviderError): AnswerCause => ({
  answer: status === undefined ? (networkCode ?? null) : `HTTP_${status}`,
  code: platformCode ?? null,
});

/** A stored answer as the options of an error that follows from it. */
export const fromCause = ({ answer, code }: AnswerCause) => {
  const status = /^HTTP_(\d+)$/.exec(answer ?? '')?.[1];
  return {
    ...(status !== undefined && { status: Number(status) }),
    ...(status === undefined && answer !== null && { networkCode: answer }),
    ...(code !== null && { platformCode: code }),
  };
};
