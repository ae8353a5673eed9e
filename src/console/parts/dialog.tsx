import { Group, Modal, type ModalRootProps, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogProps extends Pick<ModalRootProps, 'onClose' | 'size'> {
  readonly title: string;
  readonly children: ReactNode;
}

/** Over the page, for as long as it is rendered. Its head is no `header`, of which a page has one. */
export const Dialog = ({ title, children, ...rest }: DialogProps) => (
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
