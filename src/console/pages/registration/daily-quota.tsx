import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../ask/hooks.ts';
import { SetDailyQuotaDocument, type WholeRegistrationFragment } from '../../generated/operations.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { EntryForm } from '../../parts/entry-form.tsx';
import { Section } from '../../parts/page.tsx';

/** How much the provider allows a day, for one that has raised it. */
export function DailyQuota({ registration: { id, usage } }: { registration: WholeRegistrationFragment }) {
  const set = useAct(SetDailyQuotaDocument);
  const [calls, setCalls] = useState<number | null>(usage.callsAllowed);
  return (
    <Section
      title="Daily quota"
      lead="Change it when the provider has granted another one. The shares of the apps are counted from it."
    >
      <EntryForm>
        <NumberInput
          label="Units a day"
          placeholder="as documented"
          min={1}
          max={1_000_000_000}
          clampBehavior="none" // What is out of range is refused, not stored as the nearest number.
          allowDecimal={false}
          thousandSeparator=","
          value={calls ?? ''}
          onChange={(value) => setCalls(typeof value === 'number' ? value : null)}
        />
        <ActButton
          type="submit"
          operation="setDailyQuota"
          label="Save"
          act={async () => (await set({ id, calls })).problem}
          done="Saved. It holds from the next call on."
        />
      </EntryForm>
    </Section>
  );
}
