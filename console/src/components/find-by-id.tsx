import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useQuestion } from '../admin-client/hooks.ts';
import { FindDocument } from '../generated/operations.ts';
import { getFoundPath, getFoundState } from '../texts/found.ts';
import { formatProblem } from '../texts/problem.ts';

/** An id says nothing of a person, so that it may stand in the URL. */
const IS_ID = /^[0-9a-f-]{8,36}$/i;

/** Opens the page of an id or a name. The operator can paste a log line or workflow id that contains it. */
export function FindById() {
  const ask = useQuestion(FindDocument);
  const [, go] = useLocation();
  const [text, setText] = useState('');
  async function find() {
    const sought = text.trim();
    if (sought === '') return;
    const { data, problem } = await ask({ text: sought });
    if (problem) {
      // The sign-in page says that a session has ended.
      if (problem.code !== 'UNAUTHENTICATED') notifications.show({ message: formatProblem(problem), color: 'orange' });
      return;
    }
    const [only, second] = data.find;
    if (only !== undefined) setText('');
    if (only !== undefined && second === undefined)
      return go(getFoundPath(only), { state: getFoundState(only) ?? null });
    if (IS_ID.test(sought)) return go(`/find?${new URLSearchParams({ text: sought })}`);
    return go('/find', { state: { texts: { find: sought } } });
  }
  return (
    <form
      style={{ flex: 1, maxWidth: 300 }} // On a phone, what the rest of the header leaves.
      onSubmit={(event) => {
        event.preventDefault();
        void find();
      }}
    >
      <TextInput
        size="xs"
        aria-label="Find by id"
        placeholder="Find by id or name"
        maxLength={500}
        styles={{ input: { paddingInline: 6, textOverflow: 'ellipsis' } }} // So that a phone shows all of it.
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </form>
  );
}
