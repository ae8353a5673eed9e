import type { AdminQuery } from '../admin-client/hooks.ts';
import { Loading } from './loading.tsx';
import { ProblemAlert } from './problem-alert.tsx';

interface QueryStateProps {
  readonly of: Pick<AdminQuery<unknown>, 'data' | 'problem' | 'refetch'>;
}

/** A query's problem, or that the first answer has not come. During an outage a page keeps its last data below it. */
export const QueryState = ({ of: { data, problem, refetch } }: QueryStateProps) => (
  <>
    {problem && <ProblemAlert problem={problem} onRetry={refetch} />}
    {data === undefined && !problem && <Loading />}
  </>
);
