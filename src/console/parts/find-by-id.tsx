import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { type Client, useClient } from 'urql';
import { useLocation } from 'wouter';
import {
  OneAppDocument,
  OneAttemptDocument,
  OneConnectionDocument,
  OneDisconnectDocument,
  OneErasureDocument,
  OneJobDocument,
  OneRegistrationDocument,
} from '../generated/operations.ts';
import { inOneLine, type Problem, problemOf } from '../words/problem.ts';

/** Where an id may belong, the likeliest first. */
const PLACES = [
  ['/connections', OneConnectionDocument],
  ['/jobs', OneJobDocument],
  ['/attempts', OneAttemptDocument],
  ['/apps', OneAppDocument],
  ['/registrations', OneRegistrationDocument],
  ['/erasures', OneErasureDocument],
  ['/disconnects', OneDisconnectDocument],
] as const;

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** @returns where it is, or why it is not known. */
async function placeOf(client: Client, id: string): Promise<{ place: string } | { problem: Problem | undefined }> {
  const answers = await Promise.all(
    PLACES.map(async ([place, document]) => {
      const { data, error } = await client.query(document.toString(), { id }).toPromise();
      return { place: data && `${place}/${id}`, problem: error && problemOf(error) };
    }),
  );
  const place = answers.find((answer) => answer.place !== undefined)?.place;
  if (place !== undefined) return { place };
  return { problem: answers.find(({ problem }) => problem && problem.code !== 'NOT_FOUND')?.problem };
}

const say = (message: string): void => void notifications.show({ message, color: 'orange' });

/** Goes to whatever has an id that somebody has pasted, from a log line or a workflow's id. */
export function FindById() {
  const client = useClient();
  const [, go] = useLocation();
  const [text, setText] = useState('');
  async function find() {
    const id = ID.exec(text)?.[0]?.toLowerCase();
    if (id === undefined) return say('That has no id in it.');
    const found = await placeOf(client, id);
    if (!('place' in found)) {
      return say(found.problem ? inOneLine(found.problem) : `There is nothing with the id ${id}, or not any more.`);
    }
    setText('');
    go(found.place);
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void find();
      }}
    >
      <TextInput
        size="xs"
        w={{ base: 150, sm: 300 }}
        aria-label="Find by id"
        placeholder="Find by any id"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </form>
  );
}
