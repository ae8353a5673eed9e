import type { FC } from 'hono/jsx';
import type { Connection, ServiceError, SyncJob } from 'social-account-connection-client';
import { toWebUrl } from '../format.ts';
import type { WindowPosts } from '../read-window.ts';
import { CONNECTION_STATUS, describeIncomplete, describeJobError, PROVIDERS } from '../texts.ts';
import type { View } from '../window.ts';
import { ActionForm, Avatar, isJobRunning, JobProgress, Pill, Progress, ProviderBadge } from './components.tsx';
import { getAccountName } from './home.tsx';
import { LookupCard } from './lookup.tsx';
import { Capabilities, canRead, getReconnectUrl } from './permissions.tsx';
import { PostSection } from './posts.tsx';

export interface AccountView {
  readonly account: Connection;
  readonly view: View;
  /** Undefined if the account does not allow reading posts. */
  readonly content: WindowPosts | ServiceError | undefined;
  /** The last requested scan, if the service still has its job. */
  readonly scan: SyncJob | undefined;
  /** The URL of the last lookup that found no post. */
  readonly lookupUrl: string | undefined;
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
          <PostSection it={{ ...it, isScanOpen: isInProgress(it) || canContinue(it) }} />
        </div>
      </div>
      <aside>
        <div id="permissions" data-live="">
          <Capabilities account={it.account} />
        </div>
        {canRead(it.account, 'CONTENT_LOOKUP') && <LookupCard connectionId={it.account.id} url={it.lookupUrl} />}
        <div id="manage" data-live="">
          <ManageAccount account={it.account} />
        </div>
      </aside>
    </div>
  </>
);

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
