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
import { FindById } from './components/find-by-id.tsx';
import { TimeUntil } from './components/time.tsx';
import { INSTALLATION, InstallationBadge } from './installation.tsx';
import { useSession } from './session.tsx';
import { ZONE_NOTE } from './texts/time.ts';

const NAVIGATION = [
  {
    title: 'Operate',
    pages: [
      ['/', 'Overview'],
      ['/trends', 'Trends'],
      ['/jobs?stuck=true', 'Jobs'],
      ['/connections', 'Connections'],
      ['/attempts', 'Attempts'],
      ['/people', 'People'],
      ['/erasures', 'Erasure receipts'],
      ['/disconnects', 'Bulk disconnects'],
      ['/webhooks', 'Webhooks'],
      ['/unknown-answers', 'Unknown answers'],
    ],
  },
  {
    title: 'Set up',
    pages: [
      ['/apps', 'Apps'],
      ['/registrations', 'Registrations'],
      ['/issuers', 'Sign-in issuers'],
    ],
  },
  {
    title: 'Administer',
    pages: [
      ['/audit', 'Audit log'],
      ['/tokens', 'Admin tokens'],
    ],
  },
] as const;

/** The header and navigation around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation closes the menu on a phone.
  useEffect(close, [location]);
  return (
    <AppShell
      transitionDuration={0}
      header={{ height: 56 }}
      navbar={{ width: 210, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a href="#content" className="skip">
        Skip to content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" flex="none">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Menu"
              aria-expanded={opened}
            />
            <Text fw={700} {...(INSTALLATION !== '' && { visibleFrom: 'xs' })}>
              Console
            </Text>
            <InstallationBadge />
          </Group>
          <Group gap="xs" wrap="nowrap" justify="flex-end" flex={1}>
            <FindById />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Main" {...(opened && { 'data-opened': true })}>
        <ScrollArea>
          {NAVIGATION.map(({ title, pages }) => (
            <div key={title}>
              <Text size="xs" c="dimmed" fw={600} px="sm" pt="sm" pb={4}>
                {title}
              </Text>
              {pages.map(([path, name]) => (
                <NavigationItem key={path} path={path} name={name} location={location} onNavigate={close} />
              ))}
            </div>
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content">{children}</AppShell.Main>
    </AppShell>
  );
}

interface NavigationItemProps {
  /** May include a filter. */
  readonly path: string;
  readonly name: string;
  /** The current path. */
  readonly location: string;
  /** Also called if this is already the current page. */
  readonly onNavigate: () => void;
}

function NavigationItem({ path, name, location, onNavigate }: NavigationItemProps) {
  const isCurrent = path === '/' ? location === '/' : location.startsWith(path.replace(/\?.*/, ''));
  return (
    <NavLink
      component={Link}
      href={path}
      label={name}
      active={isCurrent}
      onClick={onNavigate}
      py={6}
      {...(isCurrent && { 'aria-current': 'page' })}
    />
  );
}

const COLOR_SCHEMES = [
  ['auto', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

function UserMenu() {
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
          {me.label}, token expires in <TimeUntil at={me.expiresAt} />
        </Menu.Label>
        <Menu.Label>{ZONE_NOTE}</Menu.Label>
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
