import { ATTEMPT_STATUSES, RESULT_CODES } from '../../../src/basics/codes.ts';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { AppSelect } from '../components/app-select.tsx';
import { ATTEMPT_COLUMNS_WITH_APP } from '../components/attempt-table.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import {
  FilterBar,
  MultiSelectFilter,
  PeriodFilter,
  ProviderFilter,
  SelectFilter,
  useFilters,
  withChosen,
} from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { AttemptsDocument } from '../generated/operations.ts';
import { PROVIDERS } from '../texts/providers.ts';
import { toInstant } from '../texts/time.ts';

export function Attempts() {
  const { get, getAll, set } = useFilters<'status' | 'provider' | 'app' | 'result' | 'since' | 'before'>();
  const statuses = getAll('status', ATTEMPT_STATUSES);
  const [provider = null] = getAll('provider', PROVIDERS);
  const [result, since, before] = [get('result'), toInstant(get('since')), toInstant(get('before'))];
  const filter = {
    ...(statuses.length > 0 && { statuses: [...statuses] }),
    provider,
    appId: get('app'),
    resultCode: result,
    since,
    before,
  };
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
          of={ATTEMPT_STATUSES}
          onChange={(chosen) => set('status', chosen.join(','))}
        />
        <ProviderFilter value={provider} onChange={(chosen) => set('provider', chosen)} />
        <SelectFilter
          label="Result"
          value={result}
          of={withChosen(RESULT_CODES, result)}
          onChange={(chosen) => set('result', chosen)}
        />
        <AppSelect value={get('app')} onChange={(chosen) => set('app', chosen)} />
        <PeriodFilter verb="Begun" since={since} before={before} onChange={set} />
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
