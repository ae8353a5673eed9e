import { NumberInput } from '@mantine/core';
import { useAdminMutation } from '../../admin-client/hooks.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Overtaken, useDraft } from '../../components/draft.tsx';
import { useFieldErrors } from '../../components/field-errors.ts';
import { InlineForm } from '../../components/inline-form.tsx';
import { Section } from '../../components/page.tsx';
import { type RegistrationDetailsFragment, SetDisconnectAfterDocument } from '../../generated/operations.ts';
import { findRangeFault } from '../../texts/field-problems.ts';

const FIELDS = { days: 'The days' };

/** Sets after how many days a connection is disconnected whose grant was not proven alive. */
export function DisconnectAfter({ registration }: { registration: RegistrationDetailsFragment }) {
  const { id, provider, disconnectAfterDays } = registration;
  const save = useAdminMutation(SetDisconnectAfterDocument);
  const draft = useDraft<{ days: number | null }>({ days: disconnectAfterDays });
  const { errorOf, clear, submit } = useFieldErrors(FIELDS);
  const { days } = draft.values;
  const [least, most] = provider === 'PROVIDER_A' ? ([1, 29] as const) : ([0, 3_650] as const);
  return (
    <Section
      title="Ended grants"
      lead={`The service disconnects and erases a connection whose grant was not proven alive for so many days.${most === 29 ? ' YouTube’s terms allow at most 29.' : ''}`}
    >
      <InlineForm>
        <NumberInput
          label={least === 0 ? 'Days, or 0 for never' : 'Days'}
          placeholder="default"
          min={least}
          max={most}
          clampBehavior="none" // The field reports a value out of range and does not change it.
          allowDecimal={false}
          error={errorOf('days')}
          value={days ?? ''}
          onChange={(value) => {
            clear('days');
            draft.set('days', typeof value === 'number' ? value : null);
          }}
        />
        <ActionButton
          type="submit"
          operation="setDisconnectAfter"
          label="Save"
          confirm={{
            title: 'Change when connections are erased',
            action: 'Change',
            isDanger: true,
            text: 'With fewer days, connections that have waited longer for a reconnect are disconnected and erased within minutes.',
          }}
          run={() =>
            submit(
              { days: days === null ? null : findRangeFault(days, { min: least, max: most }) },
              async () => (await save({ id, days })).problem,
            )
          }
          successMessage="Saved."
        />
      </InlineForm>
      <Overtaken draft={draft} describe={{ days: ['The days', (stored) => String(stored ?? 'the default')] }} />
    </Section>
  );
}
