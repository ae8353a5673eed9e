import type { ButtonProps } from '@mantine/core';
import { useLocation } from 'wouter';
import { useAdminMutation } from '../admin-client/hooks.ts';
import { DisconnectAllDocument, type DisconnectAllInput } from '../generated/operations.ts';
import { formatCount } from '../texts/format.ts';
import { ActionButton } from './action-button.tsx';

interface DisconnectAllButtonProps extends Pick<ButtonProps, 'size'> {
  readonly input: DisconnectAllInput;
  readonly of: string;
}

/** Disconnects all connections of a tenant or registration after it has shown how many. */
export function DisconnectAllButton({ input, of, ...rest }: DisconnectAllButtonProps) {
  const disconnect = useAdminMutation(DisconnectAllDocument);
  const [, go] = useLocation();
  return (
    <ActionButton
      operation="disconnectAll"
      label="Disconnect all…"
      target={of}
      {...rest}
      color="red"
      variant="outline"
      confirm={{
        title: `Disconnect all connections of “${of}”`,
        action: 'Disconnect all',
        isDanger: true,
        typedName: of,
        text: 'Access stops at once, every grant is revoked and all data is erased. This cannot be undone.',
        preview: async () => {
          const { data, problem } = await disconnect({ input, dryRun: true });
          if (problem) return { problem };
          const { connectionCount } = data.disconnectAll;
          const isNothing = connectionCount === 0;
          const text = `${formatCount(connectionCount, 'connection')} will be disconnected.`;
          return { isNothing, text: isNothing ? 'There are no connections to disconnect.' : text };
        },
      }}
      run={async () => {
        const { data, problem } = await disconnect({ input, dryRun: false });
        const bulk = data?.disconnectAll.bulkDisconnect;
        if (bulk) go(`/disconnects/${bulk.id}`);
        return problem;
      }}
    />
  );
}
