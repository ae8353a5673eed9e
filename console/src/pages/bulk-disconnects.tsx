import { Text } from '@mantine/core';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { AppLink } from '../components/app-link.tsx';
import { DataTable } from '../components/data-table.tsx';
import { InternalLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { type BulkDisconnectDetailsFragment, BulkDisconnectsDocument } from '../generated/operations.ts';

export const formatTarget = ({ tenantKey, registrationId, appId, appName }: BulkDisconnectDetailsFragment) =>
  tenantKey === null ? (
    <InternalLink href={`/registrations/${registrationId}`}>a registration</InternalLink>
  ) : (
    <>
      tenant “{tenantKey}”
      {appId !== null && appName !== null && (
        <>
          {' '}
          of <AppLink isInline id={appId} name={appName} />
        </>
      )}
    </>
  );

export function BulkDisconnects() {
  const query = useAdminQuery(BulkDisconnectsDocument, {}, { pollMs: SLOW_POLL_MS });
  return (
    <Page
      title="Bulk disconnects"
      lead={
        <>
          Disconnects of all connections of a tenant or registration. Start one on the page of an{' '}
          <InternalLink isInline href="/apps">
            app
          </InternalLink>{' '}
          or a{' '}
          <InternalLink isInline href="/registrations">
            registration
          </InternalLink>
          . It shows the number of connections first.
        </>
      }
    >
      <QueryState of={query} />
      {query.data && (
        <DataTable
          caption="Bulk disconnects"
          items={query.data.bulkDisconnects}
          idOf={({ id }) => id}
          empty="There are no bulk disconnects."
          columns={[
            {
              name: 'Started',
              cell: ({ id, startedAt }) => (
                <InternalLink href={`/disconnects/${id}`}>
                  <Time at={startedAt} />
                </InternalLink>
              ),
            },
            { name: 'Target', cell: formatTarget },
            { name: 'Disconnected', cell: ({ disconnected, total }) => `${disconnected} of ${total}` },
            { name: 'Not settled', cell: ({ unsettled }) => unsettled },
            {
              name: 'Failed revokes',
              cell: ({ revokesFailed }) =>
                revokesFailed > 0 ? (
                  <Text c="var(--mantine-color-error)" inherit>
                    {revokesFailed}
                  </Text>
                ) : (
                  0
                ),
            },
          ]}
        />
      )}
    </Page>
  );
}
