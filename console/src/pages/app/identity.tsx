import { Select, Switch, TextInput } from '@mantine/core';
import { useAdminMutation, useAdminQuery } from '../../admin-client/hooks.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Overtaken, useDraft } from '../../components/draft.tsx';
import { useFieldErrors } from '../../components/field-errors.ts';
import { InlineForm } from '../../components/inline-form.tsx';
import { InternalLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { type AppDetailsFragment, IssuersDocument, SetIdentityDocument } from '../../generated/operations.ts';
import { findUrlFault, toBrowserUrl } from '../../texts/field-problems.ts';

const NOT_CONFIGURED = (
  <>
    This app does not sign people in. To enable sign-in, choose one of the{' '}
    <InternalLink isInline href="/issuers">
      sign-in issuers
    </InternalLink>
    .
  </>
);

const FIELDS = { issuerId: 'The issuer', returnUrl: 'The sign-in return URL' };

/** The sign-in settings of an app. */
export function Identity({ app: { id: appId, identity } }: { app: AppDetailsFragment }) {
  const { data } = useAdminQuery(IssuersDocument, {});
  const set = useAdminMutation(SetIdentityDocument);
  const draft = useDraft({
    issuerId: identity?.issuer.id ?? null,
    returnUrl: identity?.returnUrl ?? '',
    enabled: identity?.enabled ?? true,
  });
  const { errorOf, clear, submit } = useFieldErrors(FIELDS);
  const { issuerId, returnUrl, enabled } = draft.values;
  const issuers = data?.identityIssuers ?? [];
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
          data={issuers.map(({ id, issuer }) => ({ value: id, label: issuer }))}
          error={errorOf('issuerId')}
          value={issuerId}
          onChange={(chosen) => {
            clear('issuerId');
            draft.set('issuerId', chosen);
          }}
          miw={280}
        />
        <TextInput
          label="Sign-in return URL"
          placeholder="https://app.example/signed-in"
          miw={280}
          error={errorOf('returnUrl')}
          value={returnUrl}
          onChange={({ currentTarget }) => {
            clear('returnUrl');
            draft.set('returnUrl', currentTarget.value);
          }}
        />
        <Switch
          label="Enabled"
          pb={8}
          checked={enabled}
          onChange={({ currentTarget }) => draft.set('enabled', currentTarget.checked)}
        />
        <ActionButton
          type="submit"
          operation="setIdentity"
          label="Save"
          target="sign-in settings"
          run={() =>
            submit(
              { issuerId: issuerId === null ? 'Choose an issuer.' : null, returnUrl: findUrlFault(returnUrl) },
              async () =>
                (await set({ appId, issuerId: issuerId ?? '', returnUrl: toBrowserUrl(returnUrl), enabled })).problem,
            )
          }
          successMessage="Saved."
        />
      </InlineForm>
      <Overtaken
        draft={draft}
        describe={{
          issuerId: ['The issuer', (stored) => issuers.find(({ id }) => id === stored)?.issuer ?? 'another one'],
          returnUrl: ['The sign-in return URL', (stored) => stored || 'empty'],
          enabled: ['Sign-in', (stored) => (stored ? 'enabled' : 'disabled')],
        }}
      />
    </Section>
  );
}
