import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CONNECTION_STATUSES } from '../../../src/basics/codes.ts';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { AppLink } from '../components/app-link.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { APP_FILTER, anyOf, FilterBar, linked, PROVIDER_FILTER, useFilters } from '../components/filters.tsx';
import { InternalLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { Age, Time } from '../components/time.tsx';
import { ConnectionsDocument } from '../generated/operations.ts';
import { shortenId } from '../texts/format.ts';

const FILTERS = {
  statuses: anyOf('status', 'Status', CONNECTION_STATUSES),
  provider: PROVIDER_FILTER,
  registrationId: linked('registration'),
  appId: APP_FILTER,
};

export function Connections() {
  const [chosen, controls] = useFilters(FILTERS);
  // Not in the URL, because proxies log URLs and the tenant key belongs to the app's customer.
  const [tenantKey, setTenantKey] = useState('');
  const hasApp = chosen.appId !== null;
  const filter = hasApp && tenantKey !== '' ? { ...chosen, tenantKey } : chosen;
  const pages = usePaginatedQuery(ConnectionsDocument, { filter, first: 25 }, ({ connections }) => connections, {
    pollMs: SLOW_POLL_MS,
  });
  return (
    <Page
      title="Connections"
      lead={
        <>
          Connected accounts, newest first. To find those of one person, go to{' '}
          <InternalLink isInline href="/people">
            People
          </InternalLink>
          .
        </>
      }
    >
      <FilterBar>
        {controls}
        <TextInput
          label="Tenant"
          description={hasApp ? undefined : 'Choose an app first'}
          disabled={!hasApp}
          value={tenantKey}
          onChange={({ currentTarget }) => setTenantKey(currentTarget.value)}
        />
      </FilterBar>
      <PaginatedTable
        caption="Connections"
        pages={pages}
        idOf={({ id }) => id}
        empty="No connection matches."
        columns={[
          {
            name: 'Connection',
            cell: ({ id }) => <InternalLink href={`/connections/${id}`}>{shortenId(id)}</InternalLink>,
          },
          { name: 'Provider', cell: (connection) => formatProvider(connection.provider) },
          { name: 'App', cell: (connection) => <AppLink id={connection.appId} name={connection.appName} /> },
          { name: 'Status', cell: ({ status }) => <StatusBadge of={status} /> },
          {
            name: 'Time in status',
            cell: ({ changedAt }) => <Age since={changedAt} />,
          },
          { name: 'Reads', cell: ({ readErrorCode }) => readErrorCode ?? 'OK' },
          { name: 'Tenant', cell: (connection) => connection.tenantKey },
          { name: 'Subject', cell: (connection) => connection.externalSubjectId },
          { name: 'Connected', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
