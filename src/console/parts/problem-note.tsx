import { Alert, Button, Code, Group, Text } from '@mantine/core';
import type { Problem } from '../words/problem.ts';

const TITLES: Readonly<Record<string, string>> = {
  UNREACHABLE: 'No answer',
  UNAUTHENTICATED: 'Not signed in',
  FRESH_SIGN_IN_REQUIRED: 'Sign in again',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'Not found',
  BAD_USER_INPUT: 'Not accepted',
  RATE_LIMITED: 'Too many tries',
};

/** An error in words, with what finds it in the api's log. */
export function ProblemNote({ problem, onAgain }: { problem: Problem; onAgain?: () => void }) {
  const isMissing = problem.code === 'NOT_FOUND';
  return (
    <Alert color="red" role="alert" title={TITLES[problem.code] ?? 'Something went wrong'}>
      <Text size="sm">{problem.message}</Text>
      {isMissing && (
        <Text size="sm">It may never have been there, or be gone: what has ended is kept for 7 days at most.</Text>
      )}
      {problem.correlationId !== undefined && (
        <Text size="sm">
          Correlation id <Code>{problem.correlationId}</Code>
        </Text>
      )}
      {onAgain !== undefined && !isMissing && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={onAgain}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}
