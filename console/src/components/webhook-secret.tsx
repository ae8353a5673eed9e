import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { CopyableBlock } from './copyable-block.tsx';

/** Shows a new webhook secret once. It is not stored anywhere, not even in this browser. */
export const NewWebhookSecret = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <Alert variant="default" title="New secret, shown only once">
    <Stack gap="sm">
      <Text size="sm">
        Send it to the app's owner over a secure channel now. The app verifies with it that an event comes from this
        service. Nobody can show it again. If it is lost, rotate the secret.
      </Text>
      <CopyableBlock text={secret} label="Copy the secret" name="Webhook secret" />
      <Group>
        <Button variant="default" onClick={onDone}>
          I've saved it
        </Button>
      </Group>
    </Stack>
  </Alert>
);
