import { usePages } from '../ask/hooks.ts';
import { CALM_MS } from '../ask/pace.ts';
import { AttemptsDocument, type ConnectSessionStatus } from '../generated/operations.ts';
import { AppChoice } from '../parts/app-choice.tsx';
import { ATTEMPTS_OF_ALL } from '../parts/attempt-rows.tsx';
import { Choice, Choices, FilterBar, PROVIDERS, useFilters } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedRows } from '../parts/rows.tsx';

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
  const pages = usePages(AttemptsDocument, { filter, first: 25 }, ({ attempts }) => attempts, { everyMs: CALM_MS });
  return (
    <Page title="Attempts" lead="Tries to connect, newest first. Each has 10 minutes and exactly one outcome.">
      <FilterBar>
        <Choices
          label="Status"
          values={statuses}
          of={STATUSES}
          onChoose={(chosen) => set('status', chosen.join(','))}
        />
        <Choice label="Provider" value={provider} of={PROVIDERS} onChoose={(chosen) => set('provider', chosen)} />
        <AppChoice value={get('app')} onChoose={(chosen) => set('app', chosen)} />
      </FilterBar>
      <PagedRows
        caption="Attempts"
        pages={pages}
        idOf={({ id }) => id}
        none="There are no such attempts."
        columns={ATTEMPTS_OF_ALL}
      />
    </Page>
  );
}
