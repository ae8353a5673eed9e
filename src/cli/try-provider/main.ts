import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CAPABILITIES, PLATFORM_NAMES, PROVIDER_NAMES } from '../../basics/codes.ts';
import { ServiceError } from '../../basics/errors.ts';
import { Secret } from '../../basics/secret.ts';
import { readConfig, type TrialConfig } from '../../config/config.ts';
import { createAdapters } from '../../providers/adapters.ts';
import { observeAnswers } from '../../providers/answers.ts';
import { createCatalog } from '../../providers/catalog.ts';
import type { ProviderFacts } from '../../providers/facts.ts';
import { createHttp } from '../../providers/http.ts';
import type { Tokens } from '../../providers/provider.ts';
import { toPrintable } from '../format.ts';
import { readOptions } from '../read-options.ts';
import { awaitCallback, findListenPort } from './await-callback.ts';
import { TRY_COMMAND } from './command.ts';
import { Recorder } from './recording.ts';
import { type UnknownAnswer, writeReport } from './report.ts';
import { askLine, askSecret, tell } from './terminal.ts';
import { Transcript } from './transcript.ts';
import { runTrial, type Trial } from './trial.ts';

/** The platform chooses some of the names in it. */
const toPrintableLines = (text: string): string => text.split('\n').map(toPrintable).join('\n');

/** Runs the command. @returns its exit code: 1 if anything differed */
export async function runTryProvider([slug = '', ...args]: readonly string[]): Promise<number> {
  const name = PROVIDER_NAMES.find((one) => one === slug.toUpperCase().replace('-', '_'));
  if (name === undefined) throw new ServiceError('BAD_USER_INPUT', `Usage: ${TRY_COMMAND.usage}`);
  const options = readOptions(TRY_COMMAND, args);
  const config = readConfig('trial');
  const facts = createCatalog(config)[name];
  const tokensFile = typeof options.tokens === 'string' ? options.tokens : undefined;
  const permissions = choose(facts, options.permission);
  const listen = readListen(options.listen);
  const startedAt = new Date();
  const folder = tokensFile === undefined ? createFolder(slug, startedAt, options.report) : undefined;
  const tokensOut = tokensFile === undefined ? undefined : createTokensFile(tokensFile);

  const transcript = new Transcript(name, (text) => void process.stdout.write(`${toPrintableLines(text)}\n`));
  const recorder = new Recorder();
  const unknown: UnknownAnswer[] = [];
  // A stand-in on this machine has plain http; a real platform has a public address.
  const urls = Object.entries(config).filter(([key]) => /^PROVIDER_[A-Z]_(AUTHORIZE|TOKEN|API)_URL$/.test(key));
  const isPublic = urls.every(([, url]) => String(url).startsWith('https://'));
  const http = createHttp({ production: isPublic });
  const now = () => new Date();
  observeAnswers((read) => transcript.addRead(read));
  try {
    const keepsGrant = options['keep-grant'] === true;
    const trial: Trial = {
      ...(await askForClient(config, listen)),
      ...{ facts, permissions, keepsGrant, stopsAfterProfile: tokensFile !== undefined, now },
    };
    const adapters = createAdapters(
      config,
      recorder.record(transcript.record(http)),
      now,
      (_name, answer, madeOfIt) => {
        unknown.push({ ...answer, madeOfIt });
      },
    );
    transcript.say(`${facts.name}, ${startedAt.toISOString()}`);
    const tokens = await runTrial(trial, adapters[name], transcript, recorder);
    if (tokensOut !== undefined && tokens !== undefined) tokensOut.keep(tokens);
    transcript.end();
    if (folder === undefined) return transcript.differences.length === 0 ? 0 : 1;
    const { differences } = transcript;
    const { clientId } = trial.client;
    const endedAt = now();
    const recording = recorder.finish({
      ...{
        provider: name,
        isPublic,
        clientId,
        issuer: facts.issuer,
        permissions,
        keepsGrant,
        differences,
        now: endedAt,
      },
    });
    const report = writeReport({
      ...{ platform: PLATFORM_NAMES[name], startedAt, endedAt, recording, transcript, unknown },
    });
    writeFileSync(path.join(folder, 'report.md'), toPrintableLines(report));
    writeFileSync(path.join(folder, 'recording.json'), `${JSON.stringify(recording, undefined, 2)}\n`);
    tell(`\nThe report and the recording are in ${folder}. They have no token and no data of the account.`);
    return differences.length === 0 ? 0 : 1;
  } finally {
    observeAnswers(undefined);
    tokensOut?.close();
    await http.close();
  }
}

function choose({ permissionsFor }: ProviderFacts, given: unknown): readonly string[] {
  const all = permissionsFor(CAPABILITIES);
  if (!Array.isArray(given)) return all;
  const chosen = all.filter((one) => given.includes(one));
  if (chosen.length === new Set(given).size) return chosen;
  throw new ServiceError(
    'BAD_USER_INPUT',
    `--permission must be one of ${all.join(', ')}. Usage: ${TRY_COMMAND.usage}`,
  );
}

function readListen(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new ServiceError('BAD_USER_INPUT', `--listen must be a port. Usage: ${TRY_COMMAND.usage}`);
}

/** Creates the folder of the report, before the trial: its result must not be lost. */
function createFolder(slug: string, startedAt: Date, given: unknown): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const folder = typeof given === 'string' ? given : `try-${slug}-${time}`;
  try {
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch {
    throw new ServiceError('BAD_USER_INPUT', `The folder ${folder} cannot be created. Name another one with --report.`);
  }
}

/** Takes the client from the environment, or asks for it: an argument would be in the list of processes. */
async function askForClient(
  config: TrialConfig,
  listen: number | undefined,
): Promise<Pick<Trial, 'client' | 'redirectUri' | 'consent'>> {
  const clientId = config.TRY_CLIENT_ID ?? (await askLine('Client id: '));
  const clientSecret = config.TRY_CLIENT_SECRET ?? new Secret(await askSecret('Client secret (not shown): '));
  const redirectUri = config.TRY_REDIRECT_URI ?? (await askLine('Redirect URI, as registered at the platform: '));
  if (clientId === '' || clientSecret.reveal() === '' || !URL.canParse(redirectUri)) {
    throw new ServiceError('BAD_USER_INPUT', 'A client id, a client secret and a redirect URI are needed.');
  }
  const port = findListenPort(redirectUri, listen);
  const consent = async (address: string, state: string) => {
    tell(`\nOpen this address in a browser, and allow access:\n\n${address}\n`);
    return await awaitCallback(redirectUri, state, port);
  };
  return { client: { clientId, clientSecret }, redirectUri, consent };
}

/**
 * Creates the file for the tokens, which `npm run contract` reads, before the trial: its result must not be lost. A file or a link that
 * exists is refused, because others could read it.
 */
function createTokensFile(file: string): { keep(tokens: Tokens): void; close(): void } {
  const open = () => {
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      return openSync(file, 'wx', 0o600);
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'exists already' : 'cannot be created';
      throw new ServiceError('BAD_USER_INPUT', `The file ${file} ${reason}. Name another one with --tokens.`);
    }
  };
  const descriptor = open();
  let isKept = false;
  return {
    keep(tokens) {
      const kept = {
        ...tokens,
        accessToken: tokens.accessToken.reveal(),
        refreshToken: tokens.refreshToken?.reveal() ?? null,
      };
      writeFileSync(descriptor, JSON.stringify(kept));
      isKept = true;
      tell(`The tokens are in ${file}. Delete it when you are done.`);
    },
    close() {
      closeSync(descriptor);
      if (!isKept) rmSync(file);
    },
  };
}
