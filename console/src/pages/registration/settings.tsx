import { useAdminMutation } from '../../admin-client/hooks.ts';
import { Section } from '../../components/page.tsx';
import { type SettingsField, SettingsForm } from '../../components/settings-form.tsx';
import * as operations from '../../generated/operations.ts';
import type { Operation } from '../../texts/roles.ts';

type Details = operations.RegistrationDetailsFragment;

/** The section of a mutation that sets some settings of a registration. */
function createSection<Name extends keyof Details & string>({
  title,
  lead,
  operation,
  document,
  fields,
}: {
  readonly title: string;
  readonly lead: string;
  readonly operation: Operation;
  readonly document: operations.TypedDocumentString<unknown, Pick<Details, Name> & { id: string }>;
  readonly fields: Readonly<Record<Name, SettingsField>>;
}) {
  function Settings({ registration }: { registration: Details }) {
    const set = useAdminMutation(document);
    return (
      <Section title={title} lead={lead}>
        <SettingsForm
          fields={fields}
          stored={registration}
          operation={operation}
          save={async (values) => (await set({ ...values, id: registration.id })).problem}
        />
      </Section>
    );
  }
  return { title, Settings };
}

/** Each one is a section of the page. */
export const SETTINGS = [
  createSection({
    title: 'Automatic refreshes',
    lead: 'The largest part of the daily quota and the rate limit that automatic refreshes may use.',
    operation: 'setRefreshShare',
    document: operations.SetRefreshShareDocument,
    fields: {
      refreshPercent: {
        label: 'Percent',
        named: 'The percentage',
        bounds: operations.BOUNDS['setRefreshShare.refreshPercent'],
      },
    },
  }),
];
