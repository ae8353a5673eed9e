import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import { useAdminMutation, useAdminQuery } from '../../admin-client/hooks.ts';
import { FAST_POLL_MS } from '../../admin-client/polling.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { useNow } from '../../components/time.tsx';
import {
  type RegistrationDetailsFragment,
  RegistrationDocument,
  TestRegistrationDocument,
} from '../../generated/operations.ts';

/** A worker sends the request within seconds, unless Temporal or the provider is away. */
const PATIENCE_MS = 30_000;

interface Test {
  readonly startedAtMs: number;
  /** When the provider was asked last, before this test. */
  readonly testedBefore: string | null;
}

/** Asks the provider whether it accepts the client, before the first person does. The page itself shows a refusal. */
export function TestClient({ registration }: { registration: RegistrationDetailsFragment }) {
  const { id, testedAt, testAnsweredAt, accepted, rejectedAt, secretSetAt } = registration;
  const run = useAdminMutation(TestRegistrationDocument);
  const [test, setTest] = useState<Test>();
  /** What the provider answered a moment ago: the service does not ask again so soon. */
  const [recent, setRecent] = useState<string>();
  const [secretSeen, setSecretSeen] = useState(secretSetAt);
  if (secretSetAt !== secretSeen) {
    // The service tests a new secret at once, and has forgotten the test of the old one.
    setSecretSeen(secretSetAt);
    setRecent(undefined);
    setTest({ startedAtMs: Date.now(), testedBefore: null });
  }
  const nowMs = useNow();
  const elapsedMs = test === undefined ? 0 : nowMs - test.startedAtMs;
  // The request is recorded before it is sent, and its answer after it.
  const isSent = test !== undefined && testedAt !== null && testedAt !== test.testedBefore;
  const isAnswered = isSent && testAnsweredAt !== null && testAnsweredAt >= testedAt;
  const isLate = test !== undefined && !isAnswered && elapsedMs > PATIENCE_MS;
  const isRunning = test !== undefined && !isAnswered && !isLate;
  useAdminQuery(RegistrationDocument, { id }, { pollMs: FAST_POLL_MS, pause: !isRunning });
  return (
    <>
      <ActionButton
        operation="testRegistration"
        label="Test this client"
        variant={accepted && rejectedAt === null ? 'default' : 'filled'}
        isBusy={isRunning}
        run={async () => {
          const { problem } = await run({ id });
          const isRecent = problem?.code === 'RATE_LIMITED';
          setRecent(isRecent ? problem.message : undefined);
          setTest(problem ? undefined : { startedAtMs: Date.now(), testedBefore: testedAt });
          return isRecent ? undefined : problem;
        }}
      />
      {recent !== undefined && <Notice color="blue" text={recent} />}
      {(isLate || (isAnswered && rejectedAt === null)) && <Notice {...describeVerdict(registration, isLate)} />}
    </>
  );
}

const Notice = ({ color, text }: { color: string; text: string }) => (
  <Alert color={color} role="status" p="xs" w="100%">
    <Text size="sm">{text}</Text>
  </Alert>
);

function describeVerdict({ accepted }: RegistrationDetailsFragment, isLate: boolean) {
  if (isLate) {
    return {
      color: 'orange',
      text: 'No answer yet: the provider is slow, or Temporal or the worker is away.',
    };
  }
  if (accepted) return { color: 'teal', text: 'The provider accepts this client.' };
  return {
    color: 'orange',
    text: 'The provider’s answer does not show whether it accepts this client. Connect an account to find out.',
  };
}
