import { randomBytes } from 'node:crypto';
import type { SandboxApp } from './endpoint.ts';
import type { Platform, SandboxAccount } from './model.ts';
import { ConsentPage, type Permission } from './pages/consent.tsx';
import { createDeadEnd, createHtmlResponse } from './pages/layout.tsx';
import type { World } from './world.ts';

/** What a person is asked, and what follows from the answer. */
export interface Question {
  readonly platform: Platform;
  readonly clientId: string;
  readonly permissions: readonly Permission[];
  /** Gets the permissions granted: those that must be and those left ticked. */
  readonly allow: (account: SandboxAccount, permissions: readonly string[]) => Response;
  readonly deny: () => Response;
}

/** Consent pages waiting for an answer; each can be answered once, and none survives a restart. */
export class Consents {
  readonly #world: World;
  readonly #pending = new Map<string, Question>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The page that asks. `action` is the authorize path followed by `/consent`. */
  ask(question: Question, action: string): Response {
    const requestId = randomBytes(18).toString('base64url');
    this.#pending.set(requestId, question);
    const choices = this.#world.accountsOf(question.platform).map(({ id, name, handle, note, email }) => ({
      id,
      title: name,
      subtitle: email === null ? `@${handle}` : `@${handle} · ${email}`,
      note,
    }));
    const { platform: provider, clientId, permissions } = question;
    return createHtmlResponse(<ConsentPage {...{ provider, clientId, action, requestId, choices, permissions }} />);
  }

  /** Takes answers at `path`. */
  serve(app: SandboxApp, path: string, platform: Platform): void {
    app.post(path, async (context) => {
      const form = new URLSearchParams(await context.req.text());
      const requestId = form.get('request') ?? '';
      const question = this.#pending.get(requestId);
      if (question === undefined || question.platform !== platform) {
        return createDeadEnd(
          platform,
          'This page has been used',
          'It was answered before, or the sandbox was restarted.',
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
        return createDeadEnd(platform, 'Nothing was chosen', 'Go back, choose an account, and press Allow or Deny.');
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

/** A redirect back to the application. */
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
