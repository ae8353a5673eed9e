import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { AppSelect } from '../components/app-select.tsx';
import { ATTEMPT_COLUMNS_WITH_APP } from '../components/attempt-table.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { FilterBar, MultiSelectFilter, PROVIDERS, SelectFilter, useFilters } from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { AttemptsDocument, type ConnectSessionStatus } from '../generated/operations.ts';

const STATUSES: readonly ConnectSessionStatus[] = [
  'CREATED',
  'AUTHORIZING',
  'EXCHANGING',
  'COMPLETED',
  'DENIED',
  'FAILED',
  'EXPIRED',
  'CANCELED',
];

export function Attempts() {
  const { get, getAll, set } = useFilters<'status' | 'provider' | 'app'>();
  const statuses = getAll('status', STATUSES);
  const [provider = null] = getAll('provider', PROVIDERS);
  const filter = { ...(statuses.length > 0 && { statuses: [...statuses] }), provider, appId: get('app') };
  const pages = usePaginatedQuery(AttemptsDocument, { filter, first: 25 }, ({ attempts }) => attempts, {
    pollMs: SLOW_POLL_MS,
  });
  return (
    <Page
      title="Attempts"
      lead="Attempts to connect an account, newest first. Each attempt expires after 10 minutes and has exactly one outcome."
    >
      <FilterBar>
        <MultiSelectFilter
          label="Status"
          values={statuses}
          of={STATUSES}
          onChange={(chosen) => set('status', chosen.join(','))}
        />
        <SelectFilter label="Provider" value={provider} of={PROVIDERS} onChange={(chosen) => set('provider', chosen)} />
        <AppSelect value={get('app')} onChange={(chosen) => set('app', chosen)} />
      </FilterBar>
      <PaginatedTable
        caption="Attempts"
        pages={pages}
        idOf={({ id }) => id}
        empty="No attempt matches."
        columns={ATTEMPT_COLUMNS_WITH_APP}
      />
    </Page>
  );
}
