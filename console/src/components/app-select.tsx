import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { TYPING_DELAY_MS } from '../admin-client/polling.ts';
import { AppNameDocument, type AppNameFragment, AppNamesDocument } from '../generated/operations.ts';
import { shortenId } from '../texts/format.ts';
import { formatLocal } from '../texts/time.ts';

const labelOf = ({ id, name }: Pick<AppNameFragment, 'id' | 'name'>) => `${name} (${shortenId(id)})`;

/** The last option when the api has more results. */
const MORE_RESULTS = { value: 'more', label: 'Type more of the name or id to find other apps', disabled: true };

interface AppSelectProps {
  readonly label?: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly required?: boolean;
  readonly placeholder?: string;
  /** Whether its options show from the start. */
  readonly isOpen?: boolean;
  /** Apps to leave out of the options. */
  readonly excludedIds?: readonly string[];
}

/** Selects one app. The api searches names and ids for the typed text. */
export function AppSelect({
  label = 'App',
  value,
  onChange,
  required = false,
  placeholder = 'Any',
  isOpen = false,
  excludedIds = [],
}: AppSelectProps) {
  const [typed, setTyped] = useState('');
  const [sought] = useDebouncedValue(typed.trim(), TYPING_DELAY_MS);
  const known = useAdminQuery(AppNameDocument, { id: value ?? '' }, { pause: value === null });
  const unnamed = known.problem?.code === 'NOT_FOUND' ? 'Unknown app' : 'App';
  const chosen = value === null ? [] : [known.data?.app.id === value ? known.data.app : { id: value, name: unnamed }];
  // After a selection the field contains its label, which must not filter the list.
  const isSearch = sought !== '' && !chosen.some((app) => labelOf(app) === sought);
  const { data, problem } = useAdminQuery(AppNamesDocument, { search: isSearch ? sought.slice(0, MAX_SEARCH) : null });
  const found = (data?.apps.items ?? []).filter(({ id }) => id !== value && !excludedIds.includes(id));
  const made = new Map(found.map(({ id, createdAt }) => [id, createdAt]));
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={[
        ...[...chosen, ...found].map((app) => ({ value: app.id, label: labelOf(app) })),
        ...(data?.apps.pageInfo.hasNextPage ? [MORE_RESULTS] : []),
      ]}
      value={value}
      onChange={onChange}
      allowDeselect={!required}
      required={required}
      searchable
      defaultDropdownOpened={isOpen}
      searchValue={typed}
      onSearchChange={setTyped}
      // Keeps the options within the page's landmarks.
      comboboxProps={{ withinPortal: false }}
      // The api has already filtered. The selected app is an option but not a search result.
      filter={({ options }) => options.filter((option) => !isSearch || !('value' in option) || option.value !== value)}
      renderOption={({ option }) => (
        <div>
          {option.label}
          <CreatedAt at={made.get(option.value)} />
        </div>
      )}
      nothingFoundMessage={problem?.message ?? (data ? 'No app matches' : 'Searching…')}
      clearable={!required}
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      w={{ base: '100%', sm: 260 }}
    />
  );
}

/** The longest search text that the api accepts. */
const MAX_SEARCH = 200;

const CreatedAt = ({ at }: { at: string | undefined }) =>
  at !== undefined && (
    <Text size="xs" c="dimmed">
      created {formatLocal(at)}
    </Text>
  );
