import { Badge } from '@mantine/core';
import { useState } from 'react';
import { useAct, useMake } from '../../ask/hooks.ts';
import { IssueKeyDocument, RevokeKeyDocument, type WholeAppFragment } from '../../generated/operations.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { DateInput } from '../../parts/date-input.tsx';
import { EntryForm } from '../../parts/entry-form.tsx';
import { KeyShownOnce } from '../../parts/key-shown-once.tsx';
import { Section } from '../../parts/page.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Time } from '../../parts/time.tsx';
import { SECRET_LOST } from '../../words/problem.ts';
import { startOfDay } from '../../words/time.ts';

const MAX_ACTIVE = 2;

type Key = WholeAppFragment['keys'][number];

export function Keys({ app }: { app: WholeAppFragment }) {
  const [issue, revoke] = [useMake(IssueKeyDocument), useAct(RevokeKeyDocument)];
  const [expiresOn, setExpiresOn] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const active = app.keys.filter((key) => key.active).length;
  return (
    <Section
      title="Keys"
      lead={`${active} of at most ${MAX_ACTIVE} active. To change one: issue a second, have the app use it, revoke the first.`}
    >
      {secret !== null && <KeyShownOnce secret={secret} onDone={() => setSecret(null)} />}
      <Rows
        caption="Keys"
        items={app.keys}
        idOf={({ id }) => id}
        none="It has no key yet."
        columns={[
          { name: 'Key', cell: ({ id }) => id },
          { name: 'State', cell: (key) => <KeyState of={key} /> },
          { name: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { name: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : 'never') },
          {
            name: '',
            cell: ({ id, active: isActive }) =>
              isActive && (
                <ActButton
                  operation="revokeKey"
                  label="Revoke…"
                  about={id}
                  size="xs"
                  color="red"
                  variant="outline"
                  confirm={{
                    title: 'Revoke this key',
                    action: 'Revoke',
                    isDanger: true,
                    text:
                      active === 1
                        ? 'It is the only active one: the app is locked out until it has another.'
                        : 'Requests with it are refused from the very next one on.',
                  }}
                  act={async () => (await revoke({ id })).problem}
                  done="Revoked."
                />
              ),
          },
        ]}
      />
      {active < MAX_ACTIVE && (
        <EntryForm>
          <DateInput
            label="Expires on"
            description="At 00:00 UTC; never, when left empty"
            value={expiresOn}
            onChange={setExpiresOn}
          />
          <ActButton
            type="submit"
            operation="issueKey"
            label="Issue a key"
            act={async () => {
              const { data, problem } = await issue((idempotencyKey) => ({
                input: { appId: app.id, expiresAt: startOfDay(expiresOn), idempotencyKey },
              }));
              if (data?.issueKey.secret === null) return SECRET_LOST;
              if (data) setSecret(data.issueKey.secret);
              return problem;
            }}
          />
        </EntryForm>
      )}
    </Section>
  );
}

function KeyState({ of: { active, revokedAt } }: { of: Key }) {
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
