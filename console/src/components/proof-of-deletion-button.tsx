import { Button, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useQuestion } from '../admin-client/hooks.ts';
import { CertificateOfDeletionDocument, ProofOfDeletionDocument } from '../generated/operations.ts';
import { formatProblem } from '../texts/problem.ts';
import { download } from './download.ts';

/**
 * Downloads the proof, authenticated by the service's keyed hash, that a connection was deleted.
 * @param props.isErased whether the erase has ended: before, there is nothing to prove.
 */
export function ProofOfDeletionButton({ connectionId, isErased = true }: { connectionId: string; isErased?: boolean }) {
  const ask = useQuestion(ProofOfDeletionDocument);
  return (
    <DownloadButton
      what="proof"
      name={nameProof(connectionId)}
      isAvailable={isErased}
      ask={async () => {
        const { data, problem } = await ask({ connectionId });
        return { content: data?.proofOfDeletion, problem };
      }}
    />
  );
}

/** Downloads the proofs of several connections, each as a file of its own: that is what can be verified. Nothing for a single one. */
export function ProofsOfDeletionButton({ connectionIds }: { connectionIds: readonly string[] }) {
  const ask = useQuestion(ProofOfDeletionDocument);
  const [busy, setBusy] = useState(false);
  if (connectionIds.length < 2) return null;
  async function getAll() {
    setBusy(true);
    for (const connectionId of connectionIds) {
      const { data, problem } = await ask({ connectionId });
      if (problem) notifications.show({ message: formatProblem(problem), color: 'red', autoClose: false });
      else saveProof(connectionId, data.proofOfDeletion);
    }
    setBusy(false);
  }
  return (
    <Button variant="default" size="xs" loading={busy} onClick={getAll}>
      Download all {connectionIds.length} proofs
    </Button>
  );
}

/** The same for all connections of a registration. */
export function CertificateOfDeletionButton({ registrationId }: { registrationId: string }) {
  const ask = useQuestion(CertificateOfDeletionDocument);
  return (
    <DownloadButton
      what="certificate"
      name={`certificate-of-deletion-${registrationId}`}
      ask={async () => {
        const { data, problem } = await ask({ registrationId });
        return { content: data?.certificateOfDeletion, problem };
      }}
    />
  );
}

/** Without what only the GraphQL client needs. */
const save = (name: string, { __typename: _, ...content }: { __typename?: string }) =>
  download(`${name}.json`, [JSON.stringify(content, null, 2)]);
const nameProof = (connectionId: string) => `proof-of-deletion-${connectionId}`;
const saveProof = (connectionId: string, content: object) => save(nameProof(connectionId), content);

interface DownloadButtonProps {
  readonly what: 'proof' | 'certificate';
  /** Of the file. */
  readonly name: string;
  readonly isAvailable?: boolean;
  readonly ask: () => Promise<{
    content: object | undefined;
    problem: Parameters<typeof formatProblem>[0] | undefined;
  }>;
}

function DownloadButton({ what, name, isAvailable = true, ask }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);
  async function get() {
    setBusy(true);
    const { content, problem } = await ask();
    setBusy(false);
    if (content) save(name, content);
    else if (problem)
      notifications.show({
        title: `No ${what} available`,
        message: formatProblem(problem),
        color: 'red',
        autoClose: false,
      });
  }
  // Disabled for the eye and the click, yet in reach of the keyboard, which shows the reason.
  const unavailable = { 'data-disabled': true, 'aria-disabled': true, onClick: () => undefined } as const;
  return (
    <Tooltip
      label="Available when the erase has ended"
      disabled={isAvailable}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Button variant="default" size="xs" loading={busy} onClick={get} {...(isAvailable ? {} : unavailable)}>
        Download {what} of deletion
      </Button>
    </Tooltip>
  );
}
