import { useAdminMutation, useQuestion } from '../admin-client/hooks.ts';
import {
  AppNameDocument,
  ExportSubjectDocument,
  type ExportSubjectMutationVariables,
} from '../generated/operations.ts';
import { nameReport, renderReport } from '../texts/person-report.ts';
import type { Problem } from '../texts/problem.ts';
import { ActionButton } from './action-button.tsx';
import { download } from './download.ts';

type Subject = ExportSubjectMutationVariables['input'];

/** Reads all that the service holds of a person, page by page. */
function useExport(subject: Subject) {
  const exportSubject = useAdminMutation(ExportSubjectDocument);
  return async (): Promise<{ lines: readonly string[] } | { lines?: undefined; problem: Problem }> => {
    const lines: string[] = [];
    let after: string | null = null;
    do {
      const { data, problem }: Awaited<ReturnType<typeof exportSubject>> = await exportSubject({
        input: subject,
        after,
      });
      if (problem !== undefined) return { problem };
      lines.push(...data.exportSubject.rows);
      after = data.exportSubject.endCursor;
    } while (after !== null);
    return { lines };
  };
}

/** Downloads a person's stored data: as a page to hand over, and as one JSON object a line for a program. */
export function ExportSubjectButton({ subject }: { subject: Subject }) {
  const read = useExport(subject);
  const ask = useQuestion(AppNameDocument);
  return (
    <>
      <ActionButton
        operation="exportSubject"
        label="Export as a page (HTML)"
        successMessage="Exported, to hand over to the person. The file contains personal data: store it accordingly."
        run={async () => {
          const app = await ask({ id: subject.appId });
          if (app.problem) return app.problem;
          const found = await read();
          if (found.lines === undefined) return found.problem;
          const at = new Date();
          const page = renderReport(found.lines, { ...subject, appName: app.data.app.name }, at);
          download(nameReport(subject.externalSubjectId, at, 'html'), [page], 'text/html');
          return undefined;
        }}
      />
      <ActionButton
        operation="exportSubject"
        label="Export stored data (NDJSON)"
        successMessage="Exported. The file contains personal data: store it accordingly."
        run={async () => {
          const found = await read();
          if (found.lines === undefined) return found.problem;
          const lines = found.lines.map((line) => `${line}\n`);
          download(nameReport(subject.externalSubjectId, new Date(), 'ndjson'), lines, 'application/x-ndjson');
          return undefined;
        }}
      />
    </>
  );
}
