import { Checkbox, Stack } from '@mantine/core';
import { MutationButton } from '../../components/action-button.tsx';
import { CAPABILITY_NAMES } from '../../components/capability-checkboxes.tsx';
import { Overtaken, useDraft } from '../../components/draft.tsx';
import { Section } from '../../components/page.tsx';
import { type RegistrationDetailsFragment, SetRegistrationPermissionsDocument } from '../../generated/operations.ts';
import { formatList } from '../../texts/format.ts';

/** Chooses the permissions that the client asks people for. */
export function Permissions({ registration }: { registration: RegistrationDetailsFragment }) {
  const { id, permissions, capabilities } = registration;
  const names = permissions.map(({ name }) => name);
  const draft = useDraft({ asked: permissions.filter(({ isAsked }) => isAsked).map(({ name }) => name) });
  const { asked } = draft.values;
  const isAll = asked.length === permissions.length;
  return (
    <Section
      title="Permissions"
      lead="Untick the permissions that the provider has not approved for this client: it may refuse the whole request for one of them."
    >
      <Stack gap="sm" align="flex-start">
        <Checkbox.Group
          label="The client asks people for"
          description={`With those saved, connections can have: ${capabilities.map((one) => CAPABILITY_NAMES[one]).join(', ')}`}
          value={asked}
          onChange={(chosen) =>
            draft.set(
              'asked',
              names.filter((name) => chosen.includes(name)),
            )
          }
        >
          <Stack gap={4} mt={4}>
            {permissions.map(({ name, isNeeded }) => (
              <Checkbox
                key={name}
                value={name}
                label={isNeeded ? `${name} (always needed)` : name}
                disabled={isNeeded}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Overtaken draft={draft} describe={{ asked: ['The list', formatList] }} />
        <MutationButton
          mutation={SetRegistrationPermissionsDocument}
          label="Save permissions"
          variables={{ id, permissions: isAll ? null : asked }}
          successMessage="Saved. New connects ask for these permissions."
        />
      </Stack>
    </Section>
  );
}
