import { Group, Modal, type ModalRootProps, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

interface DialogProps extends Pick<ModalRootProps, 'onClose' | 'size'> {
  readonly title: string;
  readonly children: ReactNode;
}

/** A modal dialog, open while it is rendered. Its title is not in a `header`, because a page has only one. */
export function Dialog({ title, children, ...rest }: DialogProps) {
  useReturnFocus();
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

/** Returns the focus to the element that opened the dialog or, if that is gone, to the page's heading. */
function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const target = opener?.isConnected ? opener : document.querySelector('h1');
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    },
    [opener],
  );
}
