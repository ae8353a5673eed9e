import { Badge, Button } from '@mantine/core';
import { Link } from 'wouter';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { AppLink } from '../components/app-link.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { FilterBar, typed, useFilters } from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { AppsDocument } from '../generated/operations.ts';
import { useSession } from '../session.tsx';
import { explainMissingRole } from '../texts/roles.ts';

const FILTERS = {
  search: typed('search', 'Name or id', {
    placeholder: 'Part of a name or start of an id',
    maxLength: 200,
    w: 320,
    maw: '100%',
  }),
};

export function Apps() {
  const { me } = useSession();
  const [filter, controls] = useFilters(FILTERS);
  const pages = usePaginatedQuery(AppsDocument, { filter, first: 25 }, ({ apps }) => apps);
  const missingRole = explainMissingRole(me.role, 'createApp');
  return (
    <Page
      title="Apps"
      lead={missingRole ?? 'Customer applications that connect the accounts of their users, newest first.'}
      actions={
        missingRole === undefined && (
          <Button component={Link} href="/apps/new">
            Set up an app
          </Button>
        )
      }
    >
      <FilterBar>{controls}</FilterBar>
      <PaginatedTable
        caption="Apps"
        pages={pages}
        idOf={({ id }) => id}
        empty={filter.search === null ? 'There are no apps yet.' : 'No app matches.'}
        columns={[
          { name: 'App', cell: ({ id, name }) => <AppLink id={id} name={name} /> },
          {
            name: 'Status',
            cell: ({ enabled, missing }) => (
              <Badge color={enabled ? (missing.length === 0 ? 'teal' : 'orange') : 'gray'} variant="light" tt="none">
                {enabled ? (missing.length === 0 ? 'ready' : 'incomplete') : 'disabled'}
              </Badge>
            ),
          },
          { name: 'Missing', cell: ({ missing }) => (missing.length === 0 ? '–' : missing.join(' ')) },
          { name: 'Tenants', cell: ({ tenantCount }) => tenantCount.toLocaleString('en') },
          { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
