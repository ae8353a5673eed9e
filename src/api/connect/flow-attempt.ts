import type { ProviderName } from '../../basics/codes.ts';
import type { AppId, AttemptId, CorrelationId } from '../../basics/ids.ts';
import type { LogFields } from '../../basics/log.ts';

/** The fields of an attempt that a launch and a callback need in either flow. */
export interface FlowAttempt {
  readonly attemptId: AttemptId;
  readonly appId: AppId;
  /** Of an attempt to connect. */
  readonly provider?: ProviderName;
  readonly returnUrl: string;
  readonly browserSha256: Buffer | null;
  /** Of the request that created the attempt: operators find the attempt by it. */
  readonly correlationId: CorrelationId;
}

/** The fields of a log line about an attempt, with the reference that its pages tell the person. */
export const toLogFields = ({ attemptId, appId, provider, correlationId }: FlowAttempt): LogFields => ({
  ...{ attemptId, appId, correlationId },
  ...(provider !== undefined && { provider }),
});
