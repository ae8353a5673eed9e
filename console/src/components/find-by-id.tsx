import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useQuestion } from '../admin-client/hooks.ts';
import { FindDocument } from '../generated/operations.ts';
import { FIND_HINT, getFoundPath } from '../texts/found.ts';
import { formatProblem } from '../texts/problem.ts';

const notify = (message: string): void => void notifications.show({ message, color: 'orange' });

/** Opens the page of an id. The operator can paste a log line or workflow id that contains it. */
export function FindById() {
  const ask = useQuestion(FindDocument);
  const [, go] = useLocation();
  const [text, setText] = useState('');
  async function find() {
    const sought = text.trim();
    if (sought === '') return;
    const { data, problem } = await ask({ text: sought });
    if (problem) return notify(formatProblem(problem));
    const [only, second] = data.find;
    if (only === undefined) return notify(`Nothing found for “${sought}”. It may have been deleted. ${FIND_HINT}`);
    setText('');
    go(second === undefined ? getFoundPath(only) : `/find?${new URLSearchParams({ text: sought })}`);
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
        placeholder="Find by any id"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </form>
  );
}
