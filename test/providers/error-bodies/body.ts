import type { ProviderErrorType } from '../../../src/basics/codes.ts';

/** One published error answer of a platform, and the failure that an adapter must derive from it. */
export interface ErrorBody {
  /** Where it was reported. Values are invented where the report has personal ones. */
  readonly source: string;
  /** The call that it answered. */
  readonly call: 'exchange' | 'refresh' | 'read';
  readonly status: number;
  readonly body: unknown;
  readonly type: ProviderErrorType;
}

type Reports = readonly (readonly [source: string, status: number, body: unknown])[];

/** Lists reports that are grouped by the call, and by the failure that an adapter derives. */
export const listBodies = (
  calls: Partial<Record<ErrorBody['call'], Partial<Record<ProviderErrorType, Reports>>>>,
): readonly ErrorBody[] =>
  Object.entries(calls).flatMap(([call, types]) =>
    Object.entries(types).flatMap(([type, reports]) =>
      reports.map(([source, status, body]) => ({ source, status, body, call, type }) as ErrorBody),
    ),
  );
