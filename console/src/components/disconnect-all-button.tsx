import type { ButtonProps } from '@mantine/core';
import { useLocation } from 'wouter';
import { DisconnectAllDocument, type DisconnectAllInput } from '../generated/operations.ts';
import { formatCount } from '../texts/format.ts';
import { DryRunButton } from './action-button.tsx';

interface DisconnectAllButtonProps extends Pick<ButtonProps, 'size'> {
  readonly input: DisconnectAllInput;
  readonly of: string;
}

/** Disconnects all connections of a tenant or registration after it has shown how many. */
export function DisconnectAllButton({ input, of, ...rest }: DisconnectAllButtonProps) {
  const [, go] = useLocation();
  return (
    <DryRunButton
      mutation={DisconnectAllDocument}
      variables={{ input }}
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
        text: 'Access stops at once and all data is erased. Grants are revoked where the platform offers a revoke and no other connection of the account uses them; elsewhere each person must remove the app. This cannot be undone.',
      }}
      describe={({ disconnectAll: { connectionCount, unsentRevokes } }) =>
        connectionCount === 0
          ? { isNothing: true, text: 'There are no connections to disconnect.' }
          : {
              text: [
                `${formatCount(connectionCount, 'connection')} will be disconnected.`,
                ...(unsentRevokes ?? []),
              ].join(' '),
            }
      }
      onDone={({ disconnectAll: { bulkDisconnect } }) => bulkDisconnect && go(`/disconnects/${bulkDisconnect.id}`)}
    />
  );
}
