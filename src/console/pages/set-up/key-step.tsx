import { Alert, List, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useMake } from '../../ask/hooks.ts';
import { IssueKeyDocument, type WholeAppFragment } from '../../generated/operations.ts';
import { DateInput } from '../../parts/date-input.tsx';
import { KeyShownOnce } from '../../parts/key-shown-once.tsx';
import { SECRET_LOST } from '../../words/problem.ts';
import { startOfDay } from '../../words/time.ts';
import { StepForm } from './step-form.tsx';

/** The last: a key, shown once, and a first request with it. */
export function KeyStep({ app }: { app: WholeAppFragment }) {
  const issue = useMake(IssueKeyDocument);
  const [, go] = useLocation();
  const [expiresOn, setExpiresOn] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) {
    return (
      <Stack>
        <Title order={2} size="h4">
          {app.name} is set up
        </Title>
        <Missing app={app} />
        <KeyShownOnce secret={secret} onDone={() => go(`/apps/${app.id}`)} />
      </Stack>
    );
  }
  return (
    <StepForm
      title="A key for its backend"
      lead="It is shown once, on the next screen: have somewhere safe to put it. An app has at most two active keys."
      submit="Issue the key"
      act={async () => {
        const { data, problem } = await issue((idempotencyKey) => ({
          input: { appId: app.id, expiresAt: startOfDay(expiresOn), idempotencyKey },
        }));
        if (data?.issueKey.secret === null) return SECRET_LOST;
        if (data) setSecret(data.issueKey.secret);
        return problem;
      }}
    >
      <DateInput
        label="Expires on"
        description="At 00:00 UTC; never, when left empty"
        value={expiresOn}
        onChange={setExpiresOn}
      />
    </StepForm>
  );
}

function Missing({ app: { missing } }: { app: WholeAppFragment }) {
  if (missing.length === 0) return <Text>It can connect accounts at every provider of its policy.</Text>;
  return (
    <Alert color="orange" title="Still to be done">
      <List size="sm">
        {missing.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
