import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useClient } from 'urql';
import { ProofOfDeletionDocument, type ProofOfDeletionQuery } from '../generated/operations.ts';
import { formatProblem, toProblem } from '../texts/problem.ts';
import { download } from './download.ts';

/** Downloads the proof, authenticated by the service's keyed hash, that a connection was deleted. */
export function ProofOfDeletionButton({ connectionId }: { connectionId: string }) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  async function get() {
    setBusy(true);
    const { data, error } = await client
      .query<ProofOfDeletionQuery>(ProofOfDeletionDocument.toString(), { connectionId })
      .toPromise();
    setBusy(false);
    if (data) {
      download(`proof-of-deletion-${connectionId}.json`, [JSON.stringify(data.proofOfDeletion, null, 2)]);
    } else {
      const message = formatProblem(toProblem(error ?? { graphQLErrors: [] }));
      notifications.show({ title: 'No proof available', message, color: 'red', autoClose: false });
    }
  }
  return (
    <Button variant="default" loading={busy} onClick={get}>
      Download proof of deletion
    </Button>
  );
}
