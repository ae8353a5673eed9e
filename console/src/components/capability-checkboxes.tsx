import { Checkbox, Group } from '@mantine/core';
import { CAPABILITIES } from '../../../src/basics/codes.ts';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import type { Capability, SocialProvider } from '../generated/operations.ts';

export const CAPABILITY_NAMES: Readonly<Record<Capability, string>> = {
  PROFILE: 'profile',
  CONTENT_LIST: 'list of posts',
  CONTENT_LOOKUP: 'post by URL',
  CONTENT_METRICS: 'post metrics',
};

interface CapabilityCheckboxesProps {
  readonly provider: SocialProvider;
  readonly selected: readonly Capability[];
  readonly onChange: (selected: readonly Capability[]) => void;
}

export const CapabilityCheckboxes = ({ provider, selected, onChange }: CapabilityCheckboxesProps) => (
  <Group role="group" aria-label={`Capabilities at ${formatProvider(provider)}`}>
    {CAPABILITIES.map((capability) => (
      <Checkbox
        key={capability}
        label={CAPABILITY_NAMES[capability]}
        checked={selected.includes(capability)}
        onChange={({ currentTarget }) =>
          onChange(CAPABILITIES.filter((one) => (one === capability ? currentTarget.checked : selected.includes(one))))
        }
      />
    ))}
  </Group>
);
