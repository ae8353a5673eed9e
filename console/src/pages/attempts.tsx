import { ATTEMPT_STATUSES } from '../../../src/basics/codes.ts';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { ATTEMPT_COLUMNS_WITH_APP } from '../components/attempt-table.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { anyOf, oneOrOther } from '../components/filters/filter-kinds.tsx';
import { FilterBar, NoMatches, useFilters } from '../components/filters/filters.tsx';
import { APP_FILTER, PROVIDER_FILTER } from '../components/filters/shared-filters.tsx';
import { timeRange } from '../components/filters/time-range.tsx';
import { Page } from '../components/page.tsx';
import { RowCount } from '../components/row-count.tsx';
import { AttemptCountDocument, AttemptsDocument, RESULT_CODES } from '../generated/operations.ts';
import { ATTEMPT_STATES } from '../texts/states.ts';

/** The answers that an operator looks for. A link may have another one. */
const USUAL_ANSWERS = ['HTTP_400', 'HTTP_401', 'HTTP_403', 'HTTP_429', 'HTTP_500', 'HTTP_503', 'TIMEOUT', 'REDIRECT'];

const [SINCE, BEFORE] = timeRange('Started');
const FILTERS = {
  statuses: anyOf('status', 'Status', ATTEMPT_STATUSES, (status) => ATTEMPT_STATES[status].label),
  provider: PROVIDER_FILTER,
  resultCode: oneOrOther('result', 'Result', RESULT_CODES),
  lastAnswer: oneOrOther('answer', 'Last answer', USUAL_ANSWERS, (answer) => answer.replace('_', ' ')),
  appId: APP_FILTER,
  since: SINCE,
  before: BEFORE,
};

export function Attempts() {
  const [filter, controls, clear] = useFilters(FILTERS);
  const pages = usePaginatedQuery(AttemptsDocument, { filter, first: 25 }, ({ attempts }) => attempts, {
    pollMs: SLOW_POLL_MS,
  });
  return (
    <Page
      title="Attempts"
      lead="Attempts to connect an account, newest first. Each attempt expires after 10 minutes and has exactly one outcome."
    >
      <FilterBar>{controls}</FilterBar>
      <PaginatedTable
        caption="Attempts"
        pages={pages}
        count={(listed) => (
          <RowCount document={AttemptCountDocument} variables={{ filter }} of="attempt" listed={listed} />
        )}
        idOf={({ id }) => id}
        empty={
          <NoMatches
            of="attempt"
            icon="attempts"
            clear={clear}
            otherwise="No one has tried to connect an account in the last day."
          />
        }
        columns={ATTEMPT_COLUMNS_WITH_APP}
      />
    </Page>
  );
}
