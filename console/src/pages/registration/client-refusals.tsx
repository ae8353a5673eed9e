import { PLATFORM_NAMES } from '../../../../src/basics/codes.ts';
import { useAdminQuery } from '../../admin-client/hooks.ts';
import { DataTable } from '../../components/data-table.tsx';
import { CopyableText } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { type RegistrationDetailsFragment, UnknownAnswersDocument } from '../../generated/operations.ts';
import { describeAnswer } from '../unknown-answers.tsx';

/** How the platform has refused our clients. Nothing is shown if it has not. */
export function ClientRefusals({ provider }: Pick<RegistrationDetailsFragment, 'provider'>) {
  const { data } = useAdminQuery(UnknownAnswersDocument, { provider, first: 100 });
  const refusals = data?.unknownAnswers.items.filter(({ madeOfIt }) => madeOfIt === 'ClientRejected') ?? [];
  if (refusals.length === 0) return null;
  return (
    <Section
      title="Refusals of our client"
      lead={`The answers of ${PLATFORM_NAMES[provider]} when it refused a client of ours, of this registration or another. Compare the code with the provider’s checklist. A person’s browser can make up an authorization response.`}
    >
      <DataTable
        caption="Refusals of our client"
        items={refusals}
        idOf={({ id }) => id}
        empty=""
        columns={[
          { name: 'Request', cell: ({ request }) => request },
          { name: 'Answer', cell: (answer) => <CopyableText text={describeAnswer(answer)} name="the answer" /> },
          { name: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
          { name: 'Times', cell: ({ times }) => times.toLocaleString('en') },
        ]}
      />
    </Section>
  );
}
