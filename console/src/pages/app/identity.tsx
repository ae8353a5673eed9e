import { Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAdminMutation, useAdminQuery } from '../../admin-client/hooks.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { InlineForm } from '../../components/inline-form.tsx';
import { InternalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { type AppDetailsFragment, IssuersDocument, SetIdentityDocument } from '../../generated/operations.ts';

const NOT_CONFIGURED = (
  <>
    This app does not sign people in. To enable sign-in, choose one of the{' '}
    <InternalLink isInline href="/issuers">
      sign-in issuers
    </InternalLink>
    .
  </>
);

/** The sign-in settings of an app. */
export function Identity({ app: { id: appId, identity } }: { app: AppDetailsFragment }) {
  const { data } = useAdminQuery(IssuersDocument, {});
  const set = useAdminMutation(SetIdentityDocument);
  const [issuerId, setIssuerId] = useState(identity?.issuer.id ?? null);
  const [returnUrl, setReturnUrl] = useState(identity?.returnUrl ?? '');
  const [enabled, setEnabled] = useState(identity?.enabled ?? true);
  return (
    <Section
      title="Sign-in"
      lead={
        identity === null
          ? NOT_CONFIGURED
          : `This app signs people in with ${identity.issuer.issuer}.${identity.enabled ? '' : ' Sign-in is disabled.'}`
      }
    >
      <InlineForm>
        <Select
          label="Issuer"
          placeholder="Choose an issuer"
          data={data?.identityIssuers.map(({ id, issuer }) => ({ value: id, label: issuer })) ?? []}
          value={issuerId}
          onChange={setIssuerId}
          miw={280}
        />
        <TextInput
          label="Sign-in return URL"
          placeholder="https://app.example/signed-in"
          miw={280}
          value={returnUrl}
          onChange={({ currentTarget }) => setReturnUrl(currentTarget.value)}
        />
        <Switch
          label="Enabled"
          pb={8}
          checked={enabled}
          onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
        />
        <ActionButton
          type="submit"
          operation="setIdentity"
          label="Save"
          target="sign-in settings"
          run={async () => {
            if (issuerId === null) return { code: 'BAD_USER_INPUT', message: 'Choose an issuer.' };
            return (await set({ appId, issuerId, returnUrl: returnUrl.trim(), enabled })).problem;
          }}
          successMessage="Saved."
        />
      </InlineForm>
    </Section>
  );
}
