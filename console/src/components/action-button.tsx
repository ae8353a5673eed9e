import { Button, type ButtonProps, Group, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useId, useState } from 'react';
import { useAdminMutation, type Variables } from '../admin-client/hooks.ts';
import type { TypedDocumentString } from '../generated/operations.ts';
import { useSession } from '../session.tsx';
import { AT_FIELD, formatProblem, type Problem } from '../texts/problem.ts';
import { explainMissingRole, type Operation, readOperation } from '../texts/roles.ts';
import { type Confirmation, ConfirmDialog, type Preview } from './confirm-dialog.tsx';
import { useKeepFocus } from './keep-focus.ts';

export interface ActionButtonProps extends Pick<ButtonProps, 'color' | 'size' | 'variant' | 'disabled'> {
  /** The mutation that the button runs. It decides which role may use the button. */
  readonly operation: Operation;
  readonly label: string;
  /** Names the row for a screen reader when several rows have the same label. */
  readonly target?: string;
  /** Opens this dialog first; without it, a click runs the mutation. */
  readonly confirm?: Confirmation;
  /** Runs the mutation. @returns the problem if it failed; `AT_FIELD` if the form shows it. */
  readonly run: () => Promise<Problem | undefined>;
  /** Whether work that this button started is still running. */
  readonly isBusy?: boolean;
  /** Shown in a notification on success. */
  readonly successMessage?: string;
  /** Reverses the act. The notification offers it for a while. */
  readonly undo?: () => Promise<Problem | undefined>;
  /** For use in an `InlineForm`. */
  readonly type?: 'submit';
}

/** Shows why an action failed, until the operator closes it. The sign-in and the fields of a form show their own errors. */
function notifyProblem(problem: Problem): void {
  if (problem.code === 'UNAUTHENTICATED' || problem === AT_FIELD) return;
  const title = problem.code === 'UNREACHABLE' ? 'No answer' : 'The action failed';
  notifications.show({ title, message: formatProblem(problem), color: 'red', autoClose: false });
}

/** Long enough to read the message and to reach the button. */
const UNDO_MS = 8_000;

/** Shows that an action succeeded, and offers to reverse it. */
function notifySuccess(message: string, undo: ActionButtonProps['undo']): void {
  if (undo === undefined) {
    notifications.show({ message, color: 'teal' });
    return;
  }
  const id = notifications.show({
    color: 'teal',
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={async () => {
            notifications.hide(id);
            const problem = await undo();
            if (problem) notifyProblem(problem);
            else notifications.show({ message: 'Undone.', color: 'teal' });
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}

/** A button that runs one mutation. If the operator's role may not use it, a tooltip explains why. */
export function ActionButton({
  operation,
  label,
  target,
  confirm,
  run,
  successMessage,
  undo,
  isBusy = false,
  variant = 'default',
  ...rest
}: ActionButtonProps) {
  const { me } = useSession();
  const [opened, { open, close }] = useDisclosure();
  const [isRunning, setIsRunning] = useState(false);
  const descriptionId = useId();
  const missingRole = explainMissingRole(me.role, operation);

  const rememberFocus = useKeepFocus(isRunning || isBusy);

  async function runAndNotify(): Promise<Problem | undefined> {
    rememberFocus();
    setIsRunning(true);
    const problem = await run();
    setIsRunning(false);
    if (problem === undefined && successMessage !== undefined) notifySuccess(successMessage, undo);
    return problem;
  }
  async function runWithoutDialog() {
    const problem = await runAndNotify();
    if (problem) notifyProblem(problem);
  }

  const name = target === undefined ? {} : { 'aria-label': `${label}: ${target}` };
  if (missingRole !== undefined) {
    // Not `disabled`, so that a keyboard can focus it and show the tooltip.
    return (
      <Tooltip label={missingRole} events={{ hover: true, focus: true, touch: true }}>
        <Button {...rest} {...name} variant={variant} data-disabled aria-disabled aria-describedby={descriptionId}>
          {label}
          <span hidden id={descriptionId}>
            {missingRole}
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
        loading={(isRunning && !opened) || isBusy}
        onClick={confirm ? open : runWithoutDialog}
      >
        {label}
      </Button>
      {confirm !== undefined && opened && <ConfirmDialog {...confirm} run={runAndNotify} onClose={close} />}
    </>
  );
}

interface MutationProps<Result, V extends Variables> extends Omit<ActionButtonProps, 'operation' | 'run'> {
  readonly mutation: TypedDocumentString<Result, V>;
  readonly variables: V;
  /** Called on success. */
  readonly onDone?: (result: Result) => void;
}

/** An `ActionButton` that runs the operation of its document. */
export function MutationButton<Result, V extends Variables>({
  mutation,
  variables,
  onDone,
  ...rest
}: MutationProps<Result, V>) {
  const mutate = useAdminMutation(mutation);
  async function run() {
    const { data, problem } = await mutate(variables);
    if (data !== undefined) onDone?.(data);
    return problem;
  }
  return <ActionButton {...rest} operation={readOperation(mutation.toString())} run={run} />;
}

type WithDryRun = Variables & { readonly dryRun?: boolean | null | undefined };

interface DryRunProps<Result, V extends WithDryRun> extends MutationProps<Result, V> {
  readonly confirm: Omit<Confirmation, 'preview'>;
  /** The effect that the dry run has found. */
  readonly describe: (found: Result) => Preview;
}

/** A `MutationButton` whose dialog shows the effect first. */
export function DryRunButton<Result, V extends WithDryRun>({ describe, ...button }: DryRunProps<Result, V>) {
  const mutate = useAdminMutation(button.mutation);
  async function preview() {
    const { data, problem } = await mutate({ ...button.variables, dryRun: true });
    return problem ? { problem } : describe(data);
  }
  return <MutationButton {...button} confirm={{ ...button.confirm, preview }} />;
}
