import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildSchema, type GraphQLType, isListType, isNonNullType, isObjectType, parse } from 'graphql';
import ts from 'typescript';
import { describe, expect } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { type Service, type User, until, workTest } from '../kit/at-work.ts';
import { newFolder } from '../kit/folder.ts';
import type { Answer } from '../kit/graphql.ts';
import { readBlocks, readProcedures } from '../kit/page-blocks.ts';
import { PERMISSIONS } from '../kit/person.ts';

const test = workTest();
const run = promisify(execFile);

const SCHEMA = buildSchema(readFileSync(path.join(ROOT, 'schema.graphql'), 'utf8'));
const BLOCKS = readBlocks('docs/callers.md');
const MODULE = readFileSync(path.join(ROOT, 'examples', 'typescript', 'accounts.ts'), 'utf8');
const [SHELL_FUNCTION = ''] = BLOCKS.flatMap(({ language, text }) => (language === 'sh' ? [text] : []));

interface Example {
  readonly field: string;
  readonly command: string;
  readonly answer: Answer;
}

/** Each command of the page, and the answer that the page shows after it. */
const EXAMPLES: readonly Example[] = BLOCKS.flatMap(({ language, text }, index) => {
  const document = language === 'sh' ? /^accounts '([^']+)'/.exec(text)?.[1] : undefined;
  if (document === undefined) return [];
  const answer = BLOCKS.slice(index + 1).find((block) => block.language === 'json')?.text ?? '';
  return [{ field: rootFieldOf(document), command: text, answer: JSON.parse(answer) }];
});

function rootFieldOf(document: string): string {
  const [definition] = parse(document).definitions;
  const [field] = definition?.kind === 'OperationDefinition' ? definition.selectionSet.selections : [];
  return field?.kind === 'Field' ? field.name.value : '';
}

const ROOT_FIELDS = [SCHEMA.getQueryType(), SCHEMA.getMutationType()].flatMap((type) =>
  Object.keys(type?.getFields() ?? {}),
);

const environmentOf = (user: User) => ({
  PATH: process.env.PATH ?? '',
  ACCOUNTS_URL: user.urls[0] ?? '',
  ACCOUNTS_KEY: user.seeded.key,
});

/** The parts of an answer that are the same in every run: its shape, its codes, booleans and nulls. Posts differ in kind. */
function shapeOf(value: Answer): Answer {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, key === 'kind' ? 'text' : shapeOf(inner)]),
    );
  }
  return typeof value === 'string' && !/^[A-Z]+(_[A-Z]+)*$/.test(value) ? 'text' : value;
}

const person = ({ control }: Service) =>
  control.people().find(({ note }) => /^E-mail address verified$/.test(note))?.sub ?? '';

/** Consents as the person does in the browser, and waits for the outcome. */
async function connectInBrowser(user: User, session: Answer): Promise<Answer> {
  await user.agree(await user.open(session), user.account('PROVIDER_B', /^250 posts/), PERMISSIONS.PROVIDER_B);
  const result = await user.finished(session.id);
  await user.synced(result.connectionId);
  return result;
}

async function signInInBrowser(user: User, service: Service, session: Answer): Promise<void> {
  await user.agree(await user.open(session), person(service), ['email', 'profile']);
  await until(async () => {
    const [row] = await service.sql`select status from identity_attempt where attempt_id = ${session.id}`;
    return row?.status !== 'PENDING';
  });
}

const daysBefore = (instant: string, days: number) => new Date(Date.parse(instant) - days * 86_400_000).toISOString();

describe('the guide for callers', () => {
  test('shows a command for every operation, and every field of an answer', ({ expect }) => {
    const shown = new Set(EXAMPLES.map(({ field }) => field));
    expect([...shown].sort()).toEqual([...ROOT_FIELDS].sort());
    const answers = JSON.stringify(EXAMPLES.map(({ answer }) => answer));
    const fields = [SCHEMA.getQueryType(), SCHEMA.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}).flatMap((field) => fieldNamesOf(field.type)),
    );
    expect(fields.length).toBeGreaterThan(50);
    expect(fields.filter((name) => !answers.includes(`"${name}"`))).toEqual([]);
  });

  test('gets those answers from the service when its commands run in order', async ({ user, service }) => {
    const typed = [SHELL_FUNCTION, ...EXAMPLES.map(({ command }) => command)];
    expect(readProcedures('docs/callers.md').map(({ text }) => text)).toEqual(typed); // All of the page.
    const ids: Record<string, string> = {};
    let url = '';
    for (const { field, command, answer } of EXAMPLES) {
      const syncedAt = ids.CONNECTION_ID ? (await user.connection(ids.CONNECTION_ID)).lastSuccessfulSyncAt : '';
      const values: Record<string, string> = {
        ...ids,
        'https://app.example/connect/return': user.seeded.returnUrl,
        'https://app.example/sign-in/return': user.seeded.identityReturnUrl,
        'https://www.tiktok.com/@harbour.kitchen.demo/video/7345678901234567890': url,
        '"main"': `"${user.scope.tenantKey}"`,
        '"user-17"': `"${user.scope.externalSubjectId}"`,
        ...(syncedAt && {
          '2026-01-01T00:00:00.000Z': daysBefore(syncedAt, 60),
          '2026-01-31T10:00:00.000Z': new Date().toISOString(),
          '2026-01-24T09:31:02.007Z': daysBefore(syncedAt, 7),
          '2026-01-31T09:31:02.007Z': syncedAt,
        }),
      };
      const filled = Object.keys(values)
        .sort((a, b) => b.length - a.length)
        .reduce((text, name) => text.replaceAll(name, values[name] ?? ''), command);
      const ask = async () => {
        const script = `${SHELL_FUNCTION}\n${filled}`;
        const { stdout } = await run('bash', ['-euc', script], { env: environmentOf(user) });
        return JSON.parse(stdout);
      };
      const wantsEnd = field === 'syncJob';
      const received = await until(async () => {
        const body = await ask();
        return !(wantsEnd && ['QUEUED', 'RUNNING'].includes(body.data?.syncJob.status)) && body;
      });
      expect(shapeOf(received), `${field}: ${JSON.stringify(received)}`).toEqual(shapeOf(answer));

      const data = received.data[field];
      if (field === 'createConnectSession') {
        ids.SESSION_ID = data.id;
        await connectInBrowser(user, data);
      }
      if (field === 'connectSessionResult') ids.CONNECTION_ID = data.connectionId;
      if (field === 'createIdpIdentitySession') {
        ids.SIGN_IN_ID = data.id;
        ids.RESULT_PROOF = data.resultProof;
        await signInInBrowser(user, service, data);
      }
      if (field === 'content') {
        ids.POST_ID = data.items[0].providerContentId;
        url = data.items[0].canonicalUrl;
      }
      if (field === 'requestRefresh') ids.JOB_ID = data.id;
    }
  });

  test('has TypeScript that compiles and works, with the types of the schema', async ({ user, service }) => {
    const folder = newFolder();
    const file = path.join(folder, 'accounts.ts');
    writeFileSync(file, MODULE);
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    const compiler = path.join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
    const types = path.join(ROOT, 'node_modules', '@types');
    const flags = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
    const target = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node', '--typeRoots', types];
    const problems = await run(process.execPath, [compiler, ...flags, ...target, file], { cwd: folder }).then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    );
    expect(problems).toBe('');

    const { outputText } = ts.transpileModule(MODULE, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    writeFileSync(path.join(folder, 'accounts.mjs'), outputText);
    const { PATH: _, ...environment } = environmentOf(user);
    Object.assign(process.env, environment);
    await useModule(await import(path.join(folder, 'accounts.mjs')), user, service);
  });
});

/** Calls every function of the module, in the order of the page. */
async function useModule(page: Answer, user: User, service: Service): Promise<void> {
  const { scope } = user;
  expect(await page.status()).toMatchObject({ ok: true });
  await expect(page.connection({ scope, id: 'unknown' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    correlationId: expect.any(String),
  });

  const session = await page.createConnectSession({
    input: {
      scope,
      provider: 'PROVIDER_B',
      capabilities: ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'],
      returnUrl: user.seeded.returnUrl,
    },
  });
  await connectInBrowser(user, session);
  const returned = `${user.seeded.returnUrl}?ss_session_id=${session.id}`;
  expect([page.isOwnReturn(returned, session.id), page.isOwnReturn(returned, 'other')]).toEqual([true, false]);
  const { connectionId } = await page.connectSessionResult({ scope, id: session.id });
  const of = { scope, connectionId };

  const signIn = await page.createIdpIdentitySession({
    input: { tenantKey: scope.tenantKey, returnUrl: user.seeded.identityReturnUrl },
  });
  await signInInBrowser(user, service, signIn);
  const redeemed = { id: signIn.id, tenantKey: scope.tenantKey, resultProof: signIn.resultProof };
  expect(await page.redeemIdpIdentityResult(redeemed)).toMatchObject({
    status: 'COMPLETED',
    idpSub: person(service),
  });

  expect((await page.connections({ scope })).items.map((one: Answer) => one.id)).toEqual([connectionId]);
  const connection = await page.connection({ scope, id: connectionId });
  const { items, pageInfo } = await page.content({ ...of, window: page.lastWeek(connection) });
  expect(pageInfo.completeForWindow).toBe(true);
  const [post] = items;
  expect(await page.contentItem({ ...of, providerContentId: post.providerContentId })).toEqual(post);

  const window = {
    publishedAfter: daysBefore(new Date().toISOString(), 60),
    publishedBefore: new Date().toISOString(),
  };
  const scan = await page.requestRefresh({ ...of, window: { ...window, maxItems: 20 } });
  const { status, continuationCursor } = await page.waitForJob(scope, connectionId, scan.id);
  expect(status).toBe('SUCCEEDED');
  for (const options of [{ continuationCursor }, { providerContentId: post.providerContentId }]) {
    const job = await page.requestRefresh({ ...of, ...options });
    expect((await page.waitForJob(scope, connectionId, job.id)).status).toBe('SUCCEEDED');
  }
  const receipts = await page.disconnectConnection(of);
  for (const receipt of [receipts.revokeJobId, receipts.eraseJobId]) {
    expect(await page.waitForJob(scope, connectionId, receipt)).toMatchObject({
      status: 'SUCCEEDED',
      creatorAction: null,
    });
  }
}

/** The fields of a type and of all types below it. */
function fieldNamesOf(type: GraphQLType | undefined): string[] {
  if (isNonNullType(type) || isListType(type)) return fieldNamesOf(type.ofType);
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [field.name, ...fieldNamesOf(field.type)]);
}
