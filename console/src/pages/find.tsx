import { Anchor, List, Text } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { usePageState } from '../admin-client/page-state.ts';
import { AppCell } from '../components/app-link.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { AccountCell, PersonName } from '../components/names.tsx';
import { Page } from '../components/page.tsx';
import { PlatformName } from '../components/platform.tsx';
import { QueryState } from '../components/query-state.tsx';
import { StateDot } from '../components/status-badge.tsx';
import { FindDocument } from '../generated/operations.ts';
import { isId, shortenId } from '../texts/format.ts';
import { FIND_ELSEWHERE, FIND_HINT, FOUND_KINDS, type Found, getFoundPath, getFoundState } from '../texts/found.ts';
import { getConnectionState } from '../texts/states.ts';

/** Of the connections among the found. */
const CONNECTION_COLUMNS: readonly Column<Found>[] = [
  {
    name: 'Person',
    share: 18,
    cell: ({ connection }) => connection && <PersonName of={{ ...connection, connectionId: connection.id }} />,
  },
  {
    name: 'App',
    share: 18,
    cell: ({ connection }) => connection && <AppCell id={connection.appId} name={connection.appName} />,
  },
  { name: 'Status', cell: ({ connection }) => connection && <StateDot state={getConnectionState(connection)} /> },
];

/** Everything that an id or a name has found. A name is not in the URL: it may be a person's. */
export function Find() {
  const [params] = useSearchParams();
  const { texts = {} } = usePageState();
  const text = params.get('text') ?? texts.find ?? '';
  const { data, isStale, ...query } = useAdminQuery(FindDocument, { text }, { pause: text === '' });
  const found = isStale || text === '' ? undefined : data?.find;
  return (
    <Page
      title={found === undefined ? 'Find' : found.length === 0 ? 'Nothing found' : 'Found'}
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
            {
              name: 'Kind',
              cell: ({ kind, connection }) =>
                connection === null ? (
                  FOUND_KINDS[kind]
                ) : (
                  <PlatformName of={connection.provider}>{FOUND_KINDS[kind]}</PlatformName>
                ),
            },
            {
              name: 'Id',
              cell: (one) => (
                <Anchor
                  inherit
                  renderRoot={(props) => (
                    <Link {...props} href={getFoundPath(one)} state={getFoundState(one) ?? null} />
                  )}
                >
                  {isId(one.id) ? shortenId(one.id) : one.id}
                </Anchor>
              ),
            },
            {
              name: 'What',
              share: 34,
              cell: ({ label, tenantKey, connection }) =>
                connection === null ? (
                  [tenantKey, label].filter(Boolean).join(', ') || '–'
                ) : (
                  <AccountCell of={connection} />
                ),
            },
            ...(found.some(({ connection }) => connection !== null) ? CONNECTION_COLUMNS : []),
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
