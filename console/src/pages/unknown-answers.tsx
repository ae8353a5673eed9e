import { Group } from '@mantine/core';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { MutationButton } from '../components/action-button.tsx';
import { EmptyState, PaginatedTable } from '../components/data-table.tsx';
import { CopyTextButton } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { PlatformName } from '../components/platform.tsx';
import { TimeCell } from '../components/time.tsx';
import {
  DismissUnknownAnswerDocument,
  UnknownAnswersDocument,
  type UnknownAnswersQuery,
} from '../generated/operations.ts';
import { buildIssueText, describeMeaning } from '../texts/unknown-answers.ts';

type UnknownAnswer = UnknownAnswersQuery['unknownAnswers']['items'][number];

/** The answers of platforms that no adapter knows. */
export function UnknownAnswers() {
  const pages = usePaginatedQuery(UnknownAnswersDocument, { first: 25 }, ({ unknownAnswers }) => unknownAnswers);
  return (
    <Page
      title="Unknown answers"
      lead="A platform sent an answer that this version does not know. The table shows how the service treated it. Copy each answer into an issue of the project, then dismiss it. Names, numbers and ids are removed."
    >
      <PaginatedTable
        caption="Unknown answers"
        pages={pages}
        idOf={({ id }) => id}
        empty={<EmptyState icon="check">No platform has given an unknown answer in the last 30 days.</EmptyState>}
        columns={[
          { name: 'Platform', cell: ({ provider }) => <PlatformName of={provider} /> },
          // The platform has a column of its own.
          { name: 'Request', cell: ({ request }) => request.replace(/^PROVIDER_[A-Z]+ /, '') },
          {
            name: 'Answer',
            share: 30,
            cell: describeAnswer,
          },
          { name: 'Treated as', cell: (answer) => <span title={answer.madeOfIt}>{describeMeaning(answer)}</span> },
          { name: 'First seen', isExtra: true, cell: ({ firstSeenAt }) => <TimeCell at={firstSeenAt} /> },
          { name: 'Last seen', cell: ({ lastSeenAt }) => <TimeCell at={lastSeenAt} /> },
          { name: 'Times', isNumber: true, cell: ({ times }) => times.toLocaleString('en') },
          {
            name: '',
            cell: (answer) => (
              <Group gap={4} wrap="nowrap">
                <CopyTextButton text={buildIssueText(answer, CONSOLE_VERSION)} label="Copy issue text" />
                <MutationButton
                  mutation={DismissUnknownAnswerDocument}
                  label="Dismiss"
                  size="compact-sm"
                  variant="subtle"
                  variables={{ id: answer.id }}
                  successMessage="Dismissed. If it comes again, it counts as new."
                />
              </Group>
            ),
          },
        ]}
      />
    </Page>
  );
}

/** The status, the platform's code and the masked text. */
export const describeAnswer = ({ status, code, text }: UnknownAnswer) =>
  [status, code, text].filter((part) => part !== '').join(' ');
