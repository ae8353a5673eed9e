/*
 * The consent page, for a person and for a plain HTTP client alike.
 *
 * GET on a platform's authorize URL answers this page. Its only form is POSTed, form encoded, to the form's `action`
 * (the authorize path followed by `/consent`) with these fields:
 *   request     the hidden id of this consent; it can be answered once
 *   account     the id of the chosen account
 *   permission  repeated, one for each permission left ticked; permissions that cannot be unticked are granted in any case
 *   decision    `allow` or `deny`
 * The answer is a 303 to the application's redirect URI, or a dead end if the platform has one.
 */
import type { FC } from 'hono/jsx';
import { getPublicName, type SandboxProvider } from '../model.ts';
import { SandboxLayout } from './layout.tsx';

export interface Choice {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly note: string;
}

export interface Permission {
  readonly name: string;
  readonly label: string;
  /** False if the person may untick it. */
  readonly isRequired: boolean;
}

export interface ConsentView {
  readonly provider: SandboxProvider;
  readonly title?: string;
  /** The request in words. The application's name precedes it. */
  readonly lead?: string;
  readonly client: { readonly clientId: string; readonly name?: string | undefined };
  readonly action: string;
  readonly requestId: string;
  readonly choices: readonly Choice[];
  readonly permissions: readonly Permission[];
}

export const ConsentPage: FC<ConsentView> = ({
  provider,
  title = 'Allow access to your account?',
  lead = `asks for access to your account at ${getPublicName(provider)}.`,
  client,
  action,
  requestId,
  choices,
  permissions,
}) => (
  <SandboxLayout title={`${title} Sandbox for ${getPublicName(provider)}`} provider={provider}>
    <form class="card" method="post" action={action}>
      <h1>{title}</h1>
      <p>
        <strong>
          <bdi>{client.name ?? client.clientId}</bdi>
        </strong>{' '}
        {lead}
      </p>
      {client.name !== undefined && (
        <p class="soft">
          Client id: <code>{client.clientId}</code>
        </p>
      )}
      <input type="hidden" name="request" value={requestId} />
      <fieldset>
        <legend>Account</legend>
        {choices.map((choice, index) => (
          <label class="choice">
            <input type="radio" name="account" value={choice.id} checked={index === 0} required />
            <img src={`/pictures/avatar/${encodeURIComponent(choice.id)}.svg`} alt="" width="40" height="40" />
            <span>
              <bdi>{choice.title}</bdi>
              <small>
                <bdi>{choice.subtitle}</bdi>
              </small>
              <small>{choice.note}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>It will be able to</legend>
        {permissions.map(({ name, label, isRequired }) => (
          <label class="choice">
            <input type="checkbox" name="permission" value={name} checked disabled={isRequired} />
            <span>
              {label}
              {isRequired ? ' (always)' : ''}
              <small>
                <code>{name}</code>
              </small>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="actions">
        <button type="submit" class="main" name="decision" value="allow">
          Allow
        </button>
        <button type="submit" name="decision" value="deny">
          Deny
        </button>
      </div>
    </form>
  </SandboxLayout>
);
