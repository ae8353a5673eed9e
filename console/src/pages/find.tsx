import { useSearchParams } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { DataTable } from '../components/data-table.tsx';
import { InternalLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { FindDocument } from '../generated/operations.ts';
import { FIND_HINT, FOUND_KINDS, getFoundPath } from '../texts/found.ts';

/** Everything that a short id, a correlation id or a tenant's key has found. */
export function Find() {
  const [params] = useSearchParams();
  const text = params.get('text') ?? '';
  const query = useAdminQuery(FindDocument, { text }, { pause: text === '' });
  return (
    <Page title="Found" lead={text === '' ? FIND_HINT : `Everything with “${text}”, at most 10 of each kind.`}>
      {text !== '' && <QueryState of={query} />}
      {query.data && (
        <DataTable
          caption="Found"
          items={query.data.find}
          idOf={({ kind, appId, id }) => `${kind} ${appId} ${id}`}
          empty={`Nothing found. It may have been deleted. ${FIND_HINT}`}
          columns={[
            { name: 'Kind', cell: ({ kind }) => FOUND_KINDS[kind] },
            { name: 'Id', cell: (one) => <InternalLink href={getFoundPath(one)}>{one.id}</InternalLink> },
            { name: 'What', cell: ({ label }) => label ?? '–' },
          ]}
        />
      )}
    </Page>
  );
}
