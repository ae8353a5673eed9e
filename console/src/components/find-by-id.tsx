import { Combobox, Group, Kbd, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useAdminQuery, useQuestion } from '../admin-client/hooks.ts';
import { TYPING_DELAY_MS } from '../admin-client/polling.ts';
import { AppNamesDocument, BOUNDS, FindDocument } from '../generated/operations.ts';
import { NAVIGATION } from '../navigation.tsx';
import { shortenId } from '../texts/format.ts';
import { ACTIONS, getFoundPath, getFoundState } from '../texts/found.ts';
import { formatProblem } from '../texts/problem.ts';
import { Icon, type IconName } from './icons.tsx';

/** An id reveals nothing about a person, so it may be in the URL. */
const IS_ID = /^[0-9a-f-]{8,36}$/i;

/** The things found in this tab. Not stored, because a text may name a person. */
const recent: string[] = [];
const MOST_RECENT = 5;

function remember(text: string): void {
  const before = recent.filter((one) => one !== text);
  recent.splice(0, recent.length, text, ...before.slice(0, MOST_RECENT - 1));
}

/** So many letters that begin a page's name mean that page. */
const LEAST_FOR_PLACE = 3;

interface Choice {
  /** `go PATH` or `find TEXT`. */
  readonly value: string;
  readonly icon: IconName;
  readonly name: string;
  readonly note?: string;
}

const PLACES: readonly Choice[] = [
  ...NAVIGATION.flat().map(({ path, name, icon }) => ({ value: `go ${path}`, icon, name })),
  ...ACTIONS.map(({ path, name }) => ({ value: `go ${path}`, icon: 'plus' as const, name })),
];

/**
 * Opens a page, an app, or the page of an id or a name: `/` and Ctrl+K come here. The operator can paste a log line or workflow id
 * that contains the id; Enter looks for it unless the arrows have chosen an entry of the list.
 */
export function FindById() {
  const ask = useQuestion(FindDocument);
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const focus = () => field.current?.focus();
  useHotkeys([
    ['/', focus],
    ['mod+K', focus],
  ]);
  const sought = text.trim();
  const [settled] = useDebouncedValue(sought, TYPING_DELAY_MS);
  const isAsked = combobox.dropdownOpened && settled !== '' && settled === sought && !IS_ID.test(settled);
  const apps = useAdminQuery(AppNamesDocument, { search: settled.slice(0, MAX_SEARCH) }, { pause: !isAsked });
  async function find(wanted: string) {
    if (wanted === '') return;
    combobox.closeDropdown();
    const { data, problem } = await ask({ text: wanted });
    if (problem) {
      // The sign-in page reports an ended session.
      if (problem.code !== 'UNAUTHENTICATED') notifications.show({ message: formatProblem(problem), color: 'orange' });
      return;
    }
    const [only, second] = data.find;
    // Nothing has exactly this name, but an app or a page of the list has it in its own.
    const [listed] = [...found, ...places];
    if (only === undefined && wanted === sought && listed !== undefined) return choose(listed.value);
    if (only !== undefined) {
      setText('');
      remember(wanted);
    }
    if (only !== undefined && second === undefined)
      return go(getFoundPath(only), { state: getFoundState(only) ?? null });
    if (IS_ID.test(wanted)) return go(`/find?${new URLSearchParams({ text: wanted })}`);
    return go('/find', { state: { texts: { find: wanted } } });
  }
  function choose(value: string) {
    const [verb, ...rest] = value.split(' ');
    const what = rest.join(' ');
    if (verb === 'find') return void find(what);
    setText('');
    combobox.closeDropdown();
    field.current?.blur();
    go(what);
  }
  const has = (name: string) => name.toLowerCase().includes(sought.toLowerCase());
  const places = sought === '' ? PLACES : PLACES.filter(({ name }) => has(name));
  // `reg` and Enter open the registrations. Whoever means a person called so chooses the search below.
  const isPlace = sought.length >= LEAST_FOR_PLACE && places[0]?.name.toLowerCase().startsWith(sought.toLowerCase());
  const pages = <Part title="Pages and actions" of={places} />;
  const found: readonly Choice[] = (isAsked ? (apps.data?.apps.items ?? []) : []).map(({ id, name }) => ({
    value: `go /apps/${id}`,
    icon: 'app',
    name,
    note: shortenId(id),
  }));
  return (
    <form
      className="find" // On a phone, the space left in the header.
      onSubmit={(event) => {
        event.preventDefault();
        if (isPlace && places[0] !== undefined) choose(places[0].value);
        else void find(sought);
      }}
    >
      <Combobox store={combobox} onOptionSubmit={choose} withinPortal={false} width={360} position="bottom-end">
        <Combobox.Target>
          <TextInput
            ref={field}
            size="xs"
            aria-label="Find by id"
            placeholder="Find by id, subject or handle"
            maxLength={BOUNDS['find.text'].max}
            leftSection={<Icon name="search" size={14} />}
            rightSection={
              <Kbd size="xs" visibleFrom="sm" aria-hidden>
                /
              </Kbd>
            }
            rightSectionPointerEvents="none"
            value={text}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              combobox.openDropdown();
              combobox.resetSelectedOption();
            }}
            onFocus={() => combobox.openDropdown()}
            onClick={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          {/* The arrows reach its options: Tab would focus the list itself, which scrolls, as it closes. */}
          <Combobox.Options mah={420} style={{ overflowY: 'auto' }} tabIndex={-1} aria-label="Places">
            {isPlace && pages}
            {sought !== '' && (
              <Option value={`find ${sought}`} icon="search" name={`Find “${sought}”`} note={isPlace ? '' : 'Enter'} />
            )}
            <Part title="Recent" of={sought === '' ? recent.map(toRecent) : []} />
            <Part title="Apps" of={found} />
            {!isPlace && pages}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </form>
  );
}

const toRecent = (text: string): Choice => ({ value: `find ${text}`, icon: 'clock', name: text });

/** The longest search text that the api accepts. */
const MAX_SEARCH = 200;

const Part = ({ title, of }: { title: string; of: readonly Choice[] }): ReactNode =>
  of.length > 0 && (
    <Combobox.Group label={title}>
      {of.map((choice) => (
        <Option key={`${choice.value} ${choice.name}`} {...choice} />
      ))}
    </Combobox.Group>
  );

const Option = ({ value, icon, name, note }: Choice) => (
  <Combobox.Option value={value}>
    <Group gap={10} wrap="nowrap">
      <Icon name={icon} size={16} />
      <Text span inherit truncate flex={1}>
        {name}
      </Text>
      {note !== undefined && (
        <Text span size="xs" c="dimmed" ff="monospace">
          {note}
        </Text>
      )}
    </Group>
  </Combobox.Option>
);
