import { useState } from 'react';
import { useAct, useMake } from '../../ask/hooks.ts';
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
import { SecretEntry } from '../../parts/secret-entry.tsx';
import { Time } from '../../parts/time.tsx';
import { startOfDay } from '../../words/time.ts';

interface SecretsProps {
  readonly registration: WholeRegistrationFragment;
}

/** Goes in, and never comes out. */
export function ClientSecret({ registration: { id, secretSetAt, secretExpiresAt } }: SecretsProps) {
  const rotate = useAct(RotateRegistrationSecretDocument);
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
      <SecretEntry
        field="New secret"
        operation="rotateRegistrationSecret"
        label="Replace the secret"
        act={async (clientSecret) =>
          (await rotate({ id, clientSecret, secretExpiresAt: startOfDay(expiresOn) })).problem
        }
        done="Replaced. Calls from now on use the new one."
      >
        <DateInput label="Expires on" value={expiresOn} onChange={setExpiresOn} />
      </SecretEntry>
    </Section>
  );
}

/** With which a platform signs what it tells us of its own accord, such as that a person has removed the app there. */
export function CallbackSecrets({ registration: { id: registrationId, callbackSecrets } }: SecretsProps) {
  const [add, remove] = [useMake(AddCallbackSecretDocument), useAct(RemoveCallbackSecretDocument)];
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
      <SecretEntry
        field="New callback secret"
        operation="addCallbackSecret"
        label="Add the secret"
        act={async (secret) => (await add((idempotencyKey) => ({ registrationId, secret, idempotencyKey }))).problem}
        done="Added."
      />
    </Section>
  );
}
