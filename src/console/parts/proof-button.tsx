import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useClient } from 'urql';
import { ProofDocument, type ProofQuery } from '../generated/operations.ts';
import { inOneLine, problemOf } from '../words/problem.ts';

/** Has the browser keep a file. */
function download(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

/** Downloads what states, over the service's keyed hash, that a connection was deleted. */
export function ProofButton({ connectionId }: { connectionId: string }) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  async function get() {
    setBusy(true);
    const { data, error } = await client.query<ProofQuery>(ProofDocument.toString(), { connectionId }).toPromise();
    setBusy(false);
    if (data) {
      download(`proof-of-deletion-${connectionId}.json`, JSON.stringify(data.proofOfDeletion, null, 2));
    } else {
      const message = inOneLine(problemOf(error ?? { graphQLErrors: [] }));
      notifications.show({ title: 'There is no proof yet', message, color: 'red', autoClose: false });
    }
  }
  return (
    <Button variant="default" loading={busy} onClick={get}>
      Download the proof of deletion
    </Button>
  );
}
