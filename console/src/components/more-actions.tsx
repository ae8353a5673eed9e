import { ActionIcon, Popover, Stack, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useRef } from 'react';
import { Icon } from './icons.tsx';
import classes from './more-actions.module.css';

/** The actions of a page that are not its first one, behind a button. @param children buttons and links */
export function MoreActions({ children }: { children: ReactNode }) {
  const [opened, { toggle, close, set }] = useDisclosure();
  const target = useRef<HTMLButtonElement>(null);
  return (
    <Popover
      opened={opened}
      onChange={set}
      position="bottom-end"
      // A dialog that an action has opened is a part of it.
      keepMounted
      keepMountedMode="display-none"
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Tooltip label="More actions" disabled={opened}>
          <ActionIcon ref={target} variant="default" size={36} aria-label="More actions" onClick={toggle}>
            <Icon name="more" />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label="More actions">
        <Stack
          gap={2}
          className={classes.actions}
          onClick={() => {
            target.current?.focus(); // The focus returns here from a dialog.
            close();
          }}
        >
          {children}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
