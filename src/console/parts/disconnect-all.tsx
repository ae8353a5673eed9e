import type { ButtonProps } from '@mantine/core';
import { useLocation } from 'wouter';
import { useAct } from '../ask/hooks.ts';
import { DisconnectAllDocument, type DisconnectAllInput } from '../generated/operations.ts';
import { count } from '../words/count.ts';
import { ActButton } from './act-button.tsx';

interface DisconnectAllProps extends Pick<ButtonProps, 'size'> {
  readonly input: DisconnectAllInput;
  readonly of: string;
}

/** Disconnects all connections of a tenant or of a registration, once it has said how many. */
export function DisconnectAll({ input, of, ...rest }: DisconnectAllProps) {
  const disconnect = useAct(DisconnectAllDocument);
  const [, go] = useLocation();
  return (
    <ActButton
      operation="disconnectAll"
      label="Disconnect all…"
      about={of}
      {...rest}
      color="red"
      variant="outline"
      confirm={{
        title: `Disconnect all of “${of}”`,
        action: 'Disconnect all',
        isDanger: true,
        text: 'Access stops, every grant is revoked, and everything held is erased. It cannot be undone.',
        foresee: async () => {
          const { data, problem } = await disconnect({ input, dryRun: true });
          if (problem) return { problem };
          const { connectionCount } = data.disconnectAll;
          const isNothing = connectionCount === 0;
          const text = `${count(connectionCount, 'connection')} will be disconnected.`;
          return { isNothing, text: isNothing ? 'There is nothing to disconnect.' : text };
        },
      }}
      act={async () => {
        const { data, problem } = await disconnect({ input, dryRun: false });
        const run = data?.disconnectAll.run;
        if (run) go(`/disconnects/${run.id}`);
        return problem;
      }}
    />
  );
}
