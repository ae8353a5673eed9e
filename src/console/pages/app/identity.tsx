import { Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct, useAsk } from '../../ask/hooks.ts';
import { IssuersDocument, SetIdentityDocument, type WholeAppFragment } from '../../generated/operations.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { EntryForm } from '../../parts/entry-form.tsx';
import { To } from '../../parts/links.tsx';
import { Section } from '../../parts/page.tsx';

const NOT_USED = (
  <>
    It does not sign people in. It may, with one of the{' '}
    <To inText href="/issuers">
      sign-in issuers
    </To>
    .
  </>
);

/** Whether and how an app signs people in. */
export function Identity({ app: { id: appId, identity } }: { app: WholeAppFragment }) {
  const { data } = useAsk(IssuersDocument, {});
  const set = useAct(SetIdentityDocument);
  const [issuerId, setIssuerId] = useState(identity?.issuer.id ?? null);
  const [returnUrl, setReturnUrl] = useState(identity?.returnUrl ?? '');
  const [enabled, setEnabled] = useState(identity?.enabled ?? true);
  return (
    <Section
      title="Sign-in"
      lead={
        identity === null
          ? NOT_USED
          : `It signs people in with ${identity.issuer.issuer}${identity.enabled ? '' : ', which is switched off'}.`
      }
    >
      <EntryForm>
        <Select
          label="Issuer"
          placeholder="Choose an issuer"
          data={data?.identityIssuers.map(({ id, issuer }) => ({ value: id, label: issuer })) ?? []}
          value={issuerId}
          onChange={setIssuerId}
          miw={280}
        />
        <TextInput
          label="Return URL of sign-ins"
          placeholder="https://app.example/signed-in"
          miw={280}
          value={returnUrl}
          onChange={({ currentTarget }) => setReturnUrl(currentTarget.value)}
        />
        <Switch
          label="In use"
          pb={8}
          checked={enabled}
          onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
        />
        <ActButton
          type="submit"
          operation="setIdentity"
          label="Save"
          about="how it signs people in"
          act={async () => {
            if (issuerId === null) return { code: 'BAD_USER_INPUT', message: 'Choose an issuer first.' };
            return (await set({ appId, issuerId, returnUrl: returnUrl.trim(), enabled })).problem;
          }}
          done="Saved."
        />
      </EntryForm>
    </Section>
  );
}
