import { Badge, Group, Text, Tooltip } from '@mantine/core';
import { formatList } from '../texts/format.ts';
import { listRegistrationStates } from '../texts/states.ts';
import { Dot } from './status-badge.tsx';
import { Age } from './time.tsx';

/** The same in one line of a table, the worst first. */
export const RegistrationStatusLine = ({ of }: { of: Parameters<typeof listRegistrationStates>[0] }) => {
  const [first, ...others] = listRegistrationStates(of);
  return (
    first !== undefined && (
      <Tooltip
        label={[first, ...others].map(({ state }) => state.meaning).join(' ')}
        multiline
        maw={320}
        events={{ hover: true, focus: true, touch: true }}
      >
        <span className="line" style={{ columnGap: 8 }}>
          <Dot color={first.state.color} />
          <Text span inherit truncate>
            {first.state.label}
            {first.since !== null && (
              <>
                {' '}
                for <Age since={first.since} />
              </>
            )}
            {others.length > 0 && `, ${formatList(others.map(({ state }) => state.label))}`}
          </Text>
        </span>
      </Tooltip>
    )
  );
};

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
