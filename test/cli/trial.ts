import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { listPlatformUrls } from '../../sandbox/src/emulations.ts';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { CAPABILITIES, type ProviderName } from '../../src/basics/codes.ts';
import { Secret } from '../../src/basics/secret.ts';
import { Recorder, type Recording } from '../../src/cli/try-provider/recording.ts';
import { Transcript } from '../../src/cli/try-provider/transcript.ts';
import { runTrial } from '../../src/cli/try-provider/trial.ts';
import { readConfig, type TrialConfig } from '../../src/config/config.ts';
import { createAdapters } from '../../src/providers/adapters.ts';
import { observeAnswers } from '../../src/providers/answers.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { createHttp, type Http } from '../../src/providers/http.ts';
import type { Client } from '../../src/providers/provider.ts';

interface Consent {
  readonly accountId: string;
  /** Permissions whose names contain one of these are unticked. */
  readonly untick?: readonly string[] | undefined;
  readonly decision?: 'allow' | 'deny' | undefined;
}

/** Acts as the person on the sandbox's consent page. @returns the answer to the form, before any redirect */
export async function consentAtSandbox(
  address: string,
  { accountId, untick = [], decision = 'allow' }: Consent,
  redirect: 'follow' | 'manual',
): Promise<Response> {
  const page = await (await fetch(address)).text();
  const [, action = ''] = /<form[^>]+action="([^"]+)"/.exec(page) ?? [];
  const [, request = ''] = /name="request" value="([^"]+)"/.exec(page) ?? [];
  const form = new URLSearchParams({ request, account: accountId, decision });
  for (const [, permission = ''] of page.matchAll(/name="permission" value="([^"]+)"/g)) {
    if (!untick.some((part) => permission.includes(part))) form.append('permission', permission);
  }
  return await fetch(new URL(action, address), { method: 'POST', body: form, redirect });
}

interface TrialResult {
  readonly transcript: Transcript;
  readonly recording: Recording;
}

interface Setting {
  readonly config: TrialConfig;
  readonly client: Client;
  readonly permissions: readonly string[];
  readonly keepsGrant: boolean;
  readonly now: () => Date;
  readonly consent: (address: string, state: string) => Promise<URLSearchParams | undefined>;
}

async function run(provider: ProviderName, http: Http, setting: Setting): Promise<TrialResult> {
  const { config, client, now, ...rest } = setting;
  const facts = createCatalog(config)[provider];
  const transcript = new Transcript(provider, () => undefined);
  const recorder = new Recorder();
  const trial = {
    ...{ facts, client, now, ...rest },
    redirectUri: `http://127.0.0.1:1/api/connect/callback/${facts.slug}`,
    stopsAfterProfile: false,
  };
  observeAnswers((read) => transcript.addRead(read));
  try {
    const adapters = createAdapters(config, recorder.record(transcript.record(http)), now);
    await runTrial(trial, adapters[provider], transcript, recorder);
  } finally {
    observeAnswers(undefined);
  }
  const { differences } = transcript;
  const { permissions, keepsGrant } = setting;
  const kept = { provider, isPublic: false, clientId: client.clientId, issuer: facts.issuer, permissions, keepsGrant };
  return { transcript, recording: recorder.finish({ ...kept, differences, now: now() }) };
}

/** Runs a trial against a sandbox, as the command does. */
export async function runSandboxTrial(
  sandbox: Sandbox,
  provider: ProviderName,
  accountId: string,
): Promise<TrialResult> {
  const config = readConfig('trial', listPlatformUrls(sandbox.url));
  const { clientId, clientSecret } = KNOWN_CLIENTS[provider];
  const http = createHttp({ production: false, userAgent: 'test' });
  try {
    return await run(provider, http, {
      config,
      client: { clientId, clientSecret: new Secret(clientSecret) },
      permissions: createCatalog(config)[provider].permissionsFor(CAPABILITIES),
      keepsGrant: false,
      now: () => new Date(),
      consent: async (address) => {
        const { headers } = await consentAtSandbox(address, { accountId }, 'manual');
        return new URL(headers.get('location') ?? '').searchParams;
      },
    });
  } finally {
    await http.close();
  }
}

/** Runs a recorded trial again, with the answers of the recording. */
export async function replay(recording: Recording): Promise<TrialResult> {
  const { provider, clientId, permissions, keepsGrant, callback } = recording;
  const left = [...recording.exchanges];
  const http: Http = {
    request: async ({ where, method, call }) => {
      await call.admit({ quotaUnits: 0, cannotWait: false });
      const index = left.findIndex((exchange) => exchange.where === where && exchange.method === method);
      const [exchange] = index < 0 ? [] : left.splice(index, 1);
      if (exchange === undefined) throw new Error(`The recording has no further answer to "${where}".`);
      const { status, headers, body: text } = exchange;
      return { status, headers, text };
    },
    fetch: () => Promise.reject(new Error('No adapter uses it.')),
    post: () => Promise.reject(new Error('No adapter uses it.')),
    close: async () => undefined,
  };
  const result = await run(provider, http, {
    config: readConfig('trial', {}),
    client: { clientId, clientSecret: new Secret(randomBytes(8).toString('hex')) },
    ...{ permissions, keepsGrant },
    now: () => new Date(recording.recordedAt),
    consent: async (_address, state) =>
      callback === null ? undefined : new URLSearchParams({ ...callback, ...('state' in callback && { state }) }),
  });
  expect(
    left.map(({ where }) => where),
    'Answers that the adapter no longer asks for',
  ).toEqual([]);
  return result;
}
