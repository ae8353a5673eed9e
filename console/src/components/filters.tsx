import { Alert, Group, MultiSelect, Select, Switch, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Fragment, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import { dropPages, useGoWithin } from '../admin-client/page-state.ts';
import { TYPING_DELAY_MS } from '../admin-client/polling.ts';
import { formatList } from '../texts/format.ts';
import { PROVIDERS } from '../texts/providers.ts';
import { formatLocalMinute, fromLocalField, toInstant, toLocalField } from '../texts/time.ts';
import { AppSelect } from './app-select.tsx';
import classes from './filters.module.css';

/** One filter of a list. Its text is in the page's URL, so that operators can share the URL; it is empty if there is none. */
export interface Filter<Value> {
  /** Its name in the URL. */
  readonly name: string;
  /** The value for the API. A URL may contain any text. */
  readonly read: (text: string) => Value;
  /** Without it, only a link can set the filter. */
  readonly control?: (text: string, set: (text: string | null) => void) => ReactNode;
  /** Lists the parts of the text that mean nothing here. Without it, every text means something. */
  readonly findUnknown?: (text: string) => readonly string[];
  /** Whether the operator types it, so that the query waits for a pause. */
  readonly isTyped?: boolean;
}

type Filters = Readonly<Record<string, Filter<unknown>>>;
type Values<Of extends Filters> = {
  readonly [Field in keyof Of]: Of[Field] extends Filter<infer Value> ? Value : never;
};

/** @param filters by their fields in the API's filter. @returns that filter, and the controls for a `FilterBar`. */
export function useFilters<Of extends Filters>(filters: Of): readonly [Values<Of>, ReactNode] {
  const [params] = useSearchParams();
  const goWithin = useGoWithin();
  const [settled] = useDebouncedValue(params.toString(), TYPING_DELAY_MS);
  const settledParams = new URLSearchParams(settled);
  const values = Object.entries(filters).map(([field, { name, read, isTyped = false }]) => [
    field,
    read((isTyped ? settledParams : params).get(name) ?? ''),
  ]);
  const set = (name: string, text: string | null) =>
    goWithin(
      (changed) => {
        dropPages(changed);
        if (text === null || text === '') changed.delete(name);
        else changed.set(name, text);
      },
      { state: { trails: {} }, replace: true },
    );
  const controls = Object.values(filters).map(({ name, control }) => (
    <Fragment key={name}>{control?.(params.get(name) ?? '', (text) => set(name, text))}</Fragment>
  ));
  const unknown = Object.values(filters).flatMap(({ name, findUnknown }) =>
    (findUnknown?.(params.get(name) ?? '') ?? []).map((text) => `${name} “${text}”`),
  );
  return [
    Object.fromEntries(values) as Values<Of>,
    <>
      {controls}
      {unknown.length > 0 && <UnknownValues of={unknown} />}
    </>,
  ];
}

/** A link with a typing error must not show more than it says without a word. */
const UnknownValues = ({ of }: { of: readonly string[] }) => (
  <Alert color="orange" role="alert" w="100%" style={{ gridColumn: '1 / -1' }} title="This link has an unknown filter">
    <Text size="sm">It does not filter by {formatList(of)}: this page has no such value.</Text>
  </Alert>
);

export const FilterBar = ({ children }: { children: ReactNode }) => (
  <Group align="flex-end" gap="sm" role="search" aria-label="Filter" className={classes.bar}>
    {children}
  </Group>
);

/** One of the known values. The page says that others in the URL are unknown. @param nameOf the name of an option; the option itself by default */
export function oneOf<Value extends string>(
  name: string,
  label: string,
  known: readonly Value[],
  nameOf: (value: Value) => string = String,
): Filter<Value | null> {
  const read = (text: string) => known.find((value) => value === text) ?? null;
  return {
    name,
    read,
    findUnknown: (text) => (text === '' || read(text) !== null ? [] : [text]),
    control: (text, set) => <OneOf label={label} known={known} nameOf={nameOf} value={read(text)} set={set} />,
  };
}

/** One of the known values, or another one that a link has set. */
export const oneOrOther = (
  name: string,
  label: string,
  known: readonly string[],
  nameOf: (value: string) => string = String,
): Filter<string | null> => ({
  name,
  read: toText,
  control: (text, set) => (
    <OneOf
      label={label}
      known={text === '' || known.includes(text) ? known : [text, ...known]}
      nameOf={nameOf}
      value={toText(text)}
      set={set}
    />
  ),
});

interface OneOfProps<Value extends string> {
  readonly label: string;
  readonly known: readonly Value[];
  readonly nameOf: (value: Value) => string;
  readonly value: Value | null;
  readonly set: (value: string | null) => void;
}

const OneOf = <Value extends string>({ label, known, nameOf, value, set }: OneOfProps<Value>) => (
  <Select
    label={label}
    placeholder="Any"
    data={known.map((option) => ({ value: option, label: nameOf(option) }))}
    value={value}
    onChange={set}
    clearable
    clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
    w={{ base: '100%', sm: 200 }}
  />
);

/** Any of the known values, separated by commas in the URL. The page says that others are unknown. */
export function anyOf<Value extends string>(
  name: string,
  label: string,
  known: readonly Value[],
  nameOf: (value: Value) => string = String,
): Filter<readonly Value[] | null> {
  const readAll = (text: string) => known.filter((value) => text.split(',').includes(value));
  return {
    name,
    read: (text) => (readAll(text).length === 0 ? null : readAll(text)),
    findUnknown: (text) => text.split(',').filter((one) => one !== '' && !known.some((value) => value === one)),
    control: (text, set) => (
      <MultiSelect
        label={label}
        {...(readAll(text).length === 0 && { placeholder: 'Any' })}
        data={known.map((value) => ({ value, label: nameOf(value) }))}
        value={readAll(text)}
        onChange={(chosen) => set(chosen.join(','))}
        clearable
        clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
        w={{ base: '100%', sm: 'auto' }}
        miw={{ sm: 180 }}
        maw={420}
      />
    ),
  };
}

/** An instant in the browser's time zone, to the minute. */
export const instant = (name: string, label: string): Filter<string | null> => ({
  name,
  read: toInstant,
  findUnknown: (text) => (text === '' || toInstant(text) !== null ? [] : [text]),
  control: (text, set) => (
    <TextInput
      type="datetime-local"
      label={label}
      description={toInstant(text) === null ? undefined : formatLocalMinute(text)}
      value={toLocalField(text)}
      onChange={({ currentTarget }) => set(fromLocalField(currentTarget.value))}
      w={{ base: '100%', sm: 210 }}
      style={{ gridColumn: '1 / -1' }}
    />
  ),
});

/** A text that the operator types. */
export const typed = (
  name: string,
  label: string,
  field: Pick<TextInputProps, 'placeholder' | 'maxLength' | 'w' | 'maw'>,
): Filter<string | null> => ({
  name,
  read: (text) => toText(text.trim()),
  isTyped: true,
  control: (text, set) => (
    <TextInput label={label} {...field} value={text} onChange={({ currentTarget }) => set(currentTarget.value)} />
  ),
});

/** True, or no filter. */
export const onlyIf = (name: string, label: string): Filter<true | null> => ({
  name,
  read: (text) => (text === 'true' ? true : null),
  findUnknown: (text) => (['', 'true', 'false'].includes(text) ? [] : [text]),
  control: (text, set) => (
    <Switch
      label={label}
      checked={text === 'true'}
      onChange={({ currentTarget }) => set(currentTarget.checked ? 'true' : null)}
      pb={8}
    />
  ),
});

/** For links only. */
export const linked = (name: string): Filter<string | null> => ({ name, read: toText });

const toText = (text: string): string | null => (text === '' ? null : text);

export const PROVIDER_FILTER = oneOf('provider', 'Provider', PROVIDERS, formatProvider);

export const APP_FILTER: Filter<string | null> = {
  name: 'app',
  read: toText,
  control: (text, set) => <AppSelect value={toText(text)} onChange={set} />,
};
