import { Button, Group, Loader, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Problem } from '../words/problem.ts';
import { Dialog } from './dialog.tsx';
import { ProblemNote } from './problem-note.tsx';

/** What an action would do, found by a dry run. */
export type Foresight =
  | { readonly text: ReactNode; readonly isNothing?: boolean; readonly problem?: undefined }
  | { readonly problem: Problem };

export interface Confirmation {
  readonly title: string;
  /** On the button that does it. */
  readonly action: string;
  readonly isDanger?: boolean;
  /** Said above what the dry run finds. */
  readonly text?: ReactNode;
  /** A dry run: only when it has ended can it be done. */
  readonly foresee?: () => Promise<Foresight>;
}

interface ConfirmDialogProps extends Confirmation {
  readonly run: () => Promise<Problem | undefined>;
  readonly onClose: () => void;
}

/** Says what would happen, and lets it happen. */
export function ConfirmDialog({ title, action, isDanger = false, text, foresee, run, onClose }: ConfirmDialogProps) {
  const [foresight, setForesight] = useState<Foresight | undefined>(foresee ? undefined : { text: null });
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const asked = useRef(foresee);
  useEffect(() => {
    let isOpen = true;
    asked.current?.().then(
      (found) => isOpen && setForesight(found),
      () => isOpen && setForesight({ problem: { code: 'INTERNAL', message: 'It could not be counted.' } }),
    );
    return () => {
      isOpen = false;
    };
  }, []);

  async function confirm() {
    setBusy(true);
    const failed = await run();
    setBusy(false);
    setProblem(failed);
    if (failed === undefined) onClose();
  }

  const mayConfirm = foresight !== undefined && !foresight.problem && !foresight.isNothing;
  return (
    <Dialog title={title} onClose={onClose}>
      {text !== undefined && <Text component="div">{text}</Text>}
      <div role="status">
        {foresight === undefined && (
          <Group>
            <Loader size="sm" /> Counting what it touches…
          </Group>
        )}
        {foresight?.problem === undefined && foresight?.text}
      </div>
      {foresight?.problem && <ProblemNote problem={foresight.problem} />}
      {problem && <ProblemNote problem={problem} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button {...(isDanger && { color: 'red' })} loading={busy} disabled={!mayConfirm} onClick={confirm}>
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}
