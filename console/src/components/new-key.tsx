import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { ServiceDocument } from '../generated/operations.ts';
import { buildFirstRequest } from '../texts/first-request.ts';
import { CopyableBlock } from './copyable-block.tsx';

/** Shows a new key once, with a request to test it. The key is not stored anywhere, not even in this browser. */
export function NewKey({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { data } = useAdminQuery(ServiceDocument, {});
  const curl = data && buildFirstRequest(data.service.graphqlUrl, secret);
  return (
    <Alert variant="default" title="New key, shown only once">
      <Stack gap="sm">
        <Text size="sm">
          Send it to the app's owner over a secure channel now. Nobody can show it again. If it is lost, revoke it and
          issue another one.
        </Text>
        <CopyableBlock text={secret} label="Copy the key" name="Key" />
        {curl !== undefined && (
          <>
            <Text size="sm">Test it from the app's server:</Text>
            <CopyableBlock text={curl} label="Copy the command" name="First request" />
          </>
        )}
        <Group>
          <Button variant="default" onClick={onDone}>
            I've saved it
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
