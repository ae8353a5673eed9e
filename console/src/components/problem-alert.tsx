import { Alert, Button, Code, Group, Text } from '@mantine/core';
import type { Problem } from '../texts/problem.ts';

/** A list of its own: other problems have a common title. */
const TITLES: Readonly<Record<string, string>> = {
  UNREACHABLE: 'Unreachable',
  UNAUTHENTICATED: 'Not signed in',
  FRESH_SIGN_IN_REQUIRED: 'Sign in again',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'Not found',
  BAD_USER_INPUT: 'Invalid input',
  RATE_LIMITED: 'Too many attempts',
};

/** Shows an error with the correlation id that finds it in the api's log. */
export function ProblemAlert({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  const isMissing = problem.code === 'NOT_FOUND';
  return (
    <Alert
      color="red"
      role="alert"
      title={TITLES[problem.code] ?? 'Something went wrong'}
      {...(problem.code === 'UNREACHABLE' && { className: 'unreachable' })}
    >
      <Text size="sm">{problem.message}</Text>
      {isMissing && <Text size="sm">It never existed, or it is no longer kept.</Text>}
      {problem.correlationId !== undefined && (
        <Text size="sm">
          Correlation id <Code>{problem.correlationId}</Code>
        </Text>
      )}
      {onRetry !== undefined && !isMissing && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}
