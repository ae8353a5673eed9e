import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'wouter';
import { CONNECTION_STATUSES } from '../../../src/basics/codes.ts';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { usePrivateText } from '../admin-client/page-state.ts';
import { SLOW_POLL_MS, TYPING_DELAY_MS } from '../admin-client/polling.ts';
import { AppCell } from '../components/app-link.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { anyOf, linked, onlyIf, SearchField } from '../components/filters/filter-kinds.tsx';
import { FilterBar, NoMatches, useFilters } from '../components/filters/filters.tsx';
import { APP_FILTER, PROVIDER_FILTER } from '../components/filters/shared-filters.tsx';
import { timeRange } from '../components/filters/time-range.tsx';
import { InternalLink } from '../components/links.tsx';
import { AccountCell, PersonName, ShowNamesButton } from '../components/names.tsx';
import { Page } from '../components/page.tsx';
import { PlatformName } from '../components/platform.tsx';
import { RowCount } from '../components/row-count.tsx';
import { ShortId } from '../components/short-id.tsx';
import { StateDot } from '../components/status-badge.tsx';
import { AgoCell, TimeCell } from '../components/time.tsx';
import { BOUNDS, ConnectionCountDocument, ConnectionsDocument } from '../generated/operations.ts';
import { CONNECTION_STATES, getConnectionState } from '../texts/states.ts';

const [SINCE, BEFORE] = timeRange('Connected');
const FILTERS = {
  statuses: anyOf('status', 'Status', CONNECTION_STATUSES, (status) => CONNECTION_STATES[status].label),
  provider: PROVIDER_FILTER,
  appId: APP_FILTER,
  since: SINCE,
  before: BEFORE,
  registrationId: linked('registration', 'Registration'),
  oldestFirst: onlyIf('oldest', 'Oldest first'),
};

export function Connections() {
  const [chosen, controls, clear] = useFilters(FILTERS);
  // Not in the URL, because proxies log URLs, and these name customers of the app and people.
  const [tenant, setTenant] = usePrivateText('tenant');
  const [who, setWho] = usePrivateText('who');
  const [tenantKey] = useDebouncedValue(tenant.trim(), TYPING_DELAY_MS);
  const [search] = useDebouncedValue(who.trim(), TYPING_DELAY_MS);
  const hasApp = chosen.appId !== null;
  const filter = {
    ...chosen,
    ...(hasApp && tenantKey !== '' && { tenantKey }),
    ...(search !== '' && { search }),
  };
  const [showNames, setShowNames] = useState(false);
  const asked = { filter, first: 25, showNames };
  const pages = usePaginatedQuery(ConnectionsDocument, asked, ({ connections }) => connections, {
    pollMs: SLOW_POLL_MS,
  });
  return (
    <Page
      title="Connections"
      actions={<ShowNamesButton of={pages.items ?? []} show={() => setShowNames(true)} />}
      lead="Connected accounts, newest first."
    >
      <FilterBar>
        <SearchField
          label="Who"
          placeholder="Subject, handle, name or URL"
          maxLength={BOUNDS['ConnectionFilter.search'].max}
          value={who}
          onChange={setWho}
        />
        {hasApp && (
          <SearchField
            label="Tenant"
            placeholder="Tenant of the app"
            maxLength={128}
            value={tenant}
            onChange={setTenant}
          />
        )}
        {controls}
      </FilterBar>
      <PaginatedTable
        caption="Connections"
        pages={pages}
        count={(listed) => (
          <RowCount document={ConnectionCountDocument} variables={{ filter }} of="connection" listed={listed} />
        )}
        idOf={({ id }) => id}
        empty={
          <NoMatches
            of="connection"
            icon="connections"
            clear={clear}
            otherwise="No account is connected yet. An app that is set up connects the first."
            action={
              <Button variant="default" component={Link} href="/apps">
                See the apps
              </Button>
            }
          />
        }
        columns={[
          {
            name: 'Account',
            share: 34,
            cell: (connection) => (
              <InternalLink href={`/connections/${connection.id}`}>
                <AccountCell of={connection} />
              </InternalLink>
            ),
          },
          { name: 'Platform', cell: ({ provider }) => <PlatformName of={provider} /> },
          {
            name: 'Person',
            share: 17,
            cell: (connection) => <PersonName of={{ ...connection, connectionId: connection.id }} />,
          },
          { name: 'App', share: 12, cell: ({ appId, appName }) => <AppCell id={appId} name={appName} /> },
          { name: 'Status', cell: (connection) => <StateDot state={getConnectionState(connection)} /> },
          { name: 'Changed', isExtra: true, cell: ({ changedAt }) => <AgoCell at={changedAt} /> },
          { name: 'Connected', cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
          {
            name: 'Connection',
            isExtra: true,
            cell: ({ id }) => <ShortId id={id} of="connection" href={`/connections/${id}`} />,
          },
        ]}
      />
    </Page>
  );
}
