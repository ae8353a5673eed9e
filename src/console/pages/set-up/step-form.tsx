import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { WholeAppFragment } from '../../generated/operations.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import type { Problem } from '../../words/problem.ts';

/** What each step is given: the app as it is, and the way on. */
export interface StepProps {
  readonly app: WholeAppFragment;
  readonly onDone: () => void;
}

interface StepFormProps {
  readonly title: string;
  /** What it is for. */
  readonly lead: ReactNode;
  readonly children: ReactNode;
  readonly submit: string;
  /** Stores the step. @returns why that did not work, if so. */
  readonly act: () => Promise<Problem | undefined>;
  /** Where the step may be passed by: what has been stored of it is enough. */
  readonly onSkip?: (() => void) | undefined;
}

export function StepForm({ title, lead, children, submit, act, onSkip }: StepFormProps) {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  async function run(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(await act());
    setBusy(false);
  }
  return (
    <form onSubmit={(event) => void run(event)}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text c="dimmed" component="div">
            {lead}
          </Text>
        </div>
        {children}
        {problem && <ProblemNote problem={problem} />}
        <Group>
          <Button type="submit" loading={busy}>
            {submit}
          </Button>
          {onSkip && (
            <Button variant="default" onClick={onSkip}>
              Go on
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
