import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useQuestion } from '../admin-client/hooks.ts';
import { ProofOfDeletionDocument } from '../generated/operations.ts';
import { formatProblem } from '../texts/problem.ts';
import { download } from './download.ts';

/** Downloads the proof, authenticated by the service's keyed hash, that a connection was deleted. */
export function ProofOfDeletionButton({ connectionId }: { connectionId: string }) {
  const ask = useQuestion(ProofOfDeletionDocument);
  const [busy, setBusy] = useState(false);
  async function get() {
    setBusy(true);
    const { data, problem } = await ask({ connectionId });
    setBusy(false);
    if (data) download(`proof-of-deletion-${connectionId}.json`, [JSON.stringify(data.proofOfDeletion, null, 2)]);
    else {
      const message = formatProblem(problem);
      notifications.show({ title: 'No proof available', message, color: 'red', autoClose: false });
    }
  }
  return (
    <Button variant="default" loading={busy} onClick={get}>
      Download proof of deletion
    </Button>
  );
}
