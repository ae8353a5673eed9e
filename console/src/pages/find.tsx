import { Anchor, List, Text } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { usePageState } from '../admin-client/page-state.ts';
import { DataTable } from '../components/data-table.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { FindDocument } from '../generated/operations.ts';
import { FIND_ELSEWHERE, FIND_HINT, FOUND_KINDS, getFoundPath, getFoundState } from '../texts/found.ts';

/** Everything that an id or a name has found. A name is not in the URL: it may be a person's. */
export function Find() {
  const [params] = useSearchParams();
  const { texts = {} } = usePageState();
  const text = params.get('text') ?? texts.find ?? '';
  const { data, isStale, ...query } = useAdminQuery(FindDocument, { text }, { pause: text === '' });
  const found = isStale || text === '' ? undefined : data?.find;
  return (
    <Page
      title={found?.length === 0 ? 'Nothing found' : 'Found'}
      lead={text === '' ? FIND_HINT : `Everything with “${text}”, at most 10 of each kind.`}
    >
      {text !== '' && <QueryState of={{ ...query, data: found }} />}
      {found !== undefined && found.length > 0 && (
        <DataTable
          caption="Found"
          items={found}
          idOf={({ kind, appId, tenantKey, id }) => [kind, appId, tenantKey, id].join(' ')}
          empty=""
          columns={[
            { name: 'Kind', cell: ({ kind }) => FOUND_KINDS[kind] },
            {
              name: 'Id',
              cell: (one) => (
                <Anchor
                  inherit
                  renderRoot={(props) => (
                    <Link {...props} href={getFoundPath(one)} state={getFoundState(one) ?? null} />
                  )}
                >
                  {one.id}
                </Anchor>
              ),
            },
            { name: 'What', cell: ({ label, tenantKey }) => [tenantKey, label].filter(Boolean).join(', ') || '–' },
          ]}
        />
      )}
      {found?.length === 0 && (
        <>
          <Text>{FIND_HINT}</Text>
          <List size="sm" spacing={4}>
            {FIND_ELSEWHERE.map((place) => (
              <List.Item key={place}>{place}</List.Item>
            ))}
          </List>
        </>
      )}
    </Page>
  );
}
