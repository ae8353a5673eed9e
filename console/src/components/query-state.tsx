import type { Problem } from '../texts/problem.ts';
import { Loading } from './loading.tsx';
import { ProblemAlert } from './problem-alert.tsx';

interface QueryStateProps {
  readonly problem: Problem | undefined;
  readonly onRetry: () => void;
  /** Whether there is nothing to show yet. During an outage a page keeps its last data. */
  readonly isEmpty: boolean;
}

/** The state of a page's query: its problem, or that the first answer has not come. */
export const QueryState = ({ problem, onRetry, isEmpty }: QueryStateProps) => (
  <>
    {problem && <ProblemAlert problem={problem} onRetry={onRetry} />}
    {isEmpty && !problem && <Loading />}
  </>
);
