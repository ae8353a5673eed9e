import { Badge } from '@mantine/core';
import { useState } from 'react';
import { useAdminMutation, useIdempotentMutation } from '../../admin-client/hooks.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DateInput } from '../../components/date-input.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { NewKey } from '../../components/new-key.tsx';
import { Section } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { type AppDetailsFragment, IssueKeyDocument, RevokeKeyDocument } from '../../generated/operations.ts';
import { SECRET_LOST } from '../../texts/problem.ts';
import { toStartOfDay } from '../../texts/time.ts';

const MAX_ACTIVE_KEYS = 2;

type Key = AppDetailsFragment['keys'][number];

export function Keys({ app }: { app: AppDetailsFragment }) {
  const [issue, revoke] = [useIdempotentMutation(IssueKeyDocument), useAdminMutation(RevokeKeyDocument)];
  const [expiresOn, setExpiresOn] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const active = app.keys.filter((key) => key.active).length;
  return (
    <Section
      title="Keys"
      lead={`${active} of at most ${MAX_ACTIVE_KEYS} keys are active. To rotate a key, issue a second one, configure the app to use it, then revoke the first.`}
    >
      {secret !== null && <NewKey secret={secret} onDone={() => setSecret(null)} />}
      <DataTable
        caption="Keys"
        items={app.keys}
        idOf={({ id }) => id}
        empty="There are no keys yet."
        columns={[
          { name: 'Key', cell: ({ id }) => id },
          { name: 'Status', cell: (key) => <KeyStatus of={key} /> },
          { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { name: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : 'never') },
          {
            name: '',
            cell: ({ id, active: isActive }) =>
              isActive && (
                <ActionButton
                  operation="revokeKey"
                  label="Revoke…"
                  target={id}
                  size="xs"
                  color="red"
                  variant="outline"
                  confirm={{
                    title: 'Revoke this key',
                    action: 'Revoke',
                    isDanger: true,
                    text:
                      active === 1
                        ? 'This is the only active key. The app has no access until it has another one.'
                        : 'The service refuses requests with this key at once.',
                  }}
                  run={async () => (await revoke({ id })).problem}
                  successMessage="Key revoked."
                />
              ),
          },
        ]}
      />
      {active < MAX_ACTIVE_KEYS && (
        <InlineForm>
          <DateInput
            label="Expires on"
            description="At 00:00 UTC. Empty means never."
            value={expiresOn}
            onChange={setExpiresOn}
          />
          <ActionButton
            type="submit"
            operation="issueKey"
            label="Issue key"
            run={async () => {
              const { data, problem } = await issue((idempotencyKey) => ({
                input: { appId: app.id, expiresAt: toStartOfDay(expiresOn), idempotencyKey },
              }));
              if (data?.issueKey.secret === null) return SECRET_LOST;
              if (data) setSecret(data.issueKey.secret);
              return problem;
            }}
          />
        </InlineForm>
      )}
    </Section>
  );
}

function KeyStatus({ of: { active, revokedAt } }: { of: Key }) {
  if (active) {
    return (
      <Badge color="teal" variant="light" tt="none">
        active
      </Badge>
    );
  }
  return (
    <Badge color="gray" variant="light" tt="none">
      {revokedAt === null ? 'expired' : 'revoked'}
    </Badge>
  );
}
