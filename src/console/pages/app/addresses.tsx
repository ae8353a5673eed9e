import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../ask/hooks.ts';
import {
  AddLaunchOriginDocument,
  AddReturnUrlDocument,
  RemoveLaunchOriginDocument,
  RemoveReturnUrlDocument,
  type WholeAppFragment,
} from '../../generated/operations.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { EntryForm } from '../../parts/entry-form.tsx';
import { Section } from '../../parts/page.tsx';
import { Rows } from '../../parts/rows.tsx';
import type { Problem } from '../../words/problem.ts';
import type { Operation } from '../../words/roles.ts';

/** Where browsers may come from, and go back to. */
export function Addresses({ app: { id: appId, returnUrls, launchOrigins } }: { app: WholeAppFragment }) {
  const [addUrl, removeUrl] = [useAct(AddReturnUrlDocument), useAct(RemoveReturnUrlDocument)];
  const [addOrigin, removeOrigin] = [useAct(AddLaunchOriginDocument), useAct(RemoveLaunchOriginDocument)];
  return (
    <>
      <AddressList
        title="Return URLs"
        lead="Where browsers go back to, compared to the letter: HTTPS but for loopback, without fragment."
        none="It has no return URL yet."
        label="New return URL"
        placeholder="https://app.example/connected"
        items={returnUrls}
        operations={['addReturnUrl', 'removeReturnUrl']}
        add={async (url) => (await addUrl({ appId, url })).problem}
        remove={async (url) => (await removeUrl({ appId, url })).problem}
      />
      <AddressList
        title="Launch origins"
        lead="Besides the origins of its return URLs: pages from which browsers may be sent to connect."
        none="Only pages of its return URLs' origins may."
        label="New launch origin"
        placeholder="https://app.example"
        items={launchOrigins}
        operations={['addLaunchOrigin', 'removeLaunchOrigin']}
        add={async (origin) => (await addOrigin({ appId, origin })).problem}
        remove={async (origin) => (await removeOrigin({ appId, origin })).problem}
      />
    </>
  );
}

interface AddressListProps {
  readonly title: string;
  readonly lead: string;
  readonly none: string;
  readonly label: string;
  readonly placeholder: string;
  readonly items: readonly string[];
  readonly operations: readonly [add: Operation, remove: Operation];
  readonly add: (address: string) => Promise<Problem | undefined>;
  readonly remove: (address: string) => Promise<Problem | undefined>;
}

function AddressList({ title, lead, none, label, placeholder, items, operations, add, remove }: AddressListProps) {
  const [text, setText] = useState('');
  const [toAdd, toRemove] = operations;
  return (
    <Section title={title} lead={lead}>
      <Rows
        caption={title}
        items={items}
        idOf={(item) => item}
        none={none}
        columns={[
          { name: 'Address', cell: (item) => item },
          {
            name: '',
            cell: (item) => (
              <ActButton
                operation={toRemove}
                label="Remove…"
                about={item}
                size="xs"
                confirm={{
                  title: `Remove ${item}`,
                  action: 'Remove',
                  isDanger: true,
                  text: 'New attempts cannot use it any more. Those under way still end there.',
                }}
                act={() => remove(item)}
                done="Removed."
              />
            ),
          },
        ]}
      />
      <EntryForm>
        <TextInput
          label={label}
          placeholder={placeholder}
          miw={280}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <ActButton
          type="submit"
          operation={toAdd}
          label="Add"
          about={label}
          act={async () => {
            const problem = await add(text.trim());
            if (!problem) setText('');
            return problem;
          }}
          done="Added."
        />
      </EntryForm>
    </Section>
  );
}
