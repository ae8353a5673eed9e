import { type Control, ControlError } from './control.ts';
import type { App } from './endpoint.ts';
import { FAR_SIDES } from './model.ts';
import { FAULT_PRESETS } from './pages/fault-presets.ts';
import { Gallery } from './pages/gallery.tsx';
import { html } from './pages/layout.tsx';
import { Overview } from './pages/overview.tsx';

type Form = Readonly<Record<string, string>>;
const account = ({ account: id = '' }: Form) => id;
const post = ({ post: id = '' }: Form) => id;

/** What the buttons do. */
const ACTIONS: Readonly<Record<string, (control: Control, form: Form) => unknown>> = {
  'remove-app': (control, form) => control.removeApp(account(form)),
  'expire-access': (control, form) => control.expireTokens(account(form), 'access'),
  withdraw: (control, form) => control.withdraw(account(form), form.permission ?? ''),
  'add-fault': addFault,
  'remove-fault': (control, form) => control.removeFault(Number(form.id)),
  'move-clock': (control, form) => control.setClock(control.clock().offsetMs + Number(form.step)),
  'reset-clock': (control) => control.setClock(0),
  'rotate-idp-keys': (control) => control.rotateIdpKeys(),
  'clear-calls': (control) => control.clearCalls(),
  reset: (control) => control.reset(),
  'add-post': (control, form) => control.addPost(account(form)),
  'hide-post': (control, form) => control.changePost(post(form), { isPublic: false }),
  'show-post': (control, form) => control.changePost(post(form), { isPublic: true }),
  'delete-post': (control, form) => control.deletePost(post(form)),
};

/** The control page at `/`, the accounts behind it, and what its buttons post to. */
export function serveControlPages(app: App, control: Control): void {
  app.get('/', () => html(<Overview control={control} />));

  app.get('/accounts/:id', (context) => {
    const found = control.accounts().find(({ id }) => id === context.req.param('id'));
    if (found === undefined) return context.notFound();
    return html(<Gallery account={found} posts={control.posts(found.id)} />);
  });

  app.post('/actions/:name', async (context) => {
    const form = Object.fromEntries(new URLSearchParams(await context.req.text()));
    const act = ACTIONS[context.req.param('name')];
    if (act === undefined) return context.notFound();
    await act(control, form);
    return context.redirect(
      form.account !== undefined && form.post !== undefined ? `/accounts/${encodeURIComponent(form.account)}` : '/',
      303,
    );
  });
}

function addFault(control: Control, { provider, fault = '', times = '', route = '' }: Form): void {
  const farSide = FAR_SIDES.find((side) => side === provider);
  const preset = FAULT_PRESETS[fault];
  if (farSide === undefined || preset === undefined) throw new ControlError('There is no such fault.');
  const isLie = preset.what.kind === 'idp';
  control.addFault({
    provider: isLie ? 'IDP' : farSide,
    what: preset.what,
    times: times === '' ? null : Number(times),
    ...(route !== '' && !isLie && { route }),
  });
}
