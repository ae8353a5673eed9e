import { ColorInput, FileInput, Group, Select } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useAdminMutation } from '../../admin-client/hooks.ts';
import { ActionButton, MutationButton } from '../../components/action-button.tsx';
import { Overtaken, useDraft } from '../../components/draft.tsx';
import { useFieldErrors } from '../../components/field-errors.ts';
import { InlineForm } from '../../components/inline-form.tsx';
import { Section } from '../../components/page.tsx';
import {
  type AppDetailsFragment,
  RemoveLogoDocument,
  SetBrandingDocument,
  SetLogoDocument,
} from '../../generated/operations.ts';
import { BrandingPreview } from './branding-preview.tsx';

const BROWSER = 'browser';
/** Each in its own language, as people look for theirs. */
const LANGUAGES = [
  { value: BROWSER, label: 'As the browser prefers' },
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
  { value: 'fr', label: 'Français' },
  { value: 'es', label: 'Español' },
  { value: 'pt-BR', label: 'Português (Brasil)' },
];
const MAX_LOGO_BYTES = 32 * 1024;
const FIELDS = { color: 'The color', language: 'The language', image: 'The logo' };
const COLOR = /^#[0-9a-f]{6}$/i;

/** The look and the language of the pages on which people see the app's name. */
export function Branding({ app: { id: appId, name, branding } }: { app: AppDetailsFragment }) {
  const [setBranding, setLogo] = [useAdminMutation(SetBrandingDocument), useAdminMutation(SetLogoDocument)];
  const draft = useDraft({ color: branding.color ?? '', language: branding.language ?? BROWSER });
  const { errorOf, clear, submit } = useFieldErrors(FIELDS);
  const { color, language } = draft.values;
  const [file, setFile] = useState<File | null>(null);
  const chosenUrl = useObjectUrl(file);
  const storedUrl = branding.logo && `/api/connect/logo/${branding.logo.sha256}`;

  const save = () =>
    submit(
      {
        color: color === '' || COLOR.test(color) ? null : 'Enter a color as #rrggbb, such as #3b5bdb.',
        image: file !== null && file.size > MAX_LOGO_BYTES ? 'The logo must be at most 32 KiB.' : null,
      },
      async () => {
        const settings = { color: color === '' ? null : color, language: language === BROWSER ? null : language };
        const { problem } = await setBranding({ appId, ...settings });
        if (problem || file === null) return problem;
        const { problem: refused } = await setLogo({ appId, image: await readBase64(file) });
        if (!refused) setFile(null);
        return refused;
      },
    );

  return (
    <Section
      title="Branding"
      lead="People see these pages only if a connect or a sign-in cannot continue. Text stays readable in any color. The logo is shown on white."
    >
      <InlineForm>
        <ColorInput
          label="Color"
          placeholder="The service's own"
          withEyeDropper={false}
          popoverProps={{ withinPortal: false }}
          error={errorOf('color')}
          value={color}
          onChange={(value) => {
            clear('color');
            draft.set('color', value);
          }}
        />
        <Select
          label="Language of the pages"
          data={LANGUAGES}
          allowDeselect={false}
          value={language}
          onChange={(value) => draft.set('language', value ?? BROWSER)}
        />
        <FileInput
          label="New logo"
          placeholder="PNG, at most 32 KiB"
          accept="image/png"
          clearable
          miw={280}
          error={errorOf('image')}
          value={file}
          onChange={(chosen) => {
            clear('image');
            setFile(chosen);
          }}
        />
        <ActionButton
          type="submit"
          operation="setBranding"
          label="Save"
          target="branding"
          run={save}
          successMessage="Saved."
        />
        {storedUrl !== null && (
          <MutationButton
            mutation={RemoveLogoDocument}
            label="Remove logo…"
            confirm={{
              title: 'Remove the logo',
              action: 'Remove',
              isDanger: true,
              text: 'Pages show the name of the app only.',
            }}
            variables={{ appId }}
            successMessage="Logo removed."
          />
        )}
      </InlineForm>
      <Overtaken
        draft={draft}
        describe={{
          color: ['The color', (stored) => stored || 'the service’s own'],
          language: ['The language', (stored) => LANGUAGES.find(({ value }) => value === stored)?.label ?? stored],
        }}
      />
      <Group align="stretch">
        {(['light', 'dark'] as const).map((scheme) => (
          <BrandingPreview
            key={scheme}
            scheme={scheme}
            name={name}
            color={COLOR.test(color) ? color.toLowerCase() : null}
            logoUrl={chosenUrl ?? storedUrl}
          />
        ))}
      </Group>
    </Section>
  );
}

/** A URL of a file that the operator has chosen, within this page. */
function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (file === null) return setUrl(null);
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url;
}

async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
