import { Button, Group, Paper, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PaginatedState } from '../admin-client/hooks.ts';
import classes from './data-table.module.css';
import { QueryState } from './query-state.tsx';

export interface Column<Item> {
  /** Empty for the column of buttons. */
  readonly name: string;
  readonly cell: (item: Item) => ReactNode;
}

interface DataTableProps<Item> {
  /** Names the table for screen readers. */
  readonly caption: string;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  readonly columns: readonly Column<Item>[];
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
}

/** A table. On a phone, each row is a card. */
export function DataTable<Item>({ caption, items, idOf, columns, empty }: DataTableProps<Item>) {
  if (items.length === 0) return <EmptyState>{empty}</EmptyState>;
  return (
    <Paper withBorder style={{ overflowX: 'auto' }}>
      <Table className={classes.table} verticalSpacing="sm" aria-label={caption}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name }) =>
              name === '' ? <Table.Td key={name} /> : <Table.Th key={name}>{name}</Table.Th>,
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={idOf(item)}>
              {columns.map(({ name, cell }) => (
                <Table.Td key={name} data-name={name}>
                  {cell(item)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

export const EmptyState = ({ children }: { children: ReactNode }) => (
  <Paper withBorder p="md">
    <Text c="dimmed">{children}</Text>
  </Paper>
);

/** A table with page buttons. */
export function PaginatedTable<Item>({
  pages,
  ...rows
}: Omit<DataTableProps<Item>, 'items'> & { readonly pages: PaginatedState<Item> }) {
  return <Paginated pages={pages}>{(items) => <DataTable {...rows} items={items} />}</Paginated>;
}

export function Paginated<Item>({
  pages: { items, problem, refetch, next, previous },
  children,
}: {
  readonly pages: PaginatedState<Item>;
  readonly children: (items: readonly Item[]) => ReactNode;
}) {
  const state = <QueryState of={{ data: items, problem, refetch }} />;
  if (items === undefined) return state;
  return (
    <>
      {state}
      {items.length === 0 && previous !== undefined ? (
        <EmptyState>This page is empty now: its entries no longer match.</EmptyState>
      ) : (
        children(items)
      )}
      {(next !== undefined || previous !== undefined) && (
        <Group>
          <Button variant="default" disabled={previous === undefined} onClick={previous}>
            Previous page
          </Button>
          <Button variant="default" disabled={next === undefined} onClick={next}>
            Next page
          </Button>
        </Group>
      )}
    </>
  );
}
