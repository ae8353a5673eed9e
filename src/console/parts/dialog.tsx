import { Group, Modal, type ModalRootProps, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

interface DialogProps extends Pick<ModalRootProps, 'onClose' | 'size'> {
  readonly title: string;
  readonly children: ReactNode;
}

/** Over the page, for as long as it is rendered. Its head is no `header`, of which a page has one. */
export function Dialog({ title, children, ...rest }: DialogProps) {
  useFocusReturned();
  return (
    <Modal.Root opened centered {...rest}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body pt="md">
          <Stack>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Modal.Title fw={650}>{title}</Modal.Title>
              <Modal.CloseButton aria-label="Close" />
            </Group>
            {children}
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Whoever works by keyboard goes on where they were: at what opened it, or at the page's heading if that is gone. */
function useFocusReturned(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const place = opener?.isConnected ? opener : document.querySelector('h1');
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
    },
    [opener],
  );
}
