import type { FC } from 'hono/jsx';
import { CALLBACK_KINDS } from '../callback-kinds.ts';
import type { Control } from '../control.ts';
import { EMULATIONS } from '../emulations.ts';
import { PLATFORMS } from '../model.ts';
import { ActionForm, Choose } from './actions.tsx';

export const CALLBACK_MANNERS = { true: 'genuine', late: 'two days late', forged: 'forged' } as const;

/** The platforms' settings, and their callbacks. */
export const Switches: FC<{ control: Control }> = ({ control }) => (
  <section class="card spaced">
    <h2>Settings and callbacks</h2>
    {Object.entries(control.settings()).map(([side, settings]) => (
      <details>
        <summary>PROVIDER_{side.toUpperCase()}: lifetimes, limits, response formats</summary>
        {Object.entries(settings).map(([name, value]) => (
          <div class="row">
            <span class="grow">{name}</span>
            <ActionForm name="change-setting" label="Set">
              <input type="hidden" name="setting" value={`${side}.${name}`} />
              <input
                type="text"
                name="value"
                value={typeof value === 'string' ? value : JSON.stringify(value)}
                aria-label={`${name} of PROVIDER_${side.toUpperCase()}`}
              />
            </ActionForm>
          </div>
        ))}
      </details>
    ))}
    <div class="row">
      <span class="grow">Send a platform’s callback to the service. The client needs a URL for it.</span>
      <ActionForm name="send-callback" label="Send">
        <Choose
          name="account"
          label="Account"
          options={PLATFORMS.filter((platform) => EMULATIONS[platform].callbacks.length > 0).flatMap((platform) =>
            control.accounts(platform).map(({ id, name }) => [id, `${platform}: ${name}`] as const),
          )}
        />
        <Choose
          name="kind"
          label="Callback"
          options={CALLBACK_KINDS.map(({ platform, kind, text }) => [kind, `${text} (${platform})`])}
        />
        <Choose name="manner" label="How" options={Object.entries(CALLBACK_MANNERS)} />
      </ActionForm>
    </div>
  </section>
);
