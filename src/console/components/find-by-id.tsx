import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { type Client, useClient } from 'urql';
import { useLocation } from 'wouter';
import {
  AppDocument,
  AttemptDocument,
  BulkDisconnectDocument,
  ConnectionDocument,
  ErasureDocument,
  JobDocument,
  RegistrationDocument,
} from '../generated/operations.ts';
import { formatProblem, type Problem, toProblem } from '../texts/problem.ts';

/** The queries that may know an id, the most likely first. */
const LOOKUPS = [
  ['/connections', ConnectionDocument],
  ['/jobs', JobDocument],
  ['/attempts', AttemptDocument],
  ['/apps', AppDocument],
  ['/registrations', RegistrationDocument],
  ['/erasures', ErasureDocument],
  ['/disconnects', BulkDisconnectDocument],
] as const;

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** @returns the path of the page, or the problem if a query failed. */
async function findPath(client: Client, id: string): Promise<{ path: string } | { problem: Problem | undefined }> {
  const answers = await Promise.all(
    LOOKUPS.map(async ([folder, document]) => {
      const { data, error } = await client.query(document.toString(), { id }).toPromise();
      return { path: data && `${folder}/${id}`, problem: error && toProblem(error) };
    }),
  );
  const path = answers.find((answer) => answer.path !== undefined)?.path;
  if (path !== undefined) return { path };
  return { problem: answers.find(({ problem }) => problem && problem.code !== 'NOT_FOUND')?.problem };
}

const notify = (message: string): void => void notifications.show({ message, color: 'orange' });

/** Opens the page of an id. The operator can paste a log line or workflow id that contains it. */
export function FindById() {
  const client = useClient();
  const [, go] = useLocation();
  const [text, setText] = useState('');
  async function find() {
    const id = ID.exec(text)?.[0]?.toLowerCase();
    if (id === undefined) return notify('The text contains no id.');
    const found = await findPath(client, id);
    if (!('path' in found)) {
      return notify(
        found.problem ? formatProblem(found.problem) : `Nothing has the id ${id}. It may have been deleted.`,
      );
    }
    setText('');
    go(found.path);
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
