import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { usePages } from '../ask/hooks.ts';
import { CALM_MS } from '../ask/pace.ts';
import { type ConnectionStatus, ConnectionsDocument } from '../generated/operations.ts';
import { AppChoice } from '../parts/app-choice.tsx';
import { AppName, shortId } from '../parts/app-name.tsx';
import { State } from '../parts/badges.tsx';
import { Choice, Choices, FilterBar, PROVIDERS, useFilters } from '../parts/filters.tsx';
import { To } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { PagedRows } from '../parts/rows.tsx';
import { Age, Time } from '../parts/time.tsx';

const STATUSES: readonly ConnectionStatus[] = [
  'CONNECTED',
  'SUSPENDED',
  'RECONNECT_REQUIRED',
  'DISCONNECTED',
  'DELETING',
];

export function Connections() {
  const { get, getAll, set } = useFilters<'status' | 'provider' | 'registration' | 'app'>();
  // Not in the address, which proxies log: it is an app's word for a customer.
  const [tenantKey, setTenantKey] = useState('');
  const statuses = getAll('status', STATUSES);
  const [provider = null] = getAll('provider', PROVIDERS);
  const appId = get('app');
  const filter = {
    ...(statuses.length > 0 && { statuses: [...statuses] }),
    provider,
    registrationId: get('registration'),
    appId,
    ...(appId !== null && tenantKey !== '' && { tenantKey }),
  };
  const pages = usePages(ConnectionsDocument, { filter, first: 25 }, ({ connections }) => connections, {
    everyMs: CALM_MS,
  });
  return (
    <Page
      title="Connections"
      lead={
        <>
          The standing links of people to their accounts, newest first. Those of one person are under{' '}
          <To inText href="/people">
            People
          </To>
          .
        </>
      }
    >
      <FilterBar>
        <Choices
          label="Status"
          values={statuses}
          of={STATUSES}
          onChoose={(chosen) => set('status', chosen.join(','))}
        />
        <Choice label="Provider" value={provider} of={PROVIDERS} onChoose={(chosen) => set('provider', chosen)} />
        <AppChoice value={appId} onChoose={(chosen) => set('app', chosen)} />
        <TextInput
          label="Tenant"
          description={appId === null ? 'Choose an app first' : undefined}
          disabled={appId === null}
          value={tenantKey}
          onChange={({ currentTarget }) => setTenantKey(currentTarget.value)}
        />
      </FilterBar>
      <PagedRows
        caption="Connections"
        pages={pages}
        idOf={({ id }) => id}
        none="There are no such connections."
        columns={[
          { name: 'Connection', cell: ({ id }) => <To href={`/connections/${id}`}>{shortId(id)}</To> },
          { name: 'Provider', cell: (connection) => connection.provider },
          { name: 'App', cell: (connection) => <AppName id={connection.appId} name={connection.appName} /> },
          { name: 'Status', cell: ({ status }) => <State of={status} /> },
          {
            name: 'For',
            cell: ({ changedAt }) => <Age since={changedAt} />,
          },
          { name: 'A read answers', cell: ({ readFault }) => readFault ?? 'what is asked' },
          { name: 'Tenant', cell: (connection) => connection.tenantKey },
          { name: 'Subject', cell: (connection) => connection.externalSubjectId },
          { name: 'Connected', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
