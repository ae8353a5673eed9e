import { execFile } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FaultKind } from '../../sandbox/src/faults.ts';
import type { Platform, Token } from '../../sandbox/src/model.ts';
import { Random } from '../../sandbox/src/random.ts';
import { Refusal } from '../kit/graphql.ts';
import { Person } from '../kit/person.ts';
import { insertAdminToken } from '../kit/seed.ts';
import { makeTrouble, type Trouble } from '../kit/trouble.ts';
import { Caller } from './caller.ts';
import { compareRows, readRows } from './database-state.ts';
import { type Damage, Nemesis } from './nemesis.ts';
import { listCrashes, listRunning } from './remains.ts';
import { replayThroughFaults, startReplay } from './replays.ts';
import { type Credentials, FATES, type Member } from './restore-people.ts';
import { RestorePromises } from './restore-promises.ts';
import { listRemaining, settle } from './settle.ts';
import { insist, type Stage } from './stage.ts';
import { type Breakable, startAgain } from './supervised.ts';

/** Waiting revokes. A platform that loses its answer has ended the grant, so that one is no reason to wait. */
const OUTAGES: readonly [FaultKind, ...FaultKind[]] = [
  { kind: 'status', status: 503, retryAfterSeconds: 3_000 },
  { kind: 'status', status: 429, retryAfterSeconds: 3_000 },
  { kind: 'hang' },
];
/** The other ends of a revoke. */
const REVOKE_FAULTS: readonly [FaultKind, ...FaultKind[]] = [
  { kind: 'status', status: 503, retryAfterSeconds: 1 },
  { kind: 'status', status: 429, retryAfterSeconds: 1 },
  { kind: 'status', status: 500 },
  { kind: 'answerLost' },
  { kind: 'resetMidBody' },
];
const DAMAGES: readonly Damage[] = [
  'platform',
  'kill',
  'freeze',
  'restart',
  'kill at answer',
  'kill after commit',
  'kill during erase',
];
const FAULT_EVERY_MS = 500;
const AFTER_BACKUP_MS = 8_000;
const AFTER_RESTORE_MS = 5_000;
const SETTLE_WITHIN_MS = 120_000;
const JOURNAL_WITHIN_MS = 120_000;
/** A refresh whose answer was lost is tried again after a minute and a half. */
const REFRESH_WITHIN_MS = 240_000;
const CONNECT_TRIES = 4;
/** A replay writes instants of a moment ago. */
const LATELY_MS = 120_000;
const REFUSED = /older than the erasure journal/;

/** The result of one round. */
export interface Round {
  readonly replays: { readonly started: number; readonly killed: number };
  /** From the last repair. Null: an operator's clock had to help. */
  readonly settleSeconds: number | null;
  readonly objections: readonly string[];
}

/** People, a backup, faults, a disaster, a restore under faults: then everything that was promised must hold. */
export async function runRound(stage: Stage, seed: string): Promise<Round> {
  return await new RestoreRound(stage, seed).run();
}

class RestoreRound {
  readonly #stage: Stage;
  readonly #seed: string;
  readonly #random: Random;
  readonly #members: Member[] = [];
  readonly #outages: Trouble[] = [];
  readonly #objections: string[] = [];

  constructor(stage: Stage, seed: string) {
    this.#stage = stage;
    this.#seed = seed;
    this.#random = new Random(seed);
  }

  get #gone(): readonly Member[] {
    return this.#members.filter(({ fate }) => fate.leaves !== undefined);
  }

  async run(): Promise<Round> {
    const stage = this.#stage;
    const crashesBefore = listCrashes(stage).length;
    await this.#connectPeople();
    const credentials = await this.#issueCredentials();
    await this.#leaveBefore();
    await this.#backUp();
    await this.#breakAfterBackup(credentials);
    await this.#awaitJournal();
    const replays = await this.#restore();
    const healedAt = await this.#startThroughFaults();
    const settleSeconds = await settle(stage, healedAt, { settleWithinMs: SETTLE_WITHIN_MS });
    this.#object(await listRemaining(stage), (open) => `never ended: ${open}`);
    const promises = new RestorePromises(stage, this.#members);
    await promises.check(credentials);
    this.#objections.push(...promises.objections);
    this.#object(await listRemaining(stage), (open) => `never ended after all had left: ${open}`);
    this.#object(listCrashes(stage).slice(crashesBefore), (name) => `${name} ended by itself`);
    return { replays, settleSeconds, objections: this.#objections };
  }

  #object<T>(found: readonly T[], describe: (one: T) => string): void {
    this.#objections.push(...found.map(describe));
  }

  #require(isRight: boolean, { name, account }: Member, what: string): void {
    if (!isRight) this.#objections.push(`the person who ${name} (${account}): ${what}`);
  }

  // Before the backup -------------------------------------------------------------------------------------------------

  async #connectPeople(): Promise<void> {
    const { service, history } = this.#stage;
    for (const fate of FATES) {
      const provider = this.#random.pick(fate.providers);
      const account = this.#stage.takeAccount(provider);
      if (account === undefined) throw new Error(`${provider} has no accounts left.`);
      const name = `${fate.name}, at ${provider}`;
      const caller = new Caller(service.apiUrls, service.app.key, history, name);
      this.#members.push({ fate, name, person: new Person(service), caller, provider, account, connectionId: '' });
    }
    const connect = async (member: Member) => {
      const { connectionId } = await member.person.connect(member.provider, member.account);
      member.connectionId = connectionId;
      await member.person.synced(connectionId);
    };
    await Promise.all(this.#members.filter(({ fate }) => !fate.isNew).map(connect));
  }

  /** An app key and an admin token, to be revoked after the backup. */
  async #issueCredentials(): Promise<Credentials> {
    const { askAdmin: operate, service } = this.#stage;
    const issue = 'mutation ($i: IssueKeyInput!) { issueKey(input: $i) { key { id } secret } }';
    const { issueKey } = await operate(issue, { i: { appId: service.app.appId } });
    const expiresAt = new Date(this.#stage.now() + 3_600_000);
    const token = await insertAdminToken(service.database.sql, { label: this.#seed, role: 'VIEWER', expiresAt });
    return { keyId: issueKey.key.id, key: issueKey.secret, tokenId: token.tokenId, token: token.token };
  }

  async #leaveBefore(): Promise<void> {
    const leaving = this.#members.filter(({ fate }) => fate.leaves === 'before');
    for (const { provider, account, person, connectionId } of leaving) {
      const what = { kind: 'status', status: 503, retryAfterSeconds: 2 } as const;
      const outage = makeTrouble(this.#stage.service, { provider, route: 'revoke', account, what });
      await person.ask('disconnectConnection', { connectionId });
      await outage.met();
      this.#outages.push(outage);
    }
  }

  get #backup(): string {
    return `${this.#stage.postgres.data}-backup`;
  }

  async #backUp(): Promise<void> {
    const { postgres } = this.#stage;
    await this.#stopServices();
    await postgres.stop();
    await copyFolder(postgres.data, this.#backup);
    await postgres.start();
    await Promise.all(this.#services().map((part) => part.start()));
    for (const outage of this.#outages.splice(0)) outage.end();
  }

  #services() {
    const { apis, workers } = this.#stage.service;
    return [...workers, ...apis];
  }

  async #stopServices(): Promise<void> {
    await Promise.all(this.#services().map((part) => part.stop()));
  }

  // After the backup --------------------------------------------------------------------------------------------------

  async #breakAfterBackup(credentials: Credentials): Promise<void> {
    const { service } = this.#stage;
    for (const { provider, account } of this.#members.filter(({ fate }) => fate.waits)) {
      const what = this.#random.pick(OUTAGES);
      this.#outages.push(makeTrouble(service, { provider, route: 'revoke', account, what }));
    }
    const revoke = async (mutation: string, id: string) => {
      await delay(this.#random.int(0, AFTER_BACKUP_MS));
      await this.#operate(`mutation ($id: ID!) { ${mutation}(id: $id) { id } }`, { id });
    };
    const acts = async () => {
      const begun = this.#members.map(async (member) => {
        await delay(this.#random.int(0, AFTER_BACKUP_MS));
        await this.#act(member);
      });
      await Promise.all([
        ...begun,
        revoke('revokeKey', credentials.keyId),
        revoke('revokeAdminToken', credentials.tokenId),
      ]);
    };
    await this.#breakWhile('after', AFTER_BACKUP_MS, acts);
    // Otherwise the backup's unfinished disconnect might wait for its next try until the disaster.
    await this.#stage.retryJobs();
  }

  async #act(member: Member): Promise<void> {
    const { fate, person, caller, provider, account, connectionId } = member;
    const scope = { scope: person.scope, connectionId };
    if (fate.isNew) await this.#connectInTrouble(member, {});
    if (fate.refreshes) await this.#refreshInTrouble(member);
    if (fate.reconnects) await this.#connectInTrouble(member, { reconnectConnectionId: connectionId });
    if (fate.leaves === 'byApp') {
      if (!fate.waits && provider !== 'PROVIDER_C') this.#disturbRevoke(provider, account);
      const left = await caller.ask('disconnectConnection', scope);
      // NOT_FOUND: an earlier request without an answer has done it.
      const isAccepted = left !== undefined && ('value' in left || left.code === 'NOT_FOUND');
      this.#require(isAccepted, member, `its disconnect got ${JSON.stringify(left)}`);
    }
    if (fate.leaves === 'byOperator') {
      const isAccepted = (await this.#stage.eraseSubject(person.scope)) !== undefined;
      this.#require(isAccepted, member, 'its erasure was not accepted');
    }
  }

  #disturbRevoke(provider: Platform, account: string): void {
    const what = this.#random.pick(REVOKE_FAULTS);
    this.#stage.service.sandbox.control.addFault({ provider, route: 'revoke', account, what });
  }

  /** Connects again and again: a page may not load, an exchange may fail. */
  async #connectInTrouble(
    { person, provider, account }: Member,
    options: { reconnectConnectionId?: string },
  ): Promise<void> {
    for (let tries = 0; tries < CONNECT_TRIES; tries += 1) {
      const end = await person.connect(provider, account, options).catch(() => undefined);
      if (end?.status === 'COMPLETED') return;
      await delay(500);
    }
  }

  /** Ends the access token, and asks for refreshes until the platform has replaced the refresh token of the backup. */
  async #refreshInTrouble(member: Member): Promise<void> {
    const { person, caller, account, connectionId } = member;
    const { control } = this.#stage.service.sandbox;
    const isReplaced = () =>
      control.grants().some((one) => one.accountId === account && one.tokens.some(isSpentRefresh));
    control.expireTokens(account, 'access');
    const giveUpAt = Date.now() + REFRESH_WITHIN_MS;
    while (!isReplaced() && Date.now() < giveUpAt) {
      const asked = await caller.ask('requestRefresh', { scope: person.scope, connectionId });
      if (asked && 'value' in asked) await person.ended(connectionId, asked.value.id).catch(() => undefined);
      await delay(500);
    }
    this.#require(isReplaced(), member, 'its tokens were never refreshed');
  }

  /** Sends a mutation until it is done. */
  async #operate(mutation: string, variables: object): Promise<void> {
    const done = await insist(async () => {
      try {
        await this.#stage.askAdmin(mutation, variables);
      } catch (error) {
        // An earlier request without an answer has done it.
        if (!(error instanceof Refusal && error.code === 'NOT_FOUND')) throw error;
      }
      return true;
    });
    if (!done) this.#objections.push(`an operator's request was never accepted: ${mutation}`);
  }

  /** Everything that must survive is in the journal when no fact waits for it. */
  async #awaitJournal(): Promise<void> {
    const { database } = this.#stage.service;
    const giveUpAt = Date.now() + JOURNAL_WITHIN_MS;
    while (Date.now() < giveUpAt) {
      await delay(500);
      const [row] = await database.sql`select count(*)::int as waiting from journal_entry`;
      if (row?.waiting === 0) return;
    }
    this.#objections.push('the erasure journal never had all facts');
  }

  /** Breaks things for a while, and waits until everything is repaired and `work` has ended. */
  async #breakWhile(name: string, ms: number, work: () => Promise<void>): Promise<void> {
    const nemesis = new Nemesis(this.#stage, `${this.#seed}/${name}`, FAULT_EVERY_MS, DAMAGES);
    const stop = async () => {
      await delay(ms);
      nemesis.stop();
    };
    await Promise.all([nemesis.run(), stop(), work()]);
  }

  // The disaster ------------------------------------------------------------------------------------------------------

  async #restore(): Promise<{ started: number; killed: number }> {
    const { postgres, service } = this.#stage;
    await this.#stopServices();
    await (this.#random.next() < 0.5 ? postgres.kill() : postgres.stop());
    await this.#putBack();
    const since = Date.now() - LATELY_MS;
    await Promise.all(
      this.#services().map(async (part) => {
        const refused = await part.start().then(
          () => 'it started',
          (error: unknown) => String(error),
        );
        if (REFUSED.test(refused)) return;
        this.#objections.push(`${part.name} does not refuse the restored database: ${refused}`);
        await part.stop();
      }),
    );
    const held = this.#gone.filter(({ fate }) => fate.leaves !== 'before').map(({ connectionId }) => connectionId);
    const replays = await replayThroughFaults(this.#stage, held, this.#random);
    this.#object(await this.#listKeptWorkflows(), (id) => `the replay leaves a workflow running: ${id}`);
    const traces = this.#gone.filter(({ account }) => replays.output.includes(account));
    this.#object(traces, ({ name }) => `the output of the replay names the person who ${name}`);
    const found = await readRows(service);

    // The same backup once more, with one replay that nothing happens to.
    await postgres.stop();
    const aside = `${postgres.data}-replayed`;
    renameSync(postgres.data, aside);
    await this.#putBack();
    const start = await readRows(service);
    const undisturbed = await startReplay(service).ended;
    if (undisturbed.code !== 0) this.#objections.push(`a replay that nothing happens to fails: ${undisturbed.output}`);
    const expected = await readRows(service);
    this.#object(
      compareRows(start, since, found, expected),
      (table) => `an interrupted replay leaves other rows: ${table}`,
    );
    await postgres.stop();
    rmSync(postgres.data, { recursive: true });
    renameSync(aside, postgres.data);
    rmSync(this.#backup, { recursive: true });
    await postgres.start();
    return replays;
  }

  /** Lists workflows from before the replay: all services are stopped, so that only Schedules start any. */
  async #listKeptWorkflows(): Promise<string[]> {
    let running = await listRunning(this.#stage);
    for (let tries = 0; running.length > 0 && tries < 10; tries += 1) {
      await delay(1_000); // Temporal lists the end of a workflow a little later.
      running = await listRunning(this.#stage);
    }
    return running;
  }

  /** Puts a copy of the backup in the place of the database, which does not run. */
  async #putBack(): Promise<void> {
    const { postgres } = this.#stage;
    rmSync(postgres.data, { recursive: true, force: true });
    await copyFolder(this.#backup, postgres.data);
    await postgres.start();
  }

  /** Starts all services, and kills their dependencies as soon as the first worker works. @returns when all was repaired */
  async #startThroughFaults(): Promise<number> {
    const { service, postgres, temporal } = this.#stage;
    for (const { provider, account, fate } of this.#gone) {
      if (!fate.waits && provider !== 'PROVIDER_C' && this.#random.next() < 0.5) this.#disturbRevoke(provider, account);
    }
    const [first, ...others] = this.#services();
    if (first === undefined) throw new Error('There is no worker.');
    await first.start();
    await delay(this.#random.int(0, 800));
    const part = this.#random.pick<Breakable>([first, postgres, ...temporal]);
    await part.kill();
    await delay(this.#random.int(100, 1_000));
    await startAgain(part);
    await Promise.all(others.map(startAgain));
    await this.#breakWhile('restored', AFTER_RESTORE_MS, async () => undefined);
    for (const outage of this.#outages.splice(0)) outage.end();
    service.sandbox.control.clearFaults();
    return Date.now();
  }
}

const isSpentRefresh = ({ kind, isSpent }: Token): boolean => kind === 'refresh' && isSpent;

/** With owners and rights, which Postgres insists on. */
const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);
