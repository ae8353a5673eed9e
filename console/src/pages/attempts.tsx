import { ATTEMPT_STATUSES, RESULT_CODES } from '../../../src/basics/codes.ts';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { ATTEMPT_COLUMNS_WITH_APP } from '../components/attempt-table.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import {
  APP_FILTER,
  anyOf,
  FilterBar,
  instant,
  oneOrOther,
  PROVIDER_FILTER,
  useFilters,
} from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { RowCount } from '../components/row-count.tsx';
import { AttemptCountDocument, AttemptsDocument } from '../generated/operations.ts';

const FILTERS = {
  statuses: anyOf('status', 'Status', ATTEMPT_STATUSES),
  provider: PROVIDER_FILTER,
  resultCode: oneOrOther('result', 'Result', RESULT_CODES),
  appId: APP_FILTER,
  since: instant('since', 'Begun from'),
  before: instant('before', 'Begun before'),
};

export function Attempts() {
  const [filter, controls] = useFilters(FILTERS);
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
        count={<RowCount document={AttemptCountDocument} variables={{ filter }} of="attempt" />}
        idOf={({ id }) => id}
        empty="No attempt matches."
        columns={ATTEMPT_COLUMNS_WITH_APP}
      />
    </Page>
  );
}
