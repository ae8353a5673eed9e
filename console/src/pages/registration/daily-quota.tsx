import { NumberInput } from '@mantine/core';
import { useAdminMutation } from '../../admin-client/hooks.ts';
import { ActionButton } from '../../components/action-button.tsx';
import type { Confirmation } from '../../components/confirm-dialog.tsx';
import { Overtaken, useDraft } from '../../components/draft.tsx';
import { useFieldErrors } from '../../components/field-errors.ts';
import { InlineForm } from '../../components/inline-form.tsx';
import { Section } from '../../components/page.tsx';
import { BOUNDS, type RegistrationDetailsFragment, SetDailyQuotaDocument } from '../../generated/operations.ts';
import { findRangeFault } from '../../texts/field-problems.ts';

const FIELDS = { units: 'The quota' };

/** Sets the daily quota after the provider has changed it. */
export function DailyQuota({ registration: { id, usage } }: { registration: RegistrationDetailsFragment }) {
  const save = useAdminMutation(SetDailyQuotaDocument);
  const draft = useDraft({ units: usage.unitsAllowed });
  const { errorOf, clear, submit } = useFieldErrors(FIELDS);
  const { units } = draft.values;
  const isBelowUse = units !== null && units > 0 && units < usage.unitsUsed;
  return (
    <Section
      title="Daily quota"
      lead="Change the quota when the provider has granted a different one. The shares of the apps are calculated from it."
    >
      <InlineForm>
        <NumberInput
          label="Units per day"
          placeholder="provider default"
          {...BOUNDS['setDailyQuota.units']}
          clampBehavior="none" // The field reports a value out of range and does not change it.
          allowDecimal={false}
          thousandSeparator=","
          error={errorOf('units')}
          value={units ?? ''}
          onChange={(value) => {
            clear('units');
            draft.set('units', typeof value === 'number' ? value : null);
          }}
        />
        <ActionButton
          type="submit"
          operation="setDailyQuota"
          label="Save"
          {...(isBelowUse && { confirm: confirmQuotaBelow(usage.unitsUsed) })}
          run={() =>
            submit(
              { units: units === null ? null : findRangeFault(units, BOUNDS['setDailyQuota.units']) },
              async () => (await save({ id, units })).problem,
            )
          }
          successMessage="Saved. The quota applies from the next call."
        />
      </InlineForm>
      <Overtaken
        draft={draft}
        describe={{ units: ['The quota', (stored) => (stored ?? 'the default').toLocaleString('en')] }}
      />
    </Section>
  );
}

const confirmQuotaBelow = (unitsUsed: number): Confirmation => ({
  title: 'Set a quota below its use',
  action: 'Set quota',
  isDanger: true,
  text: `${unitsUsed.toLocaleString('en')} units are used on this quota day. Reads stop until the quota resets.`,
});
