import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { endGuard, useLeaveGuard } from '../leave-guard.tsx';
import { CopyableBlock } from './copyable-block.tsx';

interface ShownOnceProps {
  /** Such as `key`. */
  readonly what: string;
  /** Its use, and the steps if it is lost. */
  readonly advice: ReactNode;
  readonly secret: string;
  readonly onDone: () => void;
  readonly children?: ReactNode;
}

/** Shows a secret that cannot be shown again, and keeps the operator here until they confirm that they have it. */
export function ShownOnce({ what, advice, secret, onDone, children }: ShownOnceProps) {
  const box = useRef<HTMLDivElement>(null);
  useLeaveGuard(`the ${what}`);
  // A screen reader announces it, also after the dialog of a fresh sign-in.
  useEffect(() => box.current?.focus(), []);
  return (
    <Alert variant="default" title={`New ${what}, shown only once`} ref={box} tabIndex={-1} role="region">
      <Stack gap="sm">
        <Text size="sm" component="div">
          {advice}
        </Text>
        <CopyableBlock text={secret} label={`Copy the ${what}`} name={`${what[0]?.toUpperCase()}${what.slice(1)}`} />
        {children}
        <Group>
          <Button
            variant="default"
            onClick={() => {
              endGuard();
              onDone();
              // The box is gone, and with it the focus.
              document.querySelector('h1')?.focus({ preventScroll: true });
            }}
          >
            I've saved it
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
