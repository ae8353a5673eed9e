import type { Context } from 'hono';
import { z } from 'zod';
import { CallbackBody, ClientBody, type Control, ControlError } from './control.ts';
import type { SandboxApp } from './endpoint.ts';
import { FaultBody } from './faults.ts';
import { Post } from './model.ts';
import { ConnectBody, connectAsPerson, JourneyError } from './person.ts';
import { omitUndefined, readSettings } from './read-settings.ts';

const PostBody = Post.omit({ accountId: true }).partial();

const AccountBody = z.strictObject({ account: z.string() });
const RemoveBody = AccountBody.extend({ notify: z.boolean().optional(), reason: z.int().optional() });

/** The control API: JSON in, JSON out; README.md has it as a table. */
export function serveControl(app: SandboxApp, control: Control): void {
  app.post('/control/reset', (c) => {
    control.reset();
    return c.body(null, 204);
  });

  app.get('/control/faults', (c) => c.json(control.faults()));
  app.post('/control/faults', async (c) => c.json(control.addFault(await body(c, FaultBody)), 201));
  app.delete('/control/faults', (c) => {
    control.clearFaults();
    return c.body(null, 204);
  });
  app.delete('/control/faults/:id', (c) => {
    control.removeFault(Number(c.req.param('id')));
    return c.body(null, 204);
  });

  app.get('/control/calls', (c) => c.json(control.calls(c.req.query())));
  app.delete('/control/calls', (c) => {
    control.clearCalls();
    return c.body(null, 204);
  });

  app.get('/control/settings', (c) => c.json(control.settings()));
  app.patch('/control/settings', async (c) => {
    return c.json(control.changeSettings(readSettings(await c.req.json())));
  });
  app.get('/control/clock', (c) => c.json(control.clock()));
  app.put('/control/clock', async (c) => {
    control.setClock((await body(c, z.strictObject({ offsetMs: z.int() }))).offsetMs);
    return c.json(control.clock());
  });

  app.get('/control/clients', (c) => c.json(control.clients()));
  app.post('/control/clients', async (c) => c.json(control.registerClient(await body(c, ClientBody)), 201));

  app.post('/control/connect', async (c) => {
    const connect = await body(c, ConnectBody);
    control.account(connect.account); // A wrong id does not spend the launch.
    return c.json({ url: await connectAsPerson(connect) });
  });
  app.get('/control/accounts', (c) => c.json(control.accounts()));
  app.get('/control/grants', (c) => c.json(control.grants()));
  app.post('/control/remove-app', async (c) => {
    const { account, ...options } = await body(c, RemoveBody);
    return c.json({ ended: control.removeApp(account, omitUndefined(options)) });
  });
  app.post('/control/withdraw', async (c) => {
    const { account, permission } = await body(c, AccountBody.extend({ permission: z.string() }));
    const granted = control.permissions(account);
    if (!granted.includes(permission)) {
      const names = granted.join(', ') || 'none';
      throw new ControlError(`No app has the permission "${permission}" of this account. Granted: ${names}.`);
    }
    control.withdraw(account, permission);
    return c.body(null, 204);
  });
  app.post('/control/expire-tokens', async (c) => {
    const kinds = z.enum(['access', 'refresh', 'short']);
    const { account, kind } = await body(c, AccountBody.extend({ kind: kinds }));
    control.expireTokens(account, kind);
    return c.body(null, 204);
  });

  app.get('/control/accounts/:id/posts', (c) => c.json(control.posts(c.req.param('id'))));
  app.post('/control/accounts/:id/posts', async (c) =>
    c.json(control.addPost(c.req.param('id'), omitUndefined(await body(c, PostBody))), 201),
  );
  app.patch('/control/posts/:id', async (c) => {
    const change = omitUndefined(await body(c, PostBody.omit({ id: true })));
    return c.json(control.changePost(c.req.param('id'), change));
  });
  app.delete('/control/posts/:id', (c) => {
    control.deletePost(c.req.param('id'));
    return c.body(null, 204);
  });

  app.post('/control/callbacks', async (c) => c.json(await control.sendCallback(await body(c, CallbackBody))));
  app.get('/control/deliveries', (c) => c.json(control.deliveries()));

  app.get('/control/idp/people', (c) => c.json(control.people()));
  app.post('/control/idp/rotate-keys', async (c) => {
    await control.rotateIdpKeys();
    return c.body(null, 204);
  });

  app.all('/control/*', ({ req }) => {
    throw new ControlError(
      `The control API has no ${req.method} ${req.path}. The sandbox's README lists its requests.`,
    );
  });

  app.onError((error, c) => {
    if (error instanceof ControlError) return c.json({ error: error.message }, 404);
    if (error instanceof JourneyError) return c.json({ error: error.message }, 422);
    if (error instanceof z.ZodError) return c.json({ error: z.prettifyError(error) }, 400);
    if (error instanceof SyntaxError) return c.json({ error: 'The body is not JSON.' }, 400);
    console.error(JSON.stringify({ level: 'error', msg: 'sandbox failed', path: c.req.path, error: error.stack }));
    return c.json({ error: 'The sandbox itself failed. Its log has the reason.' }, 500);
  });
}

const body = async <T>(context: Context, schema: z.ZodType<T>): Promise<T> => schema.parse(await context.req.json());
