import { useState } from 'react';
import { useIdempotentMutation } from '../../admin-client/hooks.ts';
import { ActionButton, MutationButton } from '../../components/action-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { Time, TimeUntil } from '../../components/time.tsx';
import { NewWebhookSecret } from '../../components/webhook-secret.tsx';
import {
  RetireWebhookSecretDocument,
  RotateWebhookSecretDocument,
  type WebhookEndpointDetailsFragment,
} from '../../generated/operations.ts';
import { WEBHOOK_SECRET_LOST } from '../../texts/problem.ts';

/** The secrets that sign the events of an endpoint. */
export function Secrets({ endpoint: { id, secrets } }: { endpoint: WebhookEndpointDetailsFragment }) {
  const rotate = useIdempotentMutation(RotateWebhookSecretDocument);
  const [secret, setSecret] = useState<string>();
  const isRotating = secrets.length > 1;
  return (
    <Section
      title="Secrets"
      lead="To rotate the secret, add a second one, give it to the app, then retire the first. Until then both sign."
    >
      {secret !== undefined && <NewWebhookSecret secret={secret} onDone={() => setSecret(undefined)} />}
      <DataTable
        caption="Secrets"
        items={secrets}
        idOf={(one) => one.id}
        empty="There are no secrets. The service sends no event without a signature."
        columns={[
          { name: 'Secret', cell: (one) => one.id },
          { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: 'Signs',
            cell: ({ retiresAt }) =>
              retiresAt === null ? (
                'yes'
              ) : (
                <>
                  for <TimeUntil at={retiresAt} />
                </>
              ),
          },
          {
            name: '',
            cell: (one) =>
              isRotating && (
                <MutationButton
                  mutation={RetireWebhookSecretDocument}
                  label="Retire…"
                  target={one.id}
                  size="xs"
                  confirm={{
                    title: 'Retire this secret',
                    action: 'Retire',
                    isDanger: true,
                    text: 'Events are no longer signed with it. An app that knows only this secret refuses them.',
                  }}
                  variables={{ id, secretId: one.id }}
                  successMessage="Secret retired."
                />
              ),
          },
        ]}
      />
      {!isRotating && (
        <div>
          <ActionButton
            operation="rotateWebhookSecret"
            label="Rotate secret"
            run={async () => {
              const { data, problem } = await rotate((idempotencyKey) => ({ id, idempotencyKey }));
              if (data?.rotateWebhookSecret.secret === null) return WEBHOOK_SECRET_LOST;
              if (data) setSecret(data.rotateWebhookSecret.secret);
              return problem;
            }}
          />
        </div>
      )}
    </Section>
  );
}
