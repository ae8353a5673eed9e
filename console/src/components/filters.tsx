import { Group, MultiSelect, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import type { SocialProvider } from '../generated/operations.ts';
import { PROVIDERS } from '../texts/providers.ts';
import { fromLocalField, toLocalField } from '../texts/time.ts';
import classes from './filters.module.css';

/** Reads and writes a list's filters in the page's URL, so that operators can share the URL. */
export function useFilters<Name extends string>() {
  const [params, setParams] = useSearchParams();
  const get = (name: Name) => params.get(name);
  /** Returns the known values of a comma-separated filter and ignores the others. */
  const getAll = <Value extends string>(name: Name, known: readonly Value[]): readonly Value[] =>
    known.filter((value) => params.get(name)?.split(',').includes(value));
  const set = (name: Name, value: string | null) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === null || value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return { get, getAll, set };
}

interface SelectFilterProps<Value extends string> {
  readonly label: string;
  readonly value: Value | null;
  readonly of: readonly Value[];
  /** The name of an option; the option itself by default. */
  readonly nameOf?: (value: Value) => string;
  readonly onChange: (value: Value | null) => void;
}

export const SelectFilter = <Value extends string>({
  label,
  value,
  of,
  nameOf = String,
  onChange,
}: SelectFilterProps<Value>) => (
  <Select
    label={label}
    placeholder="Any"
    data={of.map((option) => ({ value: option, label: nameOf(option) }))}
    value={value}
    onChange={(chosen) => onChange(chosen as Value | null)}
    clearable
    clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
    w={{ base: '100%', sm: 200 }}
  />
);

export const ProviderFilter = (props: Pick<SelectFilterProps<SocialProvider>, 'value' | 'onChange'>) => (
  <SelectFilter label="Provider" of={PROVIDERS} nameOf={formatProvider} {...props} />
);

interface MultiSelectFilterProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly of: readonly Value[];
  readonly onChange: (values: readonly Value[]) => void;
}

export const MultiSelectFilter = <Value extends string>({
  label,
  values,
  of,
  onChange,
}: MultiSelectFilterProps<Value>) => (
  <MultiSelect
    label={label}
    {...(values.length === 0 && { placeholder: 'Any' })}
    data={[...of]}
    value={[...values]}
    onChange={(chosen) => onChange(chosen as Value[])}
    clearable
    clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
    w={{ base: '100%', sm: 'auto' }}
    miw={{ sm: 180 }}
    maw={420}
  />
);

interface PeriodFilterProps {
  /** What happened in the period: `Ended`. */
  readonly verb: string;
  readonly since: string | null;
  readonly before: string | null;
  readonly onChange: (end: 'since' | 'before', instant: string | null) => void;
}

/** Two instants in the browser's time zone, to the minute. */
export const PeriodFilter = ({ verb, since, before, onChange }: PeriodFilterProps) => (
  <>
    {(
      [
        ['since', 'from', since],
        ['before', 'before', before],
      ] as const
    ).map(([end, word, instant]) => (
      <TextInput
        key={end}
        type="datetime-local"
        label={`${verb} ${word}`}
        value={toLocalField(instant)}
        onChange={({ currentTarget }) => onChange(end, fromLocalField(currentTarget.value))}
        w={{ base: '100%', sm: 210 }}
        style={{ gridColumn: '1 / -1' }}
      />
    ))}
  </>
);

/** The known choices, and the value that a link set, which may be another one. */
export const withChosen = (known: readonly string[], value: string | null): readonly string[] =>
  value === null || known.includes(value) ? known : [value, ...known];

export const FilterBar = ({ children }: { children: ReactNode }) => (
  <Group align="flex-end" gap="sm" role="search" aria-label="Filter" className={classes.bar}>
    {children}
  </Group>
);
