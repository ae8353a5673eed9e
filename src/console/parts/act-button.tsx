import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useId, useState } from 'react';
import { useSession } from '../session.tsx';
import { inOneLine, type Problem } from '../words/problem.ts';
import { hindranceOf, type Operation } from '../words/roles.ts';
import { type Confirmation, ConfirmDialog } from './confirm-dialog.tsx';

export interface ActButtonProps extends Pick<ButtonProps, 'color' | 'size' | 'variant' | 'disabled'> {
  /** What it calls: whether this person may is known from it. */
  readonly operation: Operation;
  readonly label: string;
  /** Besides the label, for a screen reader, where the label stands in many rows. */
  readonly about?: string;
  /** Asked for before it is done; without it, it is done at once. */
  readonly confirm?: Confirmation;
  /** Does it. @returns why it did not work, if so. */
  readonly act: () => Promise<Problem | undefined>;
  /** Whether what it began is still under way. */
  readonly busy?: boolean;
  /** Said when it has worked. */
  readonly done?: string;
  /** In an `EntryForm`. */
  readonly type?: 'submit';
}

/** Does one thing. For whoever may not, it says why. */
export function ActButton({
  operation,
  label,
  about,
  confirm,
  act,
  done,
  busy: isUnderWay = false,
  variant = 'default',
  ...rest
}: ActButtonProps) {
  const { me } = useSession();
  const [opened, { open, close }] = useDisclosure();
  const [busy, setBusy] = useState(false);
  const whyNot = useId();
  const hindrance = hindranceOf(me.role, operation);

  async function run(): Promise<Problem | undefined> {
    setBusy(true);
    const problem = await act();
    setBusy(false);
    if (problem === undefined && done !== undefined) notifications.show({ message: done, color: 'teal' });
    return problem;
  }
  async function runAtOnce() {
    const problem = await run();
    if (problem)
      notifications.show({ title: 'That did not work', message: inOneLine(problem), color: 'red', autoClose: false });
  }

  const name = about === undefined ? {} : { 'aria-label': `${label}: ${about}` };
  if (hindrance !== undefined) {
    // Not `disabled`: it has to be reached by keyboard to say why.
    return (
      <Tooltip label={hindrance} events={{ hover: true, focus: true, touch: true }}>
        <Button {...rest} {...name} variant={variant} data-disabled aria-disabled aria-describedby={whyNot}>
          {label}
          <span hidden id={whyNot}>
            {hindrance}
          </span>
        </Button>
      </Tooltip>
    );
  }
  return (
    <>
      <Button
        {...rest}
        {...name}
        variant={variant}
        loading={(busy && !opened) || isUnderWay}
        onClick={confirm ? open : runAtOnce}
      >
        {label}
      </Button>
      {confirm !== undefined && opened && <ConfirmDialog {...confirm} run={run} onClose={close} />}
    </>
  );
}
