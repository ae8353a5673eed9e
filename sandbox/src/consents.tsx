import { randomBytes } from 'node:crypto';
import type { SandboxApp } from './endpoint.ts';
import type { Platform, SandboxAccount, SandboxClient } from './model.ts';
import { ConsentPage, type Permission } from './pages/consent.tsx';
import { createDeadEnd, createHtmlResponse } from './pages/layout.tsx';
import type { World } from './world.ts';

/** A consent question and the responses to its answers. */
export interface Question {
  readonly platform: Platform;
  readonly client: SandboxClient;
  readonly permissions: readonly Permission[];
  /** Receives the granted permissions: the required ones and those left ticked. */
  readonly allow: (account: SandboxAccount, permissions: readonly string[]) => Response;
  readonly deny: () => Response;
}

/** Consent pages that wait for an answer. Each accepts one answer, and none survives a restart. */
export class Consents {
  readonly #world: World;
  readonly #pending = new Map<string, Question>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Creates the consent page. `action` is the authorize path followed by `/consent`. */
  ask(question: Question, action: string): Response {
    const requestId = randomBytes(18).toString('base64url');
    this.#pending.set(requestId, question);
    const choices = this.#world.accountsOf(question.platform).map(({ id, name, handle, note, email }) => ({
      id,
      title: name,
      subtitle: email === null ? `@${handle}` : `@${handle} · ${email}`,
      note,
    }));
    const { platform: provider, client, permissions } = question;
    return createHtmlResponse(<ConsentPage {...{ provider, client, action, requestId, choices, permissions }} />);
  }

  /** Accepts answers at `path`. */
  serve(app: SandboxApp, path: string, platform: Platform): void {
    app.post(path, async (context) => {
      const form = new URLSearchParams(await context.req.text());
      const requestId = form.get('request') ?? '';
      const question = this.#pending.get(requestId);
      if (question === undefined || question.platform !== platform) {
        return createDeadEnd(
          platform,
          'This page was already used',
          'Someone answered it before, or the sandbox restarted. Go back to the application and start again.',
          410,
        );
      }
      const decision = form.get('decision');
      if (decision === 'deny') {
        this.#pending.delete(requestId);
        return question.deny();
      }
      const account = this.#world.content.accounts.get(form.get('account') ?? '');
      if (decision !== 'allow' || account?.platform !== platform) {
        return createDeadEnd(platform, 'Choose an account', 'Go back, choose an account, and press Allow or Deny.');
      }
      this.#pending.delete(requestId);
      const ticked = form.getAll('permission');
      const granted = question.permissions.filter(({ name, isRequired }) => isRequired || ticked.includes(name));
      return question.allow(
        account,
        granted.map(({ name }) => name),
      );
    });
  }
}

/** Creates the authorization response (RFC 6749, section 4.1.2): a redirect back to the application. */
export const redirectBack = (
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
  suffix = '',
): Response => {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return new Response(null, {
    status: 303,
    headers: { location: `${url.href}${suffix}`, 'cache-control': 'no-store' },
  });
};
