import { useAdminMutation } from '../admin-client/hooks.ts';
import { ExportSubjectDocument, type ExportSubjectMutationVariables } from '../generated/operations.ts';
import { ActionButton } from './action-button.tsx';
import { download } from './download.ts';

/** Downloads all that the service holds of a person, page by page, as one JSON object a line. */
export function ExportSubjectButton({ subject }: { subject: ExportSubjectMutationVariables['input'] }) {
  const exportSubject = useAdminMutation(ExportSubjectDocument);
  return (
    <ActionButton
      operation="exportSubject"
      label="Export stored data"
      successMessage="Exported. The file contains personal data: store it accordingly."
      run={async () => {
        const lines: string[] = [];
        let after: string | null = null;
        do {
          const { data, problem }: Awaited<ReturnType<typeof exportSubject>> = await exportSubject({
            input: subject,
            after,
          });
          if (problem !== undefined) return problem;
          for (const row of data.exportSubject.rows) lines.push(`${row}\n`);
          after = data.exportSubject.endCursor;
        } while (after !== null);
        download('stored-data.ndjson', lines, 'application/x-ndjson');
        return undefined;
      }}
    />
  );
}
