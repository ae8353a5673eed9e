import {
  AppShell,
  Avatar,
  Burger,
  Group,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { FindById } from './components/find-by-id.tsx';
import { Icon } from './components/icons.tsx';
import { TimeUntil } from './components/time.tsx';
import icon from './icon.svg';
import { InstallationBadge } from './installation.tsx';
import { Navigation, useNavigationWidth } from './navigation.tsx';
import { useSession } from './session.tsx';
import { toInitials } from './texts/format.ts';
import { BROWSER_ZONE } from './texts/time.ts';
import { chooseZone, useZone } from './time-zone.ts';

/** The header and navigation around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  const width = useNavigationWidth();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation closes the menu on a phone.
  useEffect(close, [location]);
  return (
    <AppShell
      transitionDuration={0}
      header={{ height: 56 }}
      navbar={{ width: width.width, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a href="#content" className="skip">
        Skip to content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap" gap="md">
          <Group gap="xs" wrap="nowrap" flex="none">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Menu"
              aria-expanded={opened}
            />
            <Link href="/" className="product">
              <img src={icon} alt="" width={24} height={24} />
              <Text span fw={650} visibleFrom="md">
                Account connections
              </Text>
              <VisuallyHidden>Console</VisuallyHidden>
            </Link>
            <InstallationBadge />
            <Text span size="xs" c="dimmed" visibleFrom="md" title="The version of this service">
              {CONSOLE_VERSION}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap" justify="flex-end" flex={1} miw={0}>
            <FindById />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p={8} aria-label="Main" {...(opened && { 'data-opened': true })}>
        <Navigation location={location} onNavigate={close} width={width} />
      </AppShell.Navbar>
      <AppShell.Main id="content">{children}</AppShell.Main>
    </AppShell>
  );
}

const COLOR_SCHEMES = [
  ['auto', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

const ZONES = [
  ['BROWSER', BROWSER_ZONE],
  ['UTC', 'UTC'],
] as const;

function UserMenu() {
  const zone = useZone();
  const { me, signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton className="user">
          <Avatar size={28} radius="xl" color="indigo" aria-hidden>
            {toInitials(me.label)}
          </Avatar>
          <Icon name="chevronDown" size={14} />
          <VisuallyHidden>{me.role.toLowerCase()} menu</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {me.label}, {me.role.toLowerCase()}
          <br />
          Token expires in <TimeUntil at={me.expiresAt} />
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Times</Menu.Label>
        {(BROWSER_ZONE === 'UTC' ? ZONES.slice(1) : ZONES).map(([one, name]) => (
          <Menu.Item key={one} onClick={() => chooseZone(one)}>
            {name}
            {(one === zone || BROWSER_ZONE === 'UTC') && ' ✓'}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>Color scheme</Menu.Label>
        {COLOR_SCHEMES.map(([scheme, name]) => (
          <Menu.Item key={scheme} onClick={() => setColorScheme(scheme)}>
            {name}
            {scheme === colorScheme && ' ✓'}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
