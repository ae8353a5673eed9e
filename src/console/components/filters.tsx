import { Group, MultiSelect, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import type { SocialProvider } from '../generated/operations.ts';
import classes from './filters.module.css';

export const PROVIDERS: readonly SocialProvider[] = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'];

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
  readonly onChange: (value: Value | null) => void;
}

export const SelectFilter = <Value extends string>({ label, value, of, onChange }: SelectFilterProps<Value>) => (
  <Select
    label={label}
    placeholder="Any"
    data={[...of]}
    value={value}
    onChange={(chosen) => onChange(chosen as Value | null)}
    clearable
    clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
    w={{ base: '100%', sm: 180 }}
  />
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

export const FilterBar = ({ children }: { children: ReactNode }) => (
  <Group align="flex-end" gap="sm" role="search" aria-label="Filter" className={classes.bar}>
    {children}
  </Group>
);
