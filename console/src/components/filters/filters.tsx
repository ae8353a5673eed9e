import { Alert, Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Fragment, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { dropPages, useGoWithin, usePageState } from '../../admin-client/page-state.ts';
import { TYPING_DELAY_MS } from '../../admin-client/polling.ts';
import { formatList } from '../../texts/format.ts';
import { useZone } from '../../time-zone.ts';
import { EmptyState } from '../data-table.tsx';
import { Icon, type IconName } from '../icons.tsx';
import classes from './filter-pills.module.css';

/** The texts of the filters in the page's URL, by their names; empty for none. */
interface Texts {
  readonly get: (name: string) => string;
  readonly set: (changes: Readonly<Record<string, string | null>>) => void;
}

/** One filter of a list. Its text is in the page's URL, so that operators can share the URL; it is empty if there is none. */
export interface Filter<Value> {
  /** Its name in the URL. */
  readonly name: string;
  /** The value for the API. A URL may contain any text. */
  readonly read: (text: string) => Value;
  /** A pill or a field of the bar. Without it, only a link or another filter's pill can set the filter. */
  readonly control?: (texts: Texts) => ReactNode;
  /** Lists the parts of the text that mean nothing here. Without it, every text means something. */
  readonly findUnknown?: (text: string) => readonly string[];
  /** Whether the operator types it, so that the query waits for a pause. */
  readonly isTyped?: boolean;
  /** Whether its control is a field beside the pills, which a phone shows too. */
  readonly isField?: boolean;
}

type Filters = Readonly<Record<string, Filter<unknown>>>;
type Values<Of extends Filters> = {
  readonly [Field in keyof Of]: Of[Field] extends Filter<infer Value> ? Value : never;
};

/**
 * @param filters by their fields in the API's filter. @returns that filter; the controls for a `FilterBar`; and a function that removes all
 * filters and private texts of the page, if there are any.
 */
export function useFilters<Of extends Filters>(
  filters: Of,
): readonly [values: Values<Of>, controls: ReactNode, clear: (() => void) | undefined] {
  useZone(); // A pill shows times.
  const [params] = useSearchParams();
  const goWithin = useGoWithin();
  const { texts: privateTexts = {} } = usePageState();
  const [settled] = useDebouncedValue(params.toString(), TYPING_DELAY_MS);
  const settledParams = new URLSearchParams(settled);
  const values = Object.entries(filters).map(([field, { name, read, isTyped = false }]) => [
    field,
    read((isTyped ? settledParams : params).get(name) ?? ''),
  ]);
  const all = Object.values(filters);
  const texts: Texts = {
    get: (name) => params.get(name) ?? '',
    set: (changes) =>
      goWithin(
        (changed) => {
          dropPages(changed);
          for (const [name, text] of Object.entries(changes)) {
            if (text === null || text === '') changed.delete(name);
            else changed.set(name, text);
          }
        },
        { state: { trails: {} }, replace: true },
      ),
  };
  const set = all.filter(({ name }) => texts.get(name) !== '');
  const isFiltered = set.length > 0 || Object.values(privateTexts).some((text) => text !== '');
  const clear = () =>
    goWithin(
      (changed) => {
        dropPages(changed);
        for (const { name } of all) changed.delete(name);
      },
      { state: { texts: {}, trails: {} }, replace: true },
    );
  const unknown = all.flatMap(({ name, findUnknown }) =>
    (findUnknown?.(texts.get(name)) ?? []).map((text) => `${name} “${text}”`),
  );
  const show = (some: readonly Filter<unknown>[]) =>
    some.map(({ name, control }) => control !== undefined && <Fragment key={name}>{control(texts)}</Fragment>);
  return [
    Object.fromEntries(values) as Values<Of>,
    <>
      {show(all.filter(({ isField = false }) => isField))}
      <Pills count={set.length} clear={isFiltered ? clear : undefined}>
        {show(all.filter(({ isField = false }) => !isField))}
      </Pills>
      {unknown.length > 0 && <UnknownValues of={unknown} />}
    </>,
    isFiltered ? clear : undefined,
  ];
}

interface PillsProps {
  readonly count: number;
  readonly clear: (() => void) | undefined;
  readonly children: readonly ReactNode[];
}

/** The pills in one row; on a phone, in a drawer that one button opens. */
function Pills({ count, clear, children }: PillsProps) {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false;
  const [opened, { open, close }] = useDisclosure();
  const clearAll = clear !== undefined && (
    <Button variant="subtle" color="gray" size="compact-sm" onClick={clear}>
      Clear all
    </Button>
  );
  if (children.every((child) => child === false)) return clearAll;
  if (!isPhone) {
    return (
      <>
        {children}
        {clearAll}
      </>
    );
  }
  return (
    <>
      <Button variant="default" size="xs" leftSection={<Icon name="filter" size={16} />} onClick={open}>
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        position="bottom"
        size="75%"
        title="Filters"
        closeButtonProps={{ 'aria-label': 'Close' }}
        transitionProps={{ duration: 0 }}
      >
        <Stack align="flex-start" gap="md">
          {children}
          <Group>
            <Button onClick={close}>Show the list</Button>
            {clearAll}
          </Group>
        </Stack>
      </Drawer>
    </>
  );
}

/** A link with a typing error must not silently show more rows than it names. */
const UnknownValues = ({ of }: { of: readonly string[] }) => (
  <Alert color="orange" role="alert" w="100%" title="This link has an unknown filter">
    <Text size="sm">It does not filter by {formatList(of)}: this page has no such value.</Text>
  </Alert>
);

export const FilterBar = ({ children }: { children: ReactNode }) => (
  <Group gap={8} role="search" aria-label="Filter" className={classes.bar}>
    {children}
  </Group>
);

interface NoMatchesProps {
  /** An item of the list, in the singular: `connection`. */
  readonly of: string;
  readonly icon: IconName;
  /** Of `useFilters`. */
  readonly clear: (() => void) | undefined;
  /** Of a list that is empty without filters. */
  readonly otherwise: ReactNode;
  readonly action?: ReactNode;
}

/** An empty list: the filters leave nothing, or there is nothing yet. */
export const NoMatches = ({ of, icon, clear, otherwise, action }: NoMatchesProps) =>
  clear === undefined ? (
    <EmptyState icon={icon} action={action}>
      {otherwise}
    </EmptyState>
  ) : (
    <EmptyState
      icon="filter"
      action={
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      }
    >
      No {of} matches these filters.
    </EmptyState>
  );
