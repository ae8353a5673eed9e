import { Alert, Button, Group, Paper, Stack, Table, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { PaginatedState } from '../admin-client/hooks.ts';
import { dropPages, useGoWithin } from '../admin-client/page-state.ts';
import classes from './data-table.module.css';
import { Icon, type IconName } from './icons.tsx';
import { QueryState } from './query-state.tsx';

export interface Column<Item> {
  /** Empty for the column of buttons. */
  readonly name: string;
  readonly cell: (item: Item) => ReactNode;
  /** Of the table's width, in percent: the column cuts longer values. Without it, it is as wide as its content, to 240 pixels. */
  readonly share?: number;
  /** Whether its content may take several lines. */
  readonly wraps?: boolean;
  /** Whether a window of less than 1,200 pixels has no room for it. A phone shows it in the row's card. */
  readonly isExtra?: boolean;
  /** Whether it holds numbers. */
  readonly isNumber?: boolean;
}

interface DataTableProps<Item> {
  /** Names the table for screen readers. */
  readonly caption: string;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  readonly columns: readonly Column<Item>[];
  /** Shown instead of an empty table: one sentence, or an `EmptyState` where it should lead on. */
  readonly empty: ReactNode;
}

/** Mantine's own is too bright for a link on it (WCAG 2.2, 1.4.3). */
const HOVERED = 'light-dark(var(--mantine-color-gray-0), #292929)';

/** A table with one line for each row. On a phone, each row is a card. */
export function DataTable<Item>({ caption, items, idOf, columns, empty }: DataTableProps<Item>) {
  if (items.length === 0) return typeof empty === 'string' ? <NothingYet>{empty}</NothingYet> : empty;
  return (
    <Paper withBorder style={{ overflowX: 'auto' }}>
      <Table
        className={classes.table}
        verticalSpacing={5}
        highlightOnHover
        highlightOnHoverColor={HOVERED}
        aria-label={caption}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, isNumber, isExtra }) =>
              name === '' ? (
                <Table.Td key={name} />
              ) : (
                <Table.Th
                  key={name}
                  {...(isNumber && { 'data-number': true })}
                  {...(isExtra && { 'data-extra': true })}
                >
                  {name}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={idOf(item)}>
              {columns.map(({ name, cell, share, wraps, isNumber, isExtra }) => {
                const content = cell(item);
                return (
                  <Table.Td
                    key={name}
                    data-name={name}
                    {...(share !== undefined && { 'data-share': true, style: { '--share': `${share}%` } })}
                    {...(wraps && { 'data-wraps': true })}
                    {...(isNumber && { 'data-number': true })}
                    {...(isExtra && { 'data-extra': true })}
                    {...(typeof content === 'string' && { title: content })}
                    {...(content === '–' && { 'data-blank': true })}
                  >
                    {content}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** Stands for a value that there is not, within a cell's component: a phone leaves out the cell. */
export const Blank = () => <span className={classes.blank}>–</span>;

/** One line, where an empty part of a page is nothing to act on. */
const NothingYet = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

interface EmptyStateProps {
  /** One sentence. */
  readonly children: ReactNode;
  readonly icon?: IconName;
  /** One button that leads on. */
  readonly action?: ReactNode;
}

/** Stands where a list or a page has nothing to show, and leads on. */
export const EmptyState = ({ children, icon = 'search', action }: EmptyStateProps) => (
  <Paper withBorder px="md" py={32}>
    <Stack align="center" gap="sm">
      <Text component="span" c="dimmed" lh={0}>
        <Icon name={icon} size={48} />
      </Text>
      <Text c="dimmed" ta="center" maw={480} component="div">
        {children}
      </Text>
      {action}
    </Stack>
  </Paper>
);

/** A table with page buttons. */
export function PaginatedTable<Item>({
  pages,
  count,
  ...rows
}: Omit<DataTableProps<Item>, 'items'> & {
  readonly pages: PaginatedState<Item>;
  readonly count?: (listed: number | undefined) => ReactNode;
}) {
  return (
    <Paginated pages={pages} {...(count !== undefined && { count })}>
      {(items) => <DataTable {...rows} items={items} />}
    </Paginated>
  );
}

export function Paginated<Item>({
  pages: { items, problem, refetch, page, isStale, next, previous },
  count,
  children,
}: {
  readonly pages: PaginatedState<Item>;
  /** How many there are, in words. @param listed their number, if the page lists all */
  readonly count?: (listed: number | undefined) => ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}) {
  const list = useRef<HTMLElement>(null);
  const isTurning = useRef(false);
  useEffect(() => {
    if (isStale || !isTurning.current) return;
    // The reader continues at the first row of the new page.
    isTurning.current = false;
    list.current?.focus({ preventScroll: true });
    list.current?.scrollIntoView({ block: 'start' });
  }, [isStale]);
  const turn = (go: (() => void) | undefined) => () => {
    if (go === undefined || isStale) return;
    isTurning.current = true;
    go();
  };
  if (problem?.code === 'BAD_USER_INPUT' && previous !== undefined) return <NoSuchPage />;
  const state = <QueryState of={{ data: items, problem, refetch }} />;
  if (items === undefined) return state;
  const hasPages = next !== undefined || previous !== undefined;
  const isWhole = !hasPages && page === 1 && !isStale;
  const where = hasPages || page > 1 ? `Page ${page.toLocaleString('en')}` : '';
  return (
    <>
      {state}
      {count !== undefined && (
        <Text size="sm" c="dimmed">
          {count(isWhole ? items.length : undefined)}
          {where !== '' && `, ${where.toLowerCase()}`}
        </Text>
      )}
      <section ref={list} tabIndex={-1} className={classes.list} aria-label={where || 'List'} aria-busy={isStale}>
        {items.length === 0 && previous !== undefined ? (
          <EmptyState>This page is empty now: its entries no longer match.</EmptyState>
        ) : (
          children(items)
        )}
      </section>
      {(hasPages || isStale) && (
        <Group>
          <PageButton name="Previous page" onClick={previous && turn(previous)} isWaiting={isStale} />
          <PageButton name="Next page" onClick={next && turn(next)} isWaiting={isStale} />
          <Text size="sm" c="dimmed" role="status">
            {isStale ? 'Loading…' : where}
          </Text>
        </Group>
      )}
    </>
  );
}

/** Not `disabled` while it waits, so that it keeps the focus. */
const PageButton = ({
  name,
  onClick,
  isWaiting,
}: {
  name: string;
  onClick: (() => void) | undefined;
  isWaiting: boolean;
}) => (
  <Button
    variant="default"
    disabled={onClick === undefined && !isWaiting}
    {...(isWaiting && { 'data-disabled': true, 'aria-disabled': true })}
    {...(onClick && { onClick })}
  >
    {name}
  </Button>
);

/** A cursor that is not of this list: a mistyped link, or one of another filter. */
function NoSuchPage() {
  const goWithin = useGoWithin();
  return (
    <Alert color="orange" role="alert" title="This page of the list does not exist">
      <Text size="sm">The link has a mistake, or its filter was changed.</Text>
      <Button size="xs" variant="default" mt="xs" onClick={() => goWithin(dropPages, { replace: true })}>
        Go to the first page
      </Button>
    </Alert>
  );
}
