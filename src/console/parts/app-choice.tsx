import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAsk } from '../ask/hooks.ts';
import { TYPING_MS } from '../ask/pace.ts';
import { AppNamesDocument, type NamedAppFragment, OneAppNameDocument } from '../generated/operations.ts';
import { inLocalTime } from '../words/time.ts';
import { shortId } from './app-name.tsx';

const labelOf = ({ id, name }: Pick<NamedAppFragment, 'id' | 'name'>) => `${name} (${shortId(id)})`;

/** The last of a list that is not all there is. */
const MORE = { value: 'more', label: 'Type more of a name or id to find others', disabled: true };

interface AppChoiceProps {
  readonly label?: string;
  readonly value: string | null;
  readonly onChoose: (id: string | null) => void;
  readonly required?: boolean;
  /** Said while none is chosen. */
  readonly placeholder?: string;
  /** Ids of apps that are not to be chosen. */
  readonly without?: readonly string[];
}

/** One app of however many there are: the api looks for what is typed, in names and ids. */
export function AppChoice({
  label = 'App',
  value,
  onChoose,
  required = false,
  placeholder = 'Any',
  without = [],
}: AppChoiceProps) {
  const [typed, setTyped] = useState('');
  const [sought] = useDebouncedValue(typed.trim(), TYPING_MS);
  const known = useAsk(OneAppNameDocument, { id: value ?? '' }, { pause: value === null });
  const unnamed = known.problem?.code === 'NOT_FOUND' ? 'Unknown app' : 'App';
  const chosen = value === null ? [] : [known.data?.app.id === value ? known.data.app : { id: value, name: unnamed }];
  // Once something is chosen the field holds its label, and whoever opens it wants to see the others.
  const isSearch = sought !== '' && !chosen.some((app) => labelOf(app) === sought);
  const { data, problem } = useAsk(AppNamesDocument, { search: isSearch ? sought.slice(0, MAX_SEARCH) : null });
  const found = (data?.apps.items ?? []).filter(({ id }) => id !== value && !without.includes(id));
  const made = new Map(found.map(({ id, createdAt }) => [id, createdAt]));
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={[
        ...[...chosen, ...found].map((app) => ({ value: app.id, label: labelOf(app) })),
        ...(data?.apps.pageInfo.hasNextPage ? [MORE] : []),
      ]}
      value={value}
      onChange={onChoose}
      required={required}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // Where the field stands, and so within the page's landmarks.
      comboboxProps={{ withinPortal: false }}
      // The api has filtered already. What is chosen is known to the field, but is no answer to a search.
      filter={({ options }) => options.filter((option) => !isSearch || !('value' in option) || option.value !== value)}
      renderOption={({ option }) => (
        <div>
          {option.label}
          <Made at={made.get(option.value)} />
        </div>
      )}
      nothingFoundMessage={problem?.message ?? (data ? 'No app of that name or id' : 'Looking…')}
      clearable={!required}
      clearButtonProps={{ 'aria-label': `${placeholder}: no app` }}
      w={{ base: '100%', sm: 260 }}
    />
  );
}

/** What the api takes. */
const MAX_SEARCH = 200;

const Made = ({ at }: { at: string | undefined }) =>
  at !== undefined && (
    <Text size="xs" c="dimmed">
      made {inLocalTime(at)}
    </Text>
  );
