import { Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useAdminMutation } from '../../admin-client/hooks.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { Section } from '../../components/page.tsx';
import {
  AddLaunchOriginDocument,
  AddReturnUrlDocument,
  type AppDetailsFragment,
  RemoveLaunchOriginDocument,
  RemoveReturnUrlDocument,
} from '../../generated/operations.ts';
import { listUrlFaults, readFieldProblem, toBrowserUrl } from '../../texts/field-problems.ts';
import { AT_FIELD, type Problem } from '../../texts/problem.ts';
import type { Operation } from '../../texts/roles.ts';

/** The URLs that browsers may start a connect from and return to. */
export function Addresses({ app: { id: appId, returnUrls, launchOrigins } }: { app: AppDetailsFragment }) {
  const [addUrl, removeUrl] = [useAdminMutation(AddReturnUrlDocument), useAdminMutation(RemoveReturnUrlDocument)];
  const [addOrigin, removeOrigin] = [
    useAdminMutation(AddLaunchOriginDocument),
    useAdminMutation(RemoveLaunchOriginDocument),
  ];
  return (
    <Stack gap="lg">
      <AddressList
        title="Return URLs"
        lead="The pages that browsers return to. They must match exactly, use HTTPS except on loopback, and have no fragment."
        empty="There are no return URLs yet."
        label="New return URL"
        placeholder="https://app.example/connected"
        items={returnUrls}
        operations={['addReturnUrl', 'removeReturnUrl']}
        add={async (url) => (await addUrl({ appId, url })).problem}
        remove={async (url) => (await removeUrl({ appId, url })).problem}
      />
      <AddressList
        title="Launch origins"
        lead="Further origins whose pages may start a connect. The origins of the return URLs are always allowed."
        empty="Only the origins of the return URLs are allowed."
        label="New launch origin"
        placeholder="https://app.example"
        items={launchOrigins}
        operations={['addLaunchOrigin', 'removeLaunchOrigin']}
        add={async (origin) => (await addOrigin({ appId, origin })).problem}
        remove={async (origin) => (await removeOrigin({ appId, origin })).problem}
      />
    </Stack>
  );
}

interface AddressListProps {
  readonly title: string;
  readonly lead: string;
  readonly empty: string;
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly string[];
  readonly operations: readonly [add: Operation, remove: Operation];
  readonly add: (address: string) => Promise<Problem | undefined>;
  readonly remove: (address: string) => Promise<Problem | undefined>;
}

function AddressList({ title, lead, empty, label, placeholder, items, operations, add, remove }: AddressListProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const argument = operations[0] === 'addReturnUrl' ? 'url' : 'origin';
  const [addOperation, removeOperation] = operations;
  return (
    <Section title={title} lead={lead}>
      <DataTable
        caption={title}
        items={items}
        idOf={(item) => item}
        empty={empty}
        columns={[
          { name: 'Address', cell: (item) => item },
          {
            name: '',
            cell: (item) => (
              <ActionButton
                operation={removeOperation}
                label="Remove"
                target={item}
                size="compact-sm"
                run={() => remove(item)}
                successMessage={`Removed: ${item}. New attempts can no longer use it.`}
                undo={() => add(item)}
              />
            ),
          },
        ]}
      />
      <InlineForm>
        <TextInput
          label={label}
          placeholder={placeholder}
          miw={280}
          value={text}
          error={error || undefined}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setError('');
          }}
        />
        <ActionButton
          type="submit"
          operation={addOperation}
          label="Add"
          target={label}
          run={async () => {
            const url = toBrowserUrl(text);
            const faults = items.includes(url) ? ['It is already there.'] : listUrlFaults(url);
            setError(faults.join(' '));
            if (faults.length > 0) return AT_FIELD;
            const problem = await add(url);
            const fault = readFieldProblem(problem, argument, 'The address');
            setError(fault ?? '');
            if (!problem) {
              setText('');
              notifications.show({ message: `Added: ${url}`, color: 'teal' });
            }
            return fault === undefined ? problem : AT_FIELD;
          }}
        />
      </InlineForm>
    </Section>
  );
}
