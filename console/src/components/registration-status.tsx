import { Badge, Group, Tooltip } from '@mantine/core';
import { listRegistrationStates } from '../texts/states.ts';
import { Age } from './time.tsx';

/** Whether a registration is in use, not tried yet, paused or rejected, and whether its platform refuses many accounts. */
export const RegistrationStatus = ({ of }: { of: Parameters<typeof listRegistrationStates>[0] }) => (
  <Group gap={4}>
    {listRegistrationStates(of).map(({ state: { label, color, meaning }, since }) => (
      <Tooltip key={label} label={meaning} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
        <Badge
          color={color}
          variant="light"
          tt="none"
          h="auto"
          styles={{ label: { whiteSpace: 'normal' } }} // On a phone, its line is too short for it.
        >
          {label}
          {since !== null && (
            <>
              {' '}
              for <Age since={since} />
            </>
          )}
        </Badge>
      </Tooltip>
    ))}
  </Group>
);
