import type { ProviderErrorType } from '../../../src/basics/codes.ts';

/** One published error answer of a platform, and the failure that an adapter must derive from it. */
export interface ErrorBody {
  /** Where it was reported. Values are invented where the report has personal ones. */
  readonly source: string;
  /** The call that it answered. */
  readonly call: 'exchange' | 'refresh' | 'read';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly type: ProviderErrorType;
}
