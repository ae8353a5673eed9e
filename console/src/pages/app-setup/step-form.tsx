import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useKeepFocus } from '../../components/keep-focus.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import type { AppDetailsFragment } from '../../generated/operations.ts';
import type { Problem } from '../../texts/problem.ts';

export interface StepProps {
  readonly app: AppDetailsFragment;
  readonly onDone: () => void;
}

interface StepFormProps {
  readonly title: string;
  readonly lead: ReactNode;
  readonly children: ReactNode;
  readonly submitLabel: string;
  /** Saves the step. @returns the problem if that failed. */
  readonly save: () => Promise<Problem | undefined>;
  /** Skips the step; present if the app already has enough data for it. */
  readonly onSkip?: (() => void) | undefined;
}

export function StepForm({ title, lead, children, submitLabel: submit, save: act, onSkip }: StepFormProps) {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const rememberFocus = useKeepFocus(busy);
  const heading = useRef<HTMLHeadingElement>(null);
  // The step before is gone, and with it the button that had the focus.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  async function run(event: SubmitEvent) {
    event.preventDefault();
    rememberFocus();
    setBusy(true);
    setProblem(await act());
    setBusy(false);
  }
  return (
    <form onSubmit={(event) => void run(event)}>
      <Stack>
        <div>
          <Title order={2} size="h4" ref={heading} tabIndex={-1}>
            {title}
          </Title>
          <Text c="dimmed" component="div">
            {lead}
          </Text>
        </div>
        {children}
        {problem && <ProblemAlert problem={problem} />}
        <Group>
          <Button type="submit" loading={busy}>
            {submit}
          </Button>
          {onSkip && (
            <Button variant="default" onClick={onSkip}>
              Skip
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
