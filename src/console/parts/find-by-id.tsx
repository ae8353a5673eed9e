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

/** Where an id may belong, the likeliest first. */
const PLACES = [
  ['/connections', OneConnectionDocument],
  ['/work', OneJobDocument],
  ['/attempts', OneAttemptDocument],
  ['/apps', OneAppDocument],
  ['/registrations', OneRegistrationDocument],
  ['/erasures', OneErasureDocument],
  ['/disconnects', OneDisconnectDocument],
] as const;

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

async function placeOf(client: Client, id: string): Promise<string | undefined> {
  const found = await Promise.all(
    PLACES.map(async ([place, document]) => {
      const { data } = await client.query(document.toString(), { id }).toPromise();
      return data ? `${place}/${id}` : undefined;
    }),
  );
  return found.find((place) => place !== undefined);
}

/** Goes to whatever has an id that somebody has pasted, from a log line or a workflow's id. */
export function FindById() {
  const client = useClient();
  const [, go] = useLocation();
  const [text, setText] = useState('');
  async function find() {
    const id = ID.exec(text)?.[0]?.toLowerCase();
    const place = id && (await placeOf(client, id));
    if (!place) {
      notifications.show({
        message: id ? `There is nothing with the id ${id}, or not any more.` : 'That has no id in it.',
        color: 'orange',
      });
      return;
    }
    setText('');
    go(place);
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
