import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type SubmitEvent, useState } from 'react';
import { describeRevoke, isKeyInUse, KEY_IN_USE } from '../../../../src/basics/key-use.ts';
import { useAdminMutation, useIdempotentMutation } from '../../admin-client/hooks.ts';
import { ActionButton, MutationButton } from '../../components/action-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DateInput } from '../../components/date-input.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { KeyLabelInput } from '../../components/key-label-input.tsx';
import { NewKey } from '../../components/new-key.tsx';
import { Section } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Age, Time, useNow } from '../../components/time.tsx';
import {
  type AppDetailsFragment,
  ChangeKeyDocument,
  IssueKeyDocument,
  RevokeKeyDocument,
} from '../../generated/operations.ts';
import { useSession } from '../../session.tsx';
import { shortenId } from '../../texts/format.ts';
import { type Problem, SECRET_LOST } from '../../texts/problem.ts';
import { explainMissingRole } from '../../texts/roles.ts';
import { toStartOfDay } from '../../texts/time.ts';

const MAX_ACTIVE_KEYS = 2;

type Key = AppDetailsFragment['keys'][number];

export function Keys({ app }: { app: AppDetailsFragment }) {
  const issue = useIdempotentMutation(IssueKeyDocument);
  const [expiresOn, setExpiresOn] = useState('');
  const [label, setLabel] = useState('');
  /** A new key: its id and its secret. */
  const [issued, setIssued] = useState<{ readonly id: string; readonly secret: string }>();
  const active = app.keys.filter((key) => key.active).length;
  const isRevoked = app.keys.some(({ id, active: isActive }) => id === issued?.id && !isActive);
  return (
    <Section
      title="Keys"
      lead={`${active} of at most ${MAX_ACTIVE_KEYS} keys are active. To rotate a key, issue a second one, configure the app to use it, then revoke the first.`}
    >
      {issued !== undefined && !isRevoked && <NewKey secret={issued.secret} onDone={() => setIssued(undefined)} />}
      <DataTable
        caption="Keys"
        items={app.keys}
        idOf={({ id }) => id}
        empty="There are no keys yet."
        columns={[
          { name: 'Key', cell: (key) => <KeyName of={key} /> },
          { name: 'Status', cell: (key) => <KeyStatus of={key} /> },
          {
            name: 'Created',
            cell: ({ createdAt }) => (
              <>
                <Time at={createdAt} />
                <Text size="xs" c="dimmed">
                  <Age since={createdAt} /> ago
                </Text>
              </>
            ),
          },
          { name: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : 'never') },
          {
            name: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt ? <LastUse at={lastUsedAt} /> : 'never'),
          },
          {
            name: '',
            cell: (key) =>
              key.active && (
                <MutationButton
                  mutation={RevokeKeyDocument}
                  label="Revoke…"
                  target={key.label ?? key.id}
                  size="xs"
                  color="red"
                  variant="outline"
                  confirm={{
                    title: `Revoke ${key.label === null ? `the key ${shortenId(key.id)}` : `“${key.label}”`} of ${app.name}`,
                    action: 'Revoke',
                    isDanger: true,
                    text: <RevokeText of={key} isOnly={active === 1} />,
                  }}
                  variables={{ id: key.id }}
                  successMessage="Key revoked."
                />
              ),
          },
        ]}
      />
      {active < MAX_ACTIVE_KEYS && (
        <InlineForm>
          <KeyLabelInput value={label} onChange={setLabel} />
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
                input: {
                  appId: app.id,
                  label: label.trim() || null,
                  expiresAt: toStartOfDay(expiresOn),
                  idempotencyKey,
                },
              }));
              if (data?.issueKey.secret === null) return SECRET_LOST;
              if (data) {
                setIssued({ id: data.issueKey.key.id, secret: data.issueKey.secret });
                setLabel('');
              }
              return problem;
            }}
          />
        </InlineForm>
      )}
    </Section>
  );
}

/** Identifies the key by its distinguishing facts, and states the effect. */
function RevokeText({ of: { id, createdAt, lastUsedAt }, isOnly }: { of: Key; isOnly: boolean }) {
  const nowMs = useNow();
  return (
    <Stack gap="xs">
      <Text ff="monospace" size="sm">
        {id}
      </Text>
      <Text>
        Issued <Age since={createdAt} /> ago. Last used: {lastUsedAt === null ? 'never' : <LastUse at={lastUsedAt} />}.
      </Text>
      {lastUsedAt !== null && isKeyInUse(nowMs - Date.parse(lastUsedAt)) && <Alert color="orange">{KEY_IN_USE}</Alert>}
      <Text>{describeRevoke({ isOnly })}</Text>
    </Stack>
  );
}

/** The label and the id of a key, with a button that changes the label. */
function KeyName({ of: key }: { of: Key }) {
  const [isOpen, { open, close }] = useDisclosure();
  const { me } = useSession();
  const act = key.label === null ? 'Add a label' : 'Change label';
  return (
    <>
      {key.label !== null && <div>{key.label}</div>}
      <Text size="xs" ff="monospace">
        {key.id}
      </Text>
      {explainMissingRole(me.role, 'changeKey') === undefined && (
        <Button variant="subtle" size="compact-sm" px={0} onClick={open} aria-label={`${act}: ${key.id}`}>
          {act}
        </Button>
      )}
      {isOpen && <KeyLabelDialog of={key} onClose={close} />}
    </>
  );
}

function KeyLabelDialog({ of: { id, label: before }, onClose }: { of: Key; onClose: () => void }) {
  const change = useAdminMutation(ChangeKeyDocument);
  const [label, setLabel] = useState(before ?? '');
  const [problem, setProblem] = useState<Problem>();
  async function save(event: SubmitEvent) {
    event.preventDefault();
    const outcome = await change({ id, label: label.trim() || null });
    setProblem(outcome.problem);
    if (outcome.problem === undefined) onClose();
  }
  return (
    <Dialog title="Label of the key" onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <Stack>
          <KeyLabelInput value={label} onChange={setLabel} />
          {problem && <ProblemAlert problem={problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Save</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** The service writes the use of a key at most once a minute, and a few seconds later. */
const EXACT_MS = 120_000;

export const LastUse = ({ at }: { at: string }) =>
  useNow() - Date.parse(at) < EXACT_MS ? (
    'in the last 2 min'
  ) : (
    <>
      <Age since={at} /> ago
    </>
  );

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
