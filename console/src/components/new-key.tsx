import { Text } from '@mantine/core';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { ServiceDocument } from '../generated/operations.ts';
import { buildFirstRequest } from '../texts/first-request.ts';
import { CopyableBlock } from './copyable-block.tsx';
import { ShownOnce } from './shown-once.tsx';

/** Shows a new key once, with a request to test it. The key is not stored anywhere, not even in this browser. */
export function NewKey({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { data } = useAdminQuery(ServiceDocument, {});
  const curl = data && buildFirstRequest(data.service.graphqlUrl, secret);
  return (
    <ShownOnce
      what="key"
      advice="Send it to the app's owner over a secure channel now. It cannot be shown again. If it is lost, revoke it and issue another one."
      secret={secret}
      onDone={onDone}
    >
      {curl !== undefined && (
        <>
          <Text size="sm">Test it from the app's server:</Text>
          <CopyableBlock text={curl} label="Copy the command" name="First request" />
        </>
      )}
    </ShownOnce>
  );
}
