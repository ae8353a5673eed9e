import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { MutationButton } from '../../components/action-button.tsx';
import type { Confirmation } from '../../components/confirm-dialog.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { Section } from '../../components/page.tsx';
import { type RegistrationDetailsFragment, SetDailyQuotaDocument } from '../../generated/operations.ts';

/** Sets the daily quota after the provider has changed it. */
export function DailyQuota({ registration: { id, usage } }: { registration: RegistrationDetailsFragment }) {
  const [units, setUnits] = useState<number | null>(usage.unitsAllowed);
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
          min={1}
          max={1_000_000_000}
          clampBehavior="none" // The api refuses a value out of range; the field does not change it.
          allowDecimal={false}
          thousandSeparator=","
          value={units ?? ''}
          onChange={(value) => setUnits(typeof value === 'number' ? value : null)}
        />
        <MutationButton
          type="submit"
          mutation={SetDailyQuotaDocument}
          label="Save"
          {...(isBelowUse && { confirm: confirmQuotaBelow(usage.unitsUsed) })}
          variables={{ id, units }}
          successMessage="Saved. The quota applies from the next call."
        />
      </InlineForm>
    </Section>
  );
}

const confirmQuotaBelow = (unitsUsed: number): Confirmation => ({
  title: "Set a quota below today's use",
  action: 'Set quota',
  isDanger: true,
  text: `${unitsUsed.toLocaleString('en')} units are used today. Reads stop until the quota resets.`,
});
