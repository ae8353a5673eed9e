import { Button, Group, Loader, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { AT_FIELD, type Problem } from '../texts/problem.ts';
import { Dialog } from './dialog.tsx';
import { ProblemAlert } from './problem-alert.tsx';

/** The effect of an action, from a dry run. */
export type Preview =
  | { readonly text: ReactNode; readonly isNothing?: boolean; readonly problem?: undefined }
  | { readonly problem: Problem };

export interface Confirmation {
  readonly title: string;
  /** The label of the confirm button. */
  readonly action: string;
  readonly isDanger?: boolean;
  /** The name of the target, which the operator types before the act. For acts that cannot be undone. */
  readonly typedName?: string;
  /** The whole name, if `typedName` is only its beginning: it may be pasted, too. */
  readonly wholeName?: string;
  /** Shown above the result of the dry run. */
  readonly text?: ReactNode;
  /** A dry run. The confirm button stays disabled until it has finished. */
  readonly preview?: () => Promise<Preview>;
}

interface ConfirmDialogProps extends Confirmation {
  readonly run: () => Promise<Problem | undefined>;
  readonly onClose: () => void;
}

/** Shows the effect of an action and asks for confirmation. */
export function ConfirmDialog({
  title,
  action,
  isDanger = false,
  typedName,
  wholeName = typedName,
  text,
  preview,
  run,
  onClose,
}: ConfirmDialogProps) {
  const [previewed, setPreviewed] = useState<Preview | undefined>(preview ? undefined : { text: null });
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const [typed, setTyped] = useState('');
  const loadPreview = useRef(preview);
  useEffect(() => {
    let isOpen = true;
    loadPreview.current?.().then(
      (found) => isOpen && setPreviewed(found),
      () => isOpen && setPreviewed({ problem: { code: 'INTERNAL', message: 'The dry run failed.' } }),
    );
    return () => {
      isOpen = false;
    };
  }, []);

  async function confirm() {
    setBusy(true);
    const failed = await run();
    setBusy(false);
    setProblem(failed === AT_FIELD ? undefined : failed);
    if (failed === undefined || failed === AT_FIELD) onClose();
  }

  const mayConfirm = previewed !== undefined && !previewed.problem && !previewed.isNothing;
  const isTyped = typedName === undefined || [typedName, wholeName].includes(typed.trim());
  return (
    <Dialog title={title} onClose={onClose}>
      {text !== undefined && <Text component="div">{text}</Text>}
      <div role="status">
        {previewed === undefined && (
          <Group>
            <Loader size="sm" /> Checking the effect…
          </Group>
        )}
        {previewed?.problem === undefined && previewed?.text}
      </div>
      {typedName !== undefined && mayConfirm && (
        <TextInput
          label={`Type “${typedName}” to confirm`}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      {previewed?.problem && <ProblemAlert problem={previewed.problem} />}
      {problem && <ProblemAlert problem={problem} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button {...(isDanger && { color: 'red' })} loading={busy} disabled={!mayConfirm || !isTyped} onClick={confirm}>
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}
