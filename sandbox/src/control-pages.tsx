import { CALLBACK_KINDS } from './callback-kinds.ts';
import { type Control, ControlError } from './control.ts';
import type { SandboxApp } from './endpoint.ts';
import { SANDBOX_PROVIDERS } from './model.ts';
import { FAULT_PRESETS } from './pages/fault-presets.ts';
import { Gallery } from './pages/gallery.tsx';
import { createHtmlResponse } from './pages/layout.tsx';
import { Overview } from './pages/overview.tsx';
import { CALLBACK_MANNERS } from './pages/switches.tsx';
import { readSettings } from './read-settings.ts';

type Form = Readonly<Record<string, string>>;
const account = ({ account: id = '' }: Form) => id;
const post = ({ post: id = '' }: Form) => id;

/** The actions of the buttons. */
const ACTIONS: Readonly<Record<string, (control: Control, form: Form) => unknown>> = {
  'remove-app': (control, form) => control.removeApp(account(form)),
  'expire-access': (control, form) => control.expireTokens(account(form), 'access'),
  'expire-refresh': (control, form) => control.expireTokens(account(form), 'refresh'),
  withdraw: (control, form) => control.withdraw(account(form), form.permission ?? ''),
  'add-fault': addFault,
  'change-setting': changeSetting,
  'send-callback': sendCallback,
  'remove-fault': (control, form) => control.removeFault(Number(form.id)),
  'move-clock': (control, form) => control.setClock(control.clock().offsetMs + Number(form.step)),
  'reset-clock': (control) => control.setClock(0),
  'rotate-idp-keys': (control) => control.rotateIdpKeys(),
  'clear-calls': (control) => control.clearCalls(),
  reset: (control) => control.reset(),
  'add-post': (control, form) => control.addPost(account(form)),
  'hide-post': (control, form) => control.changePost(post(form), { isPublic: false }),
  'show-post': (control, form) => control.changePost(post(form), { isPublic: true }),
  'edit-post': editPost,
  'delete-post': (control, form) => control.deletePost(post(form)),
};

/** Serves the control page at `/`, the account pages and the actions of their buttons. */
export function serveControlPages(app: SandboxApp, control: Control, options: { withExplorer: boolean }): void {
  app.get('/', () => createHtmlResponse(<Overview control={control} {...options} />));

  app.get('/accounts/:id', (context) => {
    const found = control.accounts().find(({ id }) => id === context.req.param('id'));
    if (found === undefined) return context.notFound();
    return createHtmlResponse(<Gallery account={found} posts={control.posts(found.id)} />);
  });

  app.post('/actions/:name', async (context) => {
    const form = Object.fromEntries(new URLSearchParams(await context.req.text()));
    const act = ACTIONS[context.req.param('name')];
    if (act === undefined) return context.notFound();
    try {
      await act(control, form);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      return createHtmlResponse(<Overview control={control} {...options} problem={error.message} />, 404);
    }
    return context.redirect(
      form.account !== undefined && form.post !== undefined ? `/accounts/${encodeURIComponent(form.account)}` : '/',
      303,
    );
  });
}

function addFault(control: Control, { provider, fault = '', times = '', route = '' }: Form): void {
  const chosen = SANDBOX_PROVIDERS.find((one) => one === provider);
  const preset = FAULT_PRESETS[fault];
  if (chosen === undefined || preset === undefined) throw new ControlError('There is no such fault.');
  const isLie = preset.what.kind === 'idp';
  control.addFault({
    provider: isLie ? 'IDP' : chosen,
    what: preset.what,
    times: times === '' ? null : Number(times),
    ...(route !== '' && !isLie && { route }),
  });
}

/** `setting` is `a.accessSeconds` and the like; `value` is JSON, or plain text. */
function changeSetting(control: Control, { setting = '', value = '' }: Form): void {
  const [side = '', name = ''] = setting.split('.');
  control.changeSettings(readSettings({ [side]: { [name]: jsonOr(value) } }));
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const TWO_DAYS_SECONDS = 172_800;

async function sendCallback(control: Control, { account: id = '', kind = '', manner = '' }: Form): Promise<void> {
  const found = control.accounts().find((one) => one.id === id);
  const known = CALLBACK_KINDS.find((one) => one.kind === kind);
  if (found === undefined || known === undefined || !(manner in CALLBACK_MANNERS)) {
    throw new ControlError('There is no such callback.');
  }
  const clients = control.clients().filter(({ platform }) => platform === found.platform);
  const told = clients.find((one) => one[known.url] !== null);
  if (told === undefined) throw new ControlError(`No client of ${found.platform} has a URL for this callback.`);
  const longAgo = Math.floor(Date.parse(control.clock().now) / 1000) - TWO_DAYS_SECONDS;
  await control.sendCallback({
    kind: known.kind,
    clientId: told.clientId,
    account: found.id,
    ...(manner === 'late' && { createdAt: longAgo, signedAt: longAgo }),
    ...(manner === 'forged' && { isForged: true }),
  });
}

/** An empty count means that the owner hides it. */
function editPost(control: Control, form: Form): void {
  const { title = '', caption = '' } = form;
  const count = (name: string) => (/^\d+$/.test(form[name] ?? '') ? (form[name] ?? null) : null);
  const counts = { views: count('views'), likes: count('likes'), comments: count('comments') };
  control.changePost(post(form), { title, caption, ...counts });
}
