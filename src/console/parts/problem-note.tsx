import { Alert, Button, Code, Group, Text } from '@mantine/core';
import type { Problem } from '../words/problem.ts';

const TITLES: Readonly<Record<string, string>> = {
  UNREACHABLE: 'No answer',
  UNAUTHENTICATED: 'Not signed in',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'Not found',
  BAD_USER_INPUT: 'Not accepted',
  RATE_LIMITED: 'Too many tries',
};

/** An error in words, with what finds it in the api's log. */
export function ProblemNote({ problem, onAgain }: { problem: Problem; onAgain?: () => void }) {
  return (
    <Alert color="red" role="alert" title={TITLES[problem.code] ?? 'Something went wrong'}>
      <Text size="sm">{problem.message}</Text>
      {problem.correlationId !== undefined && (
        <Text size="sm">
          Correlation id <Code>{problem.correlationId}</Code>
        </Text>
      )}
      {onAgain !== undefined && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={onAgain}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}
