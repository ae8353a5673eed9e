import type { FC } from 'hono/jsx';
import type {
  Availability,
  Capability,
  Connection,
  ContentPage,
  MetricName,
  SyncJob,
} from 'social-account-connection-client';
import { ServiceError } from 'social-account-connection-client';
import { formatShortCount, toWebUrl } from '../format.ts';
import {
  AVAILABILITY,
  CAPABILITIES,
  CONNECTION_STATUS,
  describeIncomplete,
  describeJobError,
  describeReason,
  METRICS,
  PROVIDERS,
} from '../texts.ts';
import { formatViewQuery, SPANS, type View } from '../window.ts';
import { Chart, getCount, listCountedMetrics } from './chart.tsx';
import {
  ActionForm,
  Avatar,
  DateTime,
  isJobRunning,
  JobProgress,
  Pill,
  Progress,
  ProviderBadge,
  RefusalNote,
} from './components.tsx';
import { getAccountName } from './home.tsx';
import { PostCard } from './post-card.tsx';

type Content = ContentPage;

export interface AccountView {
  readonly account: Connection;
  readonly view: View;
  /** Undefined if the account does not allow reading posts. */
  readonly content: Content | ServiceError | undefined;
  /** The last requested scan, if the service still has its job. */
  readonly scan: SyncJob | undefined;
  readonly metric: MetricName | undefined;
}

/** Whether work is running that will change the page. */
export const isInProgress = ({ account, scan }: Pick<AccountView, 'account' | 'scan'>): boolean =>
  isJobRunning(scan) ||
  (account.status === 'CONNECTED' && (account.syncStatus === 'PENDING' || account.syncStatus === 'RUNNING'));

const canContinue = ({ scan }: AccountView): boolean =>
  scan?.status === 'SUCCEEDED' && scan.completeForWindow === false && scan.continuationCursor !== null;

/** One account: profile, status and posts. */
export const AccountPage: FC<{ it: AccountView }> = ({ it }) => (
  <>
    <p class="back">
      <a href="/">← Your accounts</a>
    </p>
    <div id="head" data-live="">
      <AccountHeader account={it.account} />
    </div>
    <div class="columns">
      <div class="grow">
        <div id="progress" data-live="" aria-live="polite">
          <ScanStatus it={it} />
        </div>
        <div id="posts" data-live="">
          <PostSection it={it} />
        </div>
      </div>
      <aside>
        <div id="permissions" data-live="">
          <Capabilities account={it.account} />
        </div>
        {canRead(it.account, 'CONTENT_LOOKUP') && <LookupForm account={it.account} />}
        <div id="manage" data-live="">
          <ManageAccount account={it.account} />
        </div>
      </aside>
    </div>
  </>
);

/** Whether the service can read this capability of the account now. */
export const canRead = (account: Connection, capability: keyof typeof CAPABILITIES): boolean =>
  account.status === 'CONNECTED' &&
  account.capabilities.some((state) => state.capability === capability && state.availability === 'AVAILABLE');

const AccountHeader: FC<{ account: Connection }> = ({ account }) => {
  const { profile, provider, status } = account;
  const name = getAccountName(account);
  const statusText = CONNECTION_STATUS[status];
  const profileUrl = toWebUrl(profile?.profileUrl);
  return (
    <header class="head">
      <Avatar url={profile?.avatarUrl} name={name} />
      <div class="grow">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <p class="soft">
          <ProviderBadge provider={provider} /> {PROVIDERS[provider].name}
          {profile?.handle ? (
            <>
              {' · '}
              {profileUrl !== undefined ? (
                <a href={profileUrl} rel="noreferrer">
                  <bdi>{formatHandle(profile.handle)}</bdi>
                </a>
              ) : (
                <bdi>{formatHandle(profile.handle)}</bdi>
              )}
            </>
          ) : null}
        </p>
        {profile?.description ? (
          <p class="bio" dir="auto">
            {profile.description}
          </p>
        ) : null}
      </div>
      <Pill mood={statusText.mood}>{statusText.name}</Pill>
      {statusText.about !== '' && <p class={`callout ${statusText.mood}`}>{statusText.about}</p>}
    </header>
  );
};

const ScanStatus: FC<{ it: AccountView }> = ({ it: { account, scan, view } }) => {
  const from = PROVIDERS[account.provider].name;
  if (scan !== undefined && isJobRunning(scan)) return <JobProgress job={scan} label={`Reading posts from ${from}`} />;
  if (isInProgress({ account, scan })) return <Progress>Reading the latest posts from {from}…</Progress>;
  if (scan?.status === 'FAILED') {
    return (
      <p class="callout bad">
        <strong>The last refresh failed.</strong> {describeJobError(scan.errorCode)}
      </p>
    );
  }
  if (scan?.status === 'SUCCEEDED' && scan.completeForWindow === false) {
    return (
      <div class="callout wait">
        <p>
          <strong>There are more posts.</strong> {describeIncomplete(scan.incompleteReason)}
        </p>
        {scan.continuationCursor !== null && (
          <ActionForm
            action={`/connections/${account.id}/continue`}
            label="Continue"
            values={{ days: String(view.days) }}
            kind="main"
          />
        )}
      </div>
    );
  }
  return null;
};

const PostSection: FC<{ it: AccountView }> = ({ it }) => {
  const { account, content, view } = it;
  if (content === undefined) return null;
  return (
    <section aria-labelledby="posts-title">
      <div class="bar-line">
        <h2 id="posts-title">Posts</h2>
        <nav class="switch" aria-label="Days shown">
          {SPANS.map((days) => (
            <a
              href={formatViewQuery({ ...view, days, after: undefined })}
              aria-current={days === view.days ? 'page' : undefined}
            >
              {days} days
            </a>
          ))}
        </nav>
        <ActionForm
          action={`/connections/${account.id}/refresh`}
          label="Refresh"
          about={`Refresh the posts of the last ${view.days} days`}
          values={{ days: String(view.days) }}
        />
      </div>
      {content instanceof ServiceError ? <RefusalNote error={content} /> : <PostList it={it} content={content} />}
    </section>
  );
};

const PostList: FC<{ it: AccountView; content: Content }> = ({ it, content }) => {
  const { account, view, metric } = it;
  const { items, pageInfo } = content;
  const shown = listCountedMetrics(items);
  const chartMetric = metric !== undefined && shown.includes(metric) ? metric : shown[0];
  return (
    <>
      <p class="soft">
        {account.lastSuccessfulSyncAt !== null && (
          <>
            Last refreshed <DateTime instant={account.lastSuccessfulSyncAt} />.{' '}
          </>
        )}
        {pageInfo.completeForWindow
          ? `All posts of the last ${view.days} days are shown.`
          : describeIncomplete(pageInfo.incompleteReason)}
        {!pageInfo.completeForWindow && !isInProgress(it) && !canContinue(it) && ' Press Refresh to read them.'}
      </p>
      {chartMetric !== undefined && (
        <figure class="card figures">
          <figcaption>
            <span class="hidden">Metrics of the posts on this page</span>
            <nav class="tiles" aria-label="Metric in the chart">
              {shown.map((name) => (
                <a
                  href={`${formatViewQuery(view)}&metric=${name}`}
                  aria-current={name === chartMetric ? 'true' : undefined}
                >
                  <span>{METRICS[name]}</span>
                  <strong>
                    {formatShortCount(items.reduce((sum, post) => sum + (getCount(post, name) ?? 0n), 0n))}
                  </strong>
                </a>
              ))}
            </nav>
          </figcaption>
          <Chart posts={items} metric={chartMetric} />
        </figure>
      )}
      {items.length === 0 ? (
        <p class="empty">No posts in this period{pageInfo.completeForWindow ? '.' : ' yet.'}</p>
      ) : (
        <div class="posts">
          {items.map((post) => (
            <PostCard
              post={post}
              href={`/connections/${account.id}/posts/${encodeURIComponent(post.providerContentId)}`}
            />
          ))}
        </div>
      )}
      <nav class="row" aria-label="More posts">
        {view.after !== undefined && (
          <a class="button" href={formatViewQuery({ ...view, after: undefined })}>
            Newest posts
          </a>
        )}
        {pageInfo.hasNextPage && pageInfo.endCursor !== null && (
          <a class="button" href={formatViewQuery({ ...view, after: pageInfo.endCursor })} rel="next">
            Older posts
          </a>
        )}
      </nav>
    </>
  );
};

/** The capabilities with their status, including those that the person has not granted. */
const Capabilities: FC<{ account: Connection }> = ({ account }) => {
  const missing = listMissingCapabilities(account);
  return (
    <section class="card" aria-labelledby="capabilities">
      <h2 id="capabilities">Permissions</h2>
      <ul class="states">
        {account.capabilities.map(({ capability, availability, reason }) => (
          <CapabilityItem
            capability={capability}
            availability={availability}
            note={availability === 'AVAILABLE' ? undefined : describeReason(reason)}
          />
        ))}
        {missing.map((capability) => (
          <CapabilityItem capability={capability} availability="NOT_GRANTED" note={undefined} />
        ))}
      </ul>
      {missing.length > 0 && account.status === 'CONNECTED' && (
        <p>
          <a href={getReconnectUrl(account)}>Grant missing permissions</a>
        </p>
      )}
    </section>
  );
};

/** The service lists only the capabilities that the person granted when they last connected the account. */
const listMissingCapabilities = ({ capabilities }: Connection): readonly Capability[] =>
  (Object.keys(CAPABILITIES) as Capability[]).filter(
    (name) => !capabilities.some(({ capability }) => capability === name),
  );

const CapabilityItem: FC<{ capability: Capability; availability: Availability; note: string | undefined }> = (
  props,
) => (
  <li>
    <span>
      {CAPABILITIES[props.capability].name}
      {props.note !== undefined && <small>{props.note}</small>}
    </span>
    <Pill mood={AVAILABILITY[props.availability].mood}>{AVAILABILITY[props.availability].name}</Pill>
  </li>
);

const getReconnectUrl = ({ id, provider }: Pick<Connection, 'id' | 'provider'>): string =>
  `/connect/${PROVIDERS[provider].slug}?reconnect=${encodeURIComponent(id)}`;

const LookupForm: FC<{ account: Connection }> = ({ account }) => (
  <section class="card" aria-labelledby="finder">
    <h2 id="finder">Look up a post by URL</h2>
    <form method="post" action={`/connections/${account.id}/lookups`} class="stack">
      <label for="url">URL of the post</label>
      <input id="url" name="url" type="url" required maxlength={2048} placeholder="https://" autocomplete="off" />
      <button type="submit">Look up</button>
    </form>
  </section>
);

/** Also shown if the service does not return the account. */
export const ManageAccount: FC<{ account: Pick<Connection, 'id' | 'provider' | 'status'> }> = ({ account }) => {
  const isDisconnecting = account.status === 'DISCONNECTED' || account.status === 'DELETING';
  return (
    <section class="card" aria-labelledby="manage-title">
      <h2 id="manage-title">Manage</h2>
      <div class="stack">
        {isDisconnecting ? (
          <a class="button" href={`/receipts/${account.id}`}>
            View progress
          </a>
        ) : (
          <>
            <a
              class={account.status === 'RECONNECT_REQUIRED' ? 'button main' : 'button'}
              href={getReconnectUrl(account)}
            >
              Reconnect
            </a>
            <a class="button danger" href={`/connections/${account.id}/disconnect`}>
              Disconnect…
            </a>
          </>
        )}
      </div>
    </section>
  );
};

/** Adds the @ sign, which some platforms omit. */
const formatHandle = (handle: string): string => (handle.startsWith('@') ? handle : `@${handle}`);
