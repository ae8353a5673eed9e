import type { ProviderError } from '../providers/provider.ts';
import type { AnswerCause } from '../store/answer-cause.ts';

/** The platform's answer, as the store keeps it for operators. */
export const toCause = ({ status, networkCode, platformCode }: ProviderError): AnswerCause => ({
  answer: status === undefined ? (networkCode ?? null) : `HTTP_${status}`,
  code: platformCode ?? null,
});
