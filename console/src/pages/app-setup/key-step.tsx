import { Alert, List, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useIdempotentMutation } from '../../admin-client/hooks.ts';
import { DateInput } from '../../components/date-input.tsx';
import { KeyLabelInput } from '../../components/key-label-input.tsx';
import { NewKey } from '../../components/new-key.tsx';
import { type AppDetailsFragment, IssueKeyDocument } from '../../generated/operations.ts';
import { SECRET_LOST } from '../../texts/problem.ts';
import { toStartOfDay } from '../../texts/time.ts';
import { StepForm } from './step-form.tsx';

/** The last step: issues a key and shows it once, with a request to test it. */
export function KeyStep({ app }: { app: AppDetailsFragment }) {
  const issue = useIdempotentMutation(IssueKeyDocument);
  const [, go] = useLocation();
  const [label, setLabel] = useState('');
  const [expiresOn, setExpiresOn] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) {
    return (
      <Stack>
        <Title order={2} size="h4">
          {app.missing.length === 0 ? `${app.name} is set up` : `${app.name} has its key`}
        </Title>
        <Missing app={app} />
        <NewKey secret={secret} onDone={() => go(`/apps/${app.id}#keys`)} />
      </Stack>
    );
  }
  return (
    <StepForm
      title="Issue a key for the backend"
      lead="The next screen shows the key once. Prepare a safe place to store it. An app has at most two active keys."
      submitLabel="Issue key"
      save={async () => {
        const { data, problem } = await issue((idempotencyKey) => ({
          input: { appId: app.id, label: label.trim() || null, expiresAt: toStartOfDay(expiresOn), idempotencyKey },
        }));
        if (data?.issueKey.secret === null) return SECRET_LOST;
        if (data) setSecret(data.issueKey.secret);
        return problem;
      }}
    >
      <KeyLabelInput value={label} onChange={setLabel} />
      <DateInput
        label="Expires on"
        description="At 00:00 UTC. Empty means never."
        value={expiresOn}
        onChange={setExpiresOn}
      />
    </StepForm>
  );
}

function Missing({ app: { missing } }: { app: AppDetailsFragment }) {
  if (missing.length === 0) return <Text>The app can connect accounts at every provider of its policy.</Text>;
  return (
    <Alert color="orange" title="Remaining steps">
      <List size="sm">
        {missing.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
