import { useState } from 'react';
import { useAdminMutation, useIdempotentMutation } from '../../admin-client/hooks.ts';
import { MutationButton } from '../../components/action-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DateInput } from '../../components/date-input.tsx';
import { Section } from '../../components/page.tsx';
import { SecretForm } from '../../components/secret-form.tsx';
import { Time } from '../../components/time.tsx';
import {
  AddCallbackSecretDocument,
  type RegistrationDetailsFragment,
  RemoveCallbackSecretDocument,
  RotateRegistrationSecretDocument,
} from '../../generated/operations.ts';
import { toStartOfDay } from '../../texts/time.ts';

interface SecretsProps {
  readonly registration: RegistrationDetailsFragment;
}

/** Replaces the client secret. The console never shows it. */
export function ClientSecret({ registration: { id, secretSetAt, secretExpiresAt } }: SecretsProps) {
  const rotate = useAdminMutation(RotateRegistrationSecretDocument);
  const [expiresOn, setExpiresOn] = useState('');
  return (
    <Section
      title="Client secret"
      lead={
        <>
          Stored <Time at={secretSetAt} />
          {secretExpiresAt !== null && (
            <>
              ; expires <Time at={secretExpiresAt} />
            </>
          )}
          . The console never shows it.
        </>
      }
    >
      <SecretForm
        field="New secret"
        operation="rotateRegistrationSecret"
        label="Replace secret…"
        confirm={{
          title: 'Replace the client secret',
          action: 'Replace it',
          isDanger: true,
          text: 'New calls use the new secret at once, and the service tests it with the platform. The old one is gone: if the new one is wrong, connects and refreshes wait until you store the right one.',
        }}
        submit={async (clientSecret) =>
          (await rotate({ id, clientSecret, secretExpiresAt: toStartOfDay(expiresOn) })).problem
        }
        successMessage="Secret replaced. The service tests whether the platform accepts it."
      >
        <DateInput label="Expires on" value={expiresOn} onChange={setExpiresOn} />
      </SecretForm>
    </Section>
  );
}

/** The secrets with which a platform signs its callbacks, such as that a person removed the app there. */
export function CallbackSecrets({ registration: { id: registrationId, callbackSecrets } }: SecretsProps) {
  const add = useIdempotentMutation(AddCallbackSecretDocument);
  return (
    <Section
      title="Callback secrets"
      lead="The platform signs its callbacks with these secrets. To rotate a secret, add the new one, configure the platform to use it, then remove the old one."
    >
      <DataTable
        caption="Callback secrets"
        items={callbackSecrets}
        idOf={({ id }) => id}
        empty="There are no secrets. The service refuses the platform's callbacks."
        columns={[
          { name: 'Secret', cell: ({ id }) => id },
          { name: 'Stored', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: '',
            cell: ({ id }) => (
              <MutationButton
                mutation={RemoveCallbackSecretDocument}
                label="Remove…"
                target={id}
                size="xs"
                confirm={{
                  title: 'Remove this callback secret',
                  action: 'Remove',
                  isDanger: true,
                  text: 'The service refuses callbacks that are signed with this secret.',
                }}
                variables={{ id }}
                successMessage="Secret removed."
              />
            ),
          },
        ]}
      />
      <SecretForm
        field="New callback secret"
        operation="addCallbackSecret"
        label="Add secret"
        submit={async (secret) => (await add((idempotencyKey) => ({ registrationId, secret, idempotencyKey }))).problem}
        successMessage="Secret added."
      />
    </Section>
  );
}
