import type { FC } from 'hono/jsx';
import type { LoggedCall } from '../calls.ts';
import type { Control } from '../control.ts';
import { EXPLORER_PATH } from '../explorer.ts';
import type { FaultKind } from '../faults.ts';
import { PLATFORMS, SANDBOX_PROVIDERS, type SandboxAccount } from '../model.ts';
import { Action, ActionForm, Choose } from './actions.tsx';
import { FAULT_PRESETS } from './fault-presets.ts';
import { describeProvider, SandboxLayout } from './layout.tsx';
import { Switches } from './switches.tsx';

const RECENT = 60;
const CLOCK_STEPS = [
  ['3600000', '+1 hour'],
  ['86400000', '+1 day'],
  ['2592000000', '+30 days'],
] as const;

const inShort = (what: FaultKind): string =>
  'lie' in what ? what.lie : 'status' in what ? `answers ${what.status}` : what.kind;

/** The control page of the sandbox. */
export const Overview: FC<{ control: Control; withExplorer: boolean; problem?: string }> = ({
  control,
  withExplorer,
  problem,
}) => (
  <SandboxLayout title="Sandbox" isWide>
    <h1>Sandbox</h1>
    {problem !== undefined && (
      <p class="bad" role="alert">
        Nothing was changed. {problem}
      </p>
    )}
    <p class="soft">
      Emulates {PLATFORMS.map(describeProvider).join(', ')} and an OpenID provider on their real wire formats. Tests can
      do everything on this page too: see <code>sandbox/README.md</code>.
    </p>
    {withExplorer && (
      <p>
        <a href={EXPLORER_PATH}>GraphQL explorer of the service</a>
      </p>
    )}
    <div class="grid">
      {PLATFORMS.map((platform) => (
        <section class={`card ${platform}`}>
          <h2>{describeProvider(platform)}</h2>
          {control.accounts(platform).map((account) => (
            <AccountRow control={control} account={account} />
          ))}
        </section>
      ))}
    </div>
    <Conditions control={control} />
    <Switches control={control} />
    <Calls calls={control.calls().slice(-RECENT).toReversed()} />
    <Deliveries control={control} />
  </SandboxLayout>
);

const AccountRow: FC<{ control: Control; account: SandboxAccount }> = ({ control, account }) => {
  const live = control.grants().filter((grant) => grant.accountId === account.id && grant.endedAt === null);
  const permissions = [...new Set(live.flatMap((grant) => grant.permissions))];
  return (
    <div class="row">
      <img src={`/pictures/avatar/${encodeURIComponent(account.id)}.svg`} alt="" width="36" height="36" />
      <div class="grow">
        <a href={`/accounts/${encodeURIComponent(account.id)}`}>
          <bdi>{account.name}</bdi>
        </a>{' '}
        {live.length > 0 && <span class="good">● {live.length === 1 ? 'connected' : `${live.length} grants`}</span>}
        <br />
        <small>{account.note}</small>
      </div>
      {live.length > 0 && (
        <div class="tools">
          <Action name="remove-app" values={{ account: account.id }} label="Remove app" about={account.name} />
          <Action
            name="expire-access"
            values={{ account: account.id }}
            label="Expire access token"
            about={account.name}
          />
          <Action
            name="expire-refresh"
            values={{ account: account.id }}
            label="Expire refresh token"
            about={account.name}
          />
          <ActionForm name="withdraw" label="Withdraw">
            <input type="hidden" name="account" value={account.id} />
            <Choose name="permission" label="Permission" options={permissions.map((name) => [name, shortName(name)])} />
          </ActionForm>
        </div>
      )}
    </div>
  );
};

const Conditions: FC<{ control: Control }> = ({ control }) => {
  const { now, offsetMs } = control.clock();
  return (
    <section class="card" id="faults">
      <h2>Faults and clock</h2>
      <ActionForm name="add-fault" label="Add fault">
        <Choose
          name="provider"
          label="Provider"
          options={SANDBOX_PROVIDERS.map((side) => [side, describeProvider(side)])}
        />
        <Choose
          name="fault"
          label="Fault"
          options={Object.entries(FAULT_PRESETS).map(([name, { text }]) => [name, text])}
        />
        <Choose
          name="times"
          label="How often"
          options={[
            ['1', 'once'],
            ['3', '3 times'],
            ['', 'for ever'],
          ]}
        />
        <select name="route" aria-label="Route">
          <option value="">any route</option>
          {SANDBOX_PROVIDERS.map((side) => (
            <optgroup label={describeProvider(side)}>
              {control.routesOf(side).map((route) => (
                <option value={route}>{route}</option>
              ))}
            </optgroup>
          ))}
        </select>
      </ActionForm>
      {control.faults().map((fault) => (
        <div class="row">
          <span class="grow">
            {fault.provider} {fault.route ?? 'any route'}: <b>{inShort(fault.what)}</b>,{' '}
            {fault.times === null ? 'for ever' : `${fault.times} more`}
          </span>
          <Action name="remove-fault" values={{ id: String(fault.id) }} label="Remove" />
        </div>
      ))}
      <p class="soft">
        <br />
        The clock says {now.slice(0, 16).replace('T', ' ')} UTC
        {offsetMs === 0 ? '' : `, ${Math.round(offsetMs / 3_600_000)} h ahead`}.
      </p>
      <div class="inline">
        {CLOCK_STEPS.map(([step, label]) => (
          <Action name="move-clock" values={{ step }} label={label} />
        ))}
        <Action name="reset-clock" label="Real time" />
        <Action name="rotate-idp-keys" label="Rotate IDP keys" />
        <Action name="clear-calls" label="Clear log" />
        <Action name="reset" label="Reset everything" />
      </div>
    </section>
  );
};

const Calls: FC<{ calls: readonly LoggedCall[] }> = ({ calls }) => (
  <section class="card spaced">
    <h2>Recent calls</h2>
    {/* A region that scrolls must be reachable by keyboard. */}
    <section class="scroll" tabindex={0} aria-label="Recent calls">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Provider</th>
            <th scope="col">Call</th>
            <th scope="col">Status</th>
            <th scope="col">Fault</th>
            <th scope="col">Violations</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr>
              <td>{new Date(call.at).toISOString().slice(11, 19)}</td>
              <td>{call.provider}</td>
              <td>
                {call.method} {call.route}
                <br />
                <code>{call.path}</code>
              </td>
              <td>{call.status ?? 'none'}</td>
              <td>{call.fault}</td>
              <td class="bad">{call.violations.join('; ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {calls.length === 0 && <p class="soft">No calls yet.</p>}
    </section>
  </section>
);

const Deliveries: FC<{ control: Control }> = ({ control }) => {
  const deliveries = control.deliveries().slice(-10).toReversed();
  if (deliveries.length === 0) return null;
  return (
    <section class="card spaced">
      <h2>Callbacks sent</h2>
      {deliveries.map(({ what, url, status, answer, tries }) => (
        <div class="row">
          <span class="grow">
            {what} → <code>{url}</code>
          </span>
          <span class={status !== null && status < 300 ? 'good' : 'bad'}>
            {status ?? answer} after {tries} {tries === 1 ? 'try' : 'tries'}
          </span>
        </div>
      ))}
    </section>
  );
};

const shortName = (permission: string): string => permission.split('/').at(-1) ?? permission;
