import { formatProvider } from '../../../src/basics/format-provider.ts';
import { usePaginatedQuery } from '../admin-client/hooks.ts';
import { MutationButton } from '../components/action-button.tsx';
import { PaginatedTable } from '../components/data-table.tsx';
import { CopyableText } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import {
  DismissUnknownAnswerDocument,
  UnknownAnswersDocument,
  type UnknownAnswersQuery,
} from '../generated/operations.ts';

type UnknownAnswer = UnknownAnswersQuery['unknownAnswers']['items'][number];

/** The answers of platforms that no adapter knows. */
export function UnknownAnswers() {
  const pages = usePaginatedQuery(UnknownAnswersDocument, { first: 25 }, ({ unknownAnswers }) => unknownAnswers);
  return (
    <Page
      title="Unknown answers"
      lead="What providers have answered that this version does not know. Report each in an issue of the project, then dismiss it. Names, numbers and ids are removed."
    >
      <PaginatedTable
        caption="Unknown answers"
        pages={pages}
        idOf={({ id }) => id}
        empty="No provider has given an unknown answer in the last 30 days."
        columns={[
          { name: 'Provider', cell: ({ provider }) => formatProvider(provider) },
          { name: 'Request', cell: ({ request }) => request },
          { name: 'Answer', cell: (answer) => <CopyableText text={describeAnswer(answer)} name="the answer" /> },
          { name: 'Taken as', cell: ({ madeOfIt }) => madeOfIt },
          { name: 'First seen', cell: ({ firstSeenAt }) => <Time at={firstSeenAt} /> },
          { name: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
          { name: 'Times', cell: ({ times }) => times.toLocaleString('en') },
          {
            name: '',
            cell: ({ id }) => (
              <MutationButton
                mutation={DismissUnknownAnswerDocument}
                label="Dismiss"
                variant="subtle"
                variables={{ id }}
                successMessage="Dismissed. If it comes again, it counts as new."
              />
            ),
          },
        ]}
      />
    </Page>
  );
}

/** The status, the platform's code and what is left of its text. */
export const describeAnswer = ({ status, code, text }: UnknownAnswer) =>
  [status, code, text].filter((part) => part !== '').join(' ');
