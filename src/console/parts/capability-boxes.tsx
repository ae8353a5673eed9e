import { Checkbox, Group } from '@mantine/core';
import type { Capability, SocialProvider } from '../generated/operations.ts';

export const CAPABILITIES: readonly Capability[] = ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'];

const NAMES: Readonly<Record<Capability, string>> = {
  PROFILE: 'profile',
  CONTENT_LIST: 'lists of posts',
  CONTENT_LOOKUP: 'a post by its URL',
  CONTENT_METRICS: 'metrics of posts',
};

interface CapabilityBoxesProps {
  readonly provider: SocialProvider;
  readonly chosen: readonly Capability[];
  readonly onChoose: (chosen: readonly Capability[]) => void;
}

export const CapabilityBoxes = ({ provider, chosen, onChoose }: CapabilityBoxesProps) => (
  <Group role="group" aria-label={`Capabilities at ${provider}`}>
    {CAPABILITIES.map((capability) => (
      <Checkbox
        key={capability}
        label={NAMES[capability]}
        checked={chosen.includes(capability)}
        onChange={({ currentTarget }) =>
          onChoose(CAPABILITIES.filter((one) => (one === capability ? currentTarget.checked : chosen.includes(one))))
        }
      />
    ))}
  </Group>
);
