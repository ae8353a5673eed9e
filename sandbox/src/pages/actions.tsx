import type { FC, PropsWithChildren } from 'hono/jsx';

/** A button that performs one action and returns to its page. */
export const Action: FC<{ name: string; values?: Readonly<Record<string, string>>; label: string; about?: string }> = (
  props,
) => (
  <form method="post" action={`/actions/${props.name}`} class="inline">
    <Hidden values={props.values ?? {}} />
    <button type="submit" class="small" aria-label={props.about ? `${props.label}: ${props.about}` : props.label}>
      {props.label}
    </button>
  </form>
);

/** An action with input fields. */
export const ActionForm: FC<PropsWithChildren<{ name: string; label: string }>> = (props) => (
  <form method="post" action={`/actions/${props.name}`} class="inline">
    {props.children}
    <button type="submit" class="small">
      {props.label}
    </button>
  </form>
);

export const Choose: FC<{
  name: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
}> = (props) => (
  <select name={props.name} aria-label={props.label}>
    {props.options.map(([value, text]) => (
      <option value={value}>{text}</option>
    ))}
  </select>
);

const Hidden: FC<{ values: Readonly<Record<string, string>> }> = ({ values }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);
