import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { AppCell } from '../components/app-link.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { search } from '../components/filters/filter-kinds.tsx';
import { FilterBar, NoMatches, useFilters } from '../components/filters/filters.tsx';
import { Page } from '../components/page.tsx';
import { ShortId } from '../components/short-id.tsx';
import { StateDot } from '../components/status-badge.tsx';
import { TimeCell } from '../components/time.tsx';
import { AppsDocument, BOUNDS } from '../generated/operations.ts';
import { useSession } from '../session.tsx';
import { explainMissingRole } from '../texts/roles.ts';
import { getAppState } from '../texts/states.ts';

const FILTERS = {
  search: search('search', 'Name or id', {
    placeholder: 'Part of a name or start of an id',
    maxLength: BOUNDS['AppFilter.search'].max,
  }),
};

export function Apps() {
  const { me } = useSession();
  const [filter, controls, clear] = useFilters(FILTERS);
  const pages = usePaginatedQuery(AppsDocument, { filter, first: 25 }, ({ apps }) => apps);
  const missingRole = explainMissingRole(me.role, 'createApp');
  const setUp = missingRole === undefined && (
    <Button component={Link} href="/apps/new">
      Set up an app
    </Button>
  );
  return (
    <Page
      title="Apps"
      lead={missingRole ?? 'Customer applications that connect the accounts of their users, newest first.'}
      actions={setUp}
    >
      <FilterBar>{controls}</FilterBar>
      <PaginatedTable
        caption="Apps"
        pages={pages}
        idOf={({ id }) => id}
        empty={<NoMatches of="app" icon="app" clear={clear} otherwise="There are no apps yet." action={setUp} />}
        columns={[
          { name: 'App', cell: ({ id, name }) => <AppCell id={id} name={name} /> },
          { name: 'Id', cell: ({ id }) => <ShortId id={id} of="app" /> },
          { name: 'Status', cell: ({ enabled, missing }) => <StateDot state={getAppState(enabled, missing)} /> },
          { name: 'Missing', share: 30, cell: ({ missing }) => (missing.length === 0 ? '–' : missing.join(' ')) },
          { name: 'Tenants', isNumber: true, cell: ({ tenantCount }) => tenantCount.toLocaleString('en') },
          { name: 'Created', cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
