import {
  AppShell,
  Burger,
  Button,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { FindById } from './parts/find-by-id.tsx';
import { Until } from './parts/time.tsx';
import { useSession } from './session.tsx';

const PLACES = [
  {
    title: 'Operate',
    places: [
      ['/', 'Overview'],
      ['/jobs?stuck=true', 'Work'],
      ['/connections', 'Connections'],
      ['/attempts', 'Attempts'],
      ['/people', 'People'],
      ['/disconnects', 'Disconnects of many'],
    ],
  },
  {
    title: 'Set up',
    places: [
      ['/apps', 'Apps'],
      ['/registrations', 'Registrations'],
      ['/issuers', 'Sign-in issuers'],
    ],
  },
  {
    title: 'Look after',
    places: [
      ['/audit', 'Audit log'],
      ['/tokens', 'Admin tokens'],
    ],
  },
] as const;

/** What stands around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place is what closes the menu of a phone.
  useEffect(close, [location]);
  return (
    <AppShell
      transitionDuration={0}
      header={{ height: 56 }}
      navbar={{ width: 210, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a href="#content" className="skip">
        Skip to the content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Menu"
              aria-expanded={opened}
            />
            <Text fw={700}>Console</Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <FindById />
            <WhoMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Places" {...(opened && { 'data-opened': true })}>
        <ScrollArea>
          {PLACES.map(({ title, places }) => (
            <div key={title}>
              <Text size="xs" c="dimmed" fw={600} px="sm" pt="sm" pb={4}>
                {title}
              </Text>
              {places.map(([path, name]) => (
                <Place key={path} path={path} name={name} location={location} onGo={close} />
              ))}
            </div>
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content">{children}</AppShell.Main>
    </AppShell>
  );
}

interface PlaceProps {
  /** May bring a filter. */
  readonly path: string;
  readonly name: string;
  /** Where one is. */
  readonly location: string;
  /** Also called when one is there already. */
  readonly onGo: () => void;
}

function Place({ path, name, location, onGo }: PlaceProps) {
  const isHere = path === '/' ? location === '/' : location.startsWith(path.replace(/\?.*/, ''));
  return (
    <NavLink
      component={Link}
      href={path}
      label={name}
      active={isHere}
      onClick={onGo}
      py={6}
      {...(isHere && { 'aria-current': 'page' })}
    />
  );
}

const SCHEMES = [
  ['auto', 'As the system has it'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

function WhoMenu() {
  const { me, signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" size="xs" maw={150}>
          <Text size="xs" truncate inherit>
            {me.role.toLowerCase()}
          </Text>
          <VisuallyHidden> menu</VisuallyHidden>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {me.label}, until its token ends in <Until at={me.expiresAt} />
        </Menu.Label>
        <Menu.Label>Times are those of {ZONE}; in UTC under the pointer</Menu.Label>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {SCHEMES.map(([scheme, name]) => (
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
