import { Button, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { AppLink } from '../components/app-link.tsx';
import { DataTable, EmptyState } from '../components/data-table.tsx';
import { InternalLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { PlainTime } from '../components/time.tsx';
import { type BulkDisconnectDetailsFragment, BulkDisconnectsDocument } from '../generated/operations.ts';

export const formatTarget = ({
  tenantKey,
  registrationId,
  registrationLabel,
  appId,
  appName,
}: BulkDisconnectDetailsFragment) =>
  tenantKey === null ? (
    registrationLabel === null ? (
      'a registration that was deleted'
    ) : (
      <InternalLink href={`/registrations/${registrationId}`}>{registrationLabel}</InternalLink>
    )
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
          empty={
            <EmptyState
              icon="disconnects"
              action={
                <Button variant="default" component={Link} href="/apps">
                  Choose an app
                </Button>
              }
            >
              Nothing was disconnected in bulk.
            </EmptyState>
          }
          columns={[
            {
              name: 'Started',
              cell: ({ id, startedAt }) => (
                <InternalLink href={`/disconnects/${id}`}>
                  <PlainTime at={startedAt} />
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
