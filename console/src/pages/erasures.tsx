import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { AppLink } from '../components/app-link.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { InternalLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { ErasuresDocument } from '../generated/operations.ts';
import { shortenId } from '../texts/format.ts';

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
          <>
            No person was erased. To erase one, look them up under{' '}
            <InternalLink isInline href="/people">
              People
            </InternalLink>
            .
          </>
        }
        columns={[
          { name: 'Receipt', cell: ({ id }) => <InternalLink href={`/erasures/${id}`}>{shortenId(id)}</InternalLink> },
          { name: 'App', cell: ({ appId, appName }) => <AppLink id={appId} name={appName} /> },
          { name: 'Requested', cell: ({ requestedAt }) => <Time at={requestedAt} /> },
          {
            name: 'Completed',
            cell: ({ completedAt }) => (completedAt === null ? 'In progress' : <Time at={completedAt} />),
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
