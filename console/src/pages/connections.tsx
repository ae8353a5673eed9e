import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { CONNECTION_STATUSES } from '../../../src/basics/codes.ts';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { usePrivateText } from '../admin-client/page-state.ts';
import { SLOW_POLL_MS, TYPING_DELAY_MS } from '../admin-client/polling.ts';
import { AppLink } from '../components/app-link.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import {
  APP_FILTER,
  anyOf,
  FilterBar,
  instant,
  linked,
  onlyIf,
  PROVIDER_FILTER,
  useFilters,
} from '../components/filters.tsx';
import { InternalLink } from '../components/links.tsx';
import { AccountName, PersonName, ShowNamesButton } from '../components/names.tsx';
import { Page } from '../components/page.tsx';
import { RowCount } from '../components/row-count.tsx';
import { StateBadge } from '../components/status-badge.tsx';
import { Age, Time } from '../components/time.tsx';
import { ConnectionCountDocument, ConnectionsDocument } from '../generated/operations.ts';
import { shortenId } from '../texts/format.ts';
import { CONNECTION_STATES, getConnectionState } from '../texts/states.ts';

const FILTERS = {
  statuses: anyOf('status', 'Status', CONNECTION_STATUSES, (status) => CONNECTION_STATES[status].label),
  provider: PROVIDER_FILTER,
  registrationId: linked('registration'),
  appId: APP_FILTER,
  since: instant('since', 'Connected from'),
  before: instant('before', 'Connected before'),
  oldestFirst: onlyIf('oldest', 'Oldest first'),
};

export function Connections() {
  const [chosen, controls] = useFilters(FILTERS);
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
      lead="Connected accounts, newest first. “Who” takes a subject, a handle or a platform’s id of an account."
    >
      <FilterBar>
        <TextInput
          label="Who"
          placeholder="subject, handle or id"
          maxLength={255}
          value={who}
          onChange={({ currentTarget }) => setWho(currentTarget.value)}
        />
        {controls}
        <TextInput
          label="Tenant"
          placeholder={hasApp ? '' : 'Choose an app first'}
          disabled={!hasApp}
          maxLength={128}
          value={tenant}
          onChange={({ currentTarget }) => setTenant(currentTarget.value)}
        />
      </FilterBar>
      <PaginatedTable
        caption="Connections"
        pages={pages}
        count={<RowCount document={ConnectionCountDocument} variables={{ filter }} of="connection" />}
        idOf={({ id }) => id}
        empty="No connection matches."
        columns={[
          {
            name: 'Connection',
            cell: ({ id }) => <InternalLink href={`/connections/${id}`}>{shortenId(id)}</InternalLink>,
          },
          { name: 'Account', cell: (connection) => <AccountName of={connection} /> },
          { name: 'Provider', cell: ({ provider }) => formatProvider(provider) },
          { name: 'Person', cell: (connection) => <PersonName of={connection} /> },
          { name: 'App', cell: (connection) => <AppLink id={connection.appId} name={connection.appName} /> },
          { name: 'Status', cell: (connection) => <StateBadge state={getConnectionState(connection)} /> },
          { name: 'Last change', cell: ({ changedAt }) => <Age since={changedAt} /> },
          { name: 'Connected', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
