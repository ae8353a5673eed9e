import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { shortenMiddle } from '../../../../src/basics/format-account.ts';
import { shortenId } from '../../texts/format.ts';
import { Icon } from '../icons.tsx';
import { ClearPill, OptionsPill, PanelPill, TogglePill } from './filter-pills.tsx';
import type { Filter } from './filters.tsx';

/** One of the known values. The page marks others in the URL as unknown. @param nameOf the name of an option; the option itself by default */
export function oneOf<Value extends string>(
  name: string,
  label: string,
  known: readonly Value[],
  nameOf: (value: Value) => ReactNode = toWords,
): Filter<Value | null> {
  const read = (text: string) => known.find((value) => value === text) ?? null;
  return {
    name,
    read,
    findUnknown: (text) => (text === '' || read(text) !== null ? [] : [text]),
    control: ({ get, set }) => (
      <OptionsPill
        label={label}
        options={known.map((value) => ({ value, name: nameOf(value) }))}
        chosen={listOf(read(get(name)))}
        onChoose={([text]) => set({ [name]: text ?? null })}
      />
    ),
  };
}

/** One of the known values, or another one that a link has set. */
export const oneOrOther = (
  name: string,
  label: string,
  known: readonly string[],
  nameOf: (value: string) => ReactNode = toWords,
): Filter<string | null> => ({
  name,
  read: toText,
  control: ({ get, set }) => {
    const text = get(name);
    return (
      <OptionsPill
        label={label}
        options={(text === '' || known.includes(text) ? known : [text, ...known]).map((value) => ({
          value,
          name: nameOf(value),
        }))}
        chosen={listOf(toText(text))}
        onChoose={([chosen]) => set({ [name]: chosen ?? null })}
      />
    );
  },
});

/** Any of the known values, separated by commas in the URL. The page marks others as unknown. */
export function anyOf<Value extends string>(
  name: string,
  label: string,
  known: readonly Value[],
  nameOf: (value: Value) => ReactNode = toWords,
): Filter<readonly Value[] | null> {
  const readAll = (text: string) => known.filter((value) => text.split(',').includes(value));
  return {
    name,
    read: (text) => (readAll(text).length === 0 ? null : readAll(text)),
    findUnknown: (text) => text.split(',').filter((one) => one !== '' && !known.some((value) => value === one)),
    control: ({ get, set }) => (
      <OptionsPill
        label={label}
        isMultiple
        options={known.map((value) => ({ value, name: nameOf(value) }))}
        chosen={readAll(get(name))}
        onChoose={(chosen) => set({ [name]: chosen.join(',') })}
      />
    ),
  };
}

type FieldProps = Pick<TextInputProps, 'placeholder' | 'maxLength'>;

/** A text that the operator types, such as an id. */
export const typed = (name: string, label: string, field: FieldProps): Filter<string | null> => ({
  name,
  read: (text) => toText(text.trim()),
  isTyped: true,
  control: ({ get, set }) => (
    <PanelPill
      label={label}
      words={get(name).trim() === '' ? null : shortenMiddle(get(name).trim())}
      onClear={() => set({ [name]: null })}
    >
      {(close) => (
        <TextInput
          label={label}
          {...field}
          w={{ base: '100%', sm: 320 }}
          value={get(name)}
          onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
          onKeyDown={({ key }) => key === 'Enter' && close()}
        />
      )}
    </PanelPill>
  ),
});

/** A text of the one field that stands before the pills. */
export const search = (name: string, label: string, field: FieldProps): Filter<string | null> => ({
  name,
  read: (text) => toText(text.trim()),
  isTyped: true,
  isField: true,
  control: ({ get, set }) => (
    <SearchField label={label} {...field} value={get(name)} onChange={(text) => set({ [name]: text })} />
  ),
});

interface SearchFieldProps extends FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

export const SearchField = ({ label, onChange, ...field }: SearchFieldProps) => (
  <TextInput
    size="xs"
    aria-label={label}
    leftSection={<Icon name="search" size={14} />}
    {...field}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    flex={{ base: '1 1 160px', sm: 'none' }}
    w={{ sm: 240 }}
  />
);

/** True, or no filter. */
export const onlyIf = (name: string, label: string): Filter<true | null> => ({
  name,
  read: (text) => (text === 'true' ? true : null),
  findUnknown: (text) => (['', 'true', 'false'].includes(text) ? [] : [text]),
  control: ({ get, set }) => (
    <TogglePill label={label} isOn={get(name) === 'true'} onChange={(isOn) => set({ [name]: isOn ? 'true' : null })} />
  ),
});

/** Set by links only; the pill removes it. */
export const linked = (name: string, label: string): Filter<string | null> => ({
  name,
  read: toText,
  control: ({ get, set }) =>
    get(name) !== '' && <ClearPill label={label} words={shortenId(get(name))} onClear={() => set({ [name]: null })} />,
});

/** Null for an empty text. */
export const toText = (text: string): string | null => (text === '' ? null : text);
const listOf = (value: string | null): readonly string[] => (value === null ? [] : [value]);

/** `RECONNECT_REQUIRED` as it is: operators know the codes from logs and from the API. */
const toWords = (value: string): string => value;
