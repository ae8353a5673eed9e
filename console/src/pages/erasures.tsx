import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { AppCell } from '../components/app-link.tsx';
import { EmptyState, PaginatedTable } from '../components/data-table.tsx';
import { Page } from '../components/page.tsx';
import { ShortId } from '../components/short-id.tsx';
import { TimeCell } from '../components/time.tsx';
import { ErasuresDocument } from '../generated/operations.ts';

/** The receipts of all erasures. */
export function Erasures() {
  const pages = usePaginatedQuery(ErasuresDocument, { first: 25 }, ({ erasures }) => erasures);
  return (
    <Page
      title="Erasure receipts"
      lead="Each erasure of a person leaves a receipt. It holds random ids only and does not identify the person."
    >
      <PaginatedTable
        caption="Erasure receipts"
        pages={pages}
        idOf={({ id }) => id}
        empty={
          <EmptyState
            icon="erasures"
            action={
              <Button variant="default" component={Link} href="/people">
                Look a person up
              </Button>
            }
          >
            No person was erased.
          </EmptyState>
        }
        columns={[
          { name: 'Receipt', cell: ({ id }) => <ShortId id={id} of="receipt" href={`/erasures/${id}`} /> },
          { name: 'App', cell: ({ appId, appName }) => <AppCell id={appId} name={appName} /> },
          { name: 'Requested', cell: ({ requestedAt }) => <TimeCell at={requestedAt} /> },
          {
            name: 'Completed',
            cell: ({ completedAt }) => (completedAt === null ? 'In progress' : <TimeCell at={completedAt} />),
          },
          {
            name: 'Connections',
            cell: ({ connectionCount, remaining }) =>
              remaining === 0 ? connectionCount : `${connectionCount - remaining} of ${connectionCount} erased`,
          },
        ]}
      />
    </Page>
  );
}
