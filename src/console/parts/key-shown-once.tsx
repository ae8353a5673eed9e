import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useAsk } from '../ask/hooks.ts';
import { ServiceDocument } from '../generated/operations.ts';
import { firstQuestion } from '../words/curl.ts';

/** A new key, for the only time, and a request to try it with. It is kept nowhere, not even in this browser. */
export function KeyShownOnce({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { data } = useAsk(ServiceDocument, {});
  const curl = data && firstQuestion(data.service.graphqlUrl, secret);
  return (
    <Alert variant="default" title="The key, shown this once">
      <Stack gap="sm">
        <Text size="sm">
          Hand it to the app's owner over a safe channel now: nobody can show it again. If it is lost, revoke it and
          issue another.
        </Text>
        <Copyable text={secret} label="Copy the key" name="The key" />
        {curl !== undefined && (
          <>
            <Text size="sm">A first request with it, from a server of theirs:</Text>
            <Copyable text={curl} label="Copy the command" name="A first request" />
          </>
        )}
        <Group>
          <Button variant="default" onClick={onDone}>
            I have put it away
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

const Copyable = ({ text, label, name }: { text: string; label: string; name: string }) => (
  <Stack gap={4} align="flex-start">
    <Code block w="100%" style={{ whiteSpace: 'pre-wrap' }} role="group" aria-label={name}>
      {text}
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" onClick={copy}>
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  </Stack>
);
