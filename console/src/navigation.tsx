import {
  ActionIcon,
  AppShell,
  Badge,
  Box,
  NavLink,
  ScrollArea,
  Tooltip,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { Link } from 'wouter';
import { useAdminQuery } from './admin-client/hooks.ts';
import { Icon, type IconName } from './components/icons.tsx';
import { NavigationCountsDocument } from './generated/operations.ts';

/** The count beside a page of the navigation: work that an operator should look at. */
type Counted = 'stuckJobs' | 'failingEndpoints' | 'unknownAnswers';

export interface NavigationPage {
  /** May include a filter. */
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  readonly counts?: Counted;
}

const page = (path: string, name: string, icon: IconName, counts?: Counted): NavigationPage => ({
  path,
  name,
  icon,
  ...(counts && { counts }),
});

/** In groups. */
export const NAVIGATION: readonly (readonly NavigationPage[])[] = [
  [page('/', 'Overview', 'overview'), page('/trends', 'Trends', 'trends')],
  [
    page('/people', 'People', 'people'),
    page('/connections', 'Connections', 'connections'),
    page('/attempts', 'Attempts', 'attempts'),
  ],
  [
    page('/jobs?stuck=true', 'Jobs', 'jobs', 'stuckJobs'),
    page('/disconnects', 'Bulk disconnects', 'disconnects'),
    page('/erasures', 'Erasure receipts', 'erasures'),
  ],
  [
    page('/webhooks', 'Webhooks', 'webhooks', 'failingEndpoints'),
    page('/unknown-answers', 'Unknown answers', 'unknown', 'unknownAnswers'),
  ],
  [
    page('/apps', 'Apps', 'app'),
    page('/registrations', 'Registrations', 'registrations'),
    page('/issuers', 'Sign-in issuers', 'issuers'),
  ],
  [page('/audit', 'Audit log', 'audit'), page('/tokens', 'Operators', 'operators')],
];

const WIDE = 232;
const NARROW = 56;

/** Whether the navigation shows icons only: as the operator chose last; otherwise in a window of less than 1,200 pixels. */
export function useNavigationWidth() {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false;
  const isRoomy = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false }) ?? true;
  const [chosen, setChosen] = useLocalStorage<boolean | null>({
    key: 'navigation-narrow',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const isNarrow = !isPhone && (chosen ?? !isRoomy);
  return { isNarrow, isPhone, width: isNarrow ? NARROW : WIDE, toggle: () => setChosen(!isNarrow) };
}

/** The counts change slowly, and each page shows its own. */
const POLL_MS = 60_000;

function useCounts(): Readonly<Record<Counted, string>> {
  const { data } = useAdminQuery(NavigationCountsDocument, {}, { pollMs: POLL_MS });
  const show = (count: number, hasMore = false) =>
    count === 0 ? '' : `${count.toLocaleString('en')}${hasMore ? '+' : ''}`;
  const showPage = (of: { items: readonly unknown[]; pageInfo: { hasNextPage: boolean } } | undefined) =>
    show(of?.items.length ?? 0, of?.pageInfo.hasNextPage);
  return {
    stuckJobs: show(data?.stuckWork.count ?? 0),
    failingEndpoints: showPage(data?.troubledWebhookEndpoints),
    unknownAnswers: showPage(data?.unknownAnswers),
  };
}

interface NavigationProps {
  /** The current path. */
  readonly location: string;
  /** Also called for the link to the current page. */
  readonly onNavigate: () => void;
  readonly width: ReturnType<typeof useNavigationWidth>;
}

export function Navigation({ location, onNavigate, width: { isNarrow, isPhone, toggle } }: NavigationProps) {
  const counts = useCounts();
  return (
    <>
      <AppShell.Section grow component={ScrollArea} type="auto" scrollbars="y">
        {NAVIGATION.map((pages, index) => (
          <Box
            key={pages[0]?.path}
            pt={index === 0 ? 0 : 8}
            mt={index === 0 ? 0 : 8}
            style={index === 0 ? {} : { borderTop: '1px solid var(--mantine-color-default-border)' }}
          >
            {pages.map((one) => (
              <Item
                key={one.path}
                page={one}
                count={one.counts === undefined ? '' : counts[one.counts]}
                isCurrent={one.path === '/' ? location === '/' : location.startsWith(one.path.replace(/\?.*/, ''))}
                isNarrow={isNarrow}
                onNavigate={onNavigate}
              />
            ))}
          </Box>
        ))}
      </AppShell.Section>
      {!isPhone && (
        <AppShell.Section pt="xs">
          {isNarrow ? (
            <Tooltip label="Show names" position="right">
              <ActionIcon variant="subtle" color="gray" size={36} onClick={toggle} aria-label="Show names">
                <Icon name="expand" />
              </ActionIcon>
            </Tooltip>
          ) : (
            <UnstyledButton className="collapse" onClick={toggle}>
              <Icon name="collapse" /> Collapse
            </UnstyledButton>
          )}
        </AppShell.Section>
      )}
    </>
  );
}

interface ItemProps {
  readonly page: NavigationPage;
  /** Empty for none. */
  readonly count: string;
  readonly isCurrent: boolean;
  readonly isNarrow: boolean;
  readonly onNavigate: () => void;
}

function Item({ page: { path, name, icon, counts }, count, isCurrent, isNarrow, onNavigate }: ItemProps) {
  const color = counts === 'unknownAnswers' ? 'gray' : 'orange';
  return (
    <Tooltip label={count === '' ? name : `${name}: ${count}`} position="right" disabled={!isNarrow}>
      <NavLink
        component={Link}
        href={path}
        label={isNarrow ? undefined : name}
        noWrap
        leftSection={<Icon name={icon} />}
        {...(count !== '' && {
          rightSection: isNarrow ? (
            <Box className="count" bg={`var(--mantine-color-${color}-filled)`} />
          ) : (
            <Badge size="sm" variant="light" color={color}>
              {count}
              <VisuallyHidden> need attention</VisuallyHidden>
            </Badge>
          ),
        })}
        active={isCurrent}
        onClick={onNavigate}
        className="nav"
        {...(isNarrow && {
          'aria-label': count === '' ? name : `${name}, ${count} need attention`,
          'data-narrow': true,
        })}
        {...(isCurrent && { 'aria-current': 'page' })}
      />
    </Tooltip>
  );
}
