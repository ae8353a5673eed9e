import { Button, Group, Paper, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pages } from '../ask/hooks.ts';
import { ProblemNote } from './problem-note.tsx';
import classes from './rows.module.css';
import { Waiting } from './waiting.tsx';

export interface Column<Item> {
  /** Empty for one of buttons. */
  readonly name: string;
  readonly cell: (item: Item) => ReactNode;
}

interface RowsProps<Item> {
  /** What the table is of, for whoever cannot see where it stands. */
  readonly caption: string;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  readonly columns: readonly Column<Item>[];
  /** Said in place of an empty table. */
  readonly none: ReactNode;
}

/** A table; on a phone, a list of cards. */
export function Rows<Item>({ caption, items, idOf, columns, none }: RowsProps<Item>) {
  if (items.length === 0) return <Nothing>{none}</Nothing>;
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

export const Nothing = ({ children }: { children: ReactNode }) => (
  <Paper withBorder p="md">
    <Text c="dimmed">{children}</Text>
  </Paper>
);

/** A long list with its pages. */
export function PagedRows<Item>({ pages, ...rows }: Omit<RowsProps<Item>, 'items'> & { readonly pages: Pages<Item> }) {
  return <Paged pages={pages}>{(items) => <Rows {...rows} items={items} />}</Paged>;
}

export function Paged<Item>({
  pages: { items, problem, again, next, previous },
  children,
}: {
  readonly pages: Pages<Item>;
  readonly children: (items: readonly Item[]) => ReactNode;
}) {
  if (items === undefined) return problem ? <ProblemNote problem={problem} onAgain={again} /> : <Waiting />;
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      {items.length === 0 && previous !== undefined ? (
        <Nothing>Nothing is left on this page: what stood here has moved on.</Nothing>
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
