import { Group, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../ask/hooks.ts';
import {
  AddCallbackSecretDocument,
  RemoveCallbackSecretDocument,
  RotateRegistrationSecretDocument,
  type WholeRegistrationFragment,
} from '../../generated/operations.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { DateInput } from '../../parts/date-input.tsx';
import { Section } from '../../parts/page.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { startOfDay } from '../../words/time.ts';

interface SecretsProps {
  readonly registration: WholeRegistrationFragment;
}

/** Goes in, and never comes out. */
export function ClientSecret({ registration: { id, secretSetAt, secretExpiresAt } }: SecretsProps) {
  const rotate = useAct(RotateRegistrationSecretDocument);
  const [clientSecret, setClientSecret] = useState('');
  const [expiresOn, setExpiresOn] = useState('');
  return (
    <Section
      title="Client secret"
      lead={
        <>
          Stored <Time at={secretSetAt} />
          {secretExpiresAt !== null && (
            <>
              ; the provider stops taking it <Time at={secretExpiresAt} />
            </>
          )}
          . Nothing shows it again.
        </>
      }
    >
      <Group align="flex-end">
        <PasswordInput
          label="New secret"
          autoComplete="off"
          miw={280}
          value={clientSecret}
          onChange={({ currentTarget }) => setClientSecret(currentTarget.value)}
        />
        <DateInput label="Expires on" value={expiresOn} onChange={setExpiresOn} />
        <ActButton
          operation="rotateRegistrationSecret"
          label="Replace the secret"
          act={async () => {
            const { problem } = await rotate({ id, clientSecret, secretExpiresAt: startOfDay(expiresOn) });
            if (!problem) setClientSecret('');
            return problem;
          }}
          done="Replaced. Calls from now on use the new one."
        />
      </Group>
    </Section>
  );
}

/** With which a platform signs what it tells us of its own accord, such as that a person has removed the app there. */
export function CallbackSecrets({ registration: { id: registrationId, callbackSecrets } }: SecretsProps) {
  const [add, remove] = [useAct(AddCallbackSecretDocument), useAct(RemoveCallbackSecretDocument)];
  const [secret, setSecret] = useState('');
  return (
    <Section
      title="Callback secrets"
      lead="With these the platform signs what it tells us of its own accord. To change one: add the new one, have the platform use it, remove the old one."
    >
      <Rows
        caption="Callback secrets"
        items={callbackSecrets}
        idOf={({ id }) => id}
        none="There is none: the platform's callbacks are refused."
        columns={[
          { name: 'Secret', cell: ({ id }) => id },
          { name: 'Stored', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: '',
            cell: ({ id }) => (
              <ActButton
                operation="removeCallbackSecret"
                label="Remove…"
                about={id}
                size="xs"
                confirm={{
                  title: 'Remove this callback secret',
                  action: 'Remove',
                  isDanger: true,
                  text: 'Callbacks signed with it are refused from now on.',
                }}
                act={async () => (await remove({ id })).problem}
                done="Removed."
              />
            ),
          },
        ]}
      />
      <Group align="flex-end">
        <PasswordInput
          label="New callback secret"
          autoComplete="off"
          miw={280}
          value={secret}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
        <ActButton
          operation="addCallbackSecret"
          label="Add the secret"
          act={async () => {
            const { problem } = await add({ registrationId, secret });
            if (!problem) setSecret('');
            return problem;
          }}
          done="Added."
        />
      </Group>
    </Section>
  );
}
