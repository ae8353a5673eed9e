import { type Answer, ask, askAdmin, Refusal } from '../kit/graphql.ts';
import type { Person } from '../kit/person.ts';
import { findTraces, listGrants } from './remains.ts';
import type { Credentials, Member } from './restore-people.ts';
import type { Stage } from './stage.ts';

const REMOVE = 'REMOVE_APP_AT_PROVIDER';
const KINDS = ['REVOKE', 'ERASE'] as const;

/** Checks the promises to people, callers and operators by the specification, once all has settled. */
export class RestorePromises {
  readonly #stage: Stage;
  readonly #members: readonly Member[];
  readonly objections: string[] = [];

  constructor(stage: Stage, members: readonly Member[]) {
    this.#stage = stage;
    this.#members = members;
  }

  /** Disconnects and connects again as well: an account must not stay taken. */
  async check(credentials: Credentials): Promise<void> {
    await this.#checkGone();
    await this.#checkCredentials(credentials);
    await Promise.all(this.#members.map((member) => this.#checkMember(member)));
  }

  #require(isRight: boolean, { name, account }: Member, what: string): void {
    if (!isRight) this.objections.push(`the person who ${name} (${account}): ${what}`);
  }

  async #checkGone(): Promise<void> {
    const stage = this.#stage;
    stage.erased.splice(0);
    const gone = this.#members.filter(({ fate }) => fate.leaves !== undefined);
    for (const { name, account, fate, person } of gone) {
      // The id of a person who only disconnected stays with the results of attempts for a day.
      const subject = fate.leaves === 'byOperator' ? person.scope.externalSubjectId : undefined;
      stage.expectErased(name, account, subject);
    }
    for (const { flow, where } of await findTraces(stage))
      this.objections.push(`${where} still holds something of the person who ${flow}`);
    await Promise.all(gone.map((member) => this.#checkReceipts(member)));
  }

  async #checkReceipts(member: Member): Promise<void> {
    const read = await codeOf(member.person.connection(member.connectionId));
    this.#require(read === 'NOT_FOUND', member, `its connection is read with ${read}`);
    const receipts = await this.#listReceipts(member);
    for (const kind of KINDS) {
      const ends = receipts.filter((one) => one.kind === kind);
      const isRight =
        ends.length === 1 && ends.every(({ status, creatorAction }) => isEnd(kind, status, creatorAction));
      this.#require(isRight, member, `its receipt of ${kind} is ${JSON.stringify(ends)}`);
    }
    this.#checkGrants(member, receipts);
  }

  /** No grant is alive, unless a receipt asks the person to remove the app. */
  #checkGrants(member: Member, receipts: readonly Answer[]): void {
    const alive = listGrants(this.#stage).filter(({ account, isUsable }) => account === member.account && isUsable);
    const isTold = receipts.some(({ creatorAction }) => creatorAction === REMOVE);
    this.#require(alive.length === 0 || isTold, member, 'a grant is alive at the platform, and no receipt says so');
  }

  async #listReceipts({ connectionId }: Member): Promise<readonly Answer[]> {
    const query = 'query ($f: JobFilter) { jobs(filter: $f, first: 100) { items { kind status creatorAction } } }';
    return (await this.#stage.askAdmin(query, { f: { connectionId, kinds: KINDS } })).jobs.items;
  }

  async #checkCredentials(credentials: Credentials): Promise<void> {
    for (const url of this.#stage.service.apiUrls) {
      const codes = {
        'app key': await codeOf(ask(`${url}/graphql`, credentials.key, 'integrationReadiness')),
        'admin token': await codeOf(askAdmin(url, credentials.token, '{ apps(first: 1) { items { id } } }')),
      };
      for (const [what, code] of Object.entries(codes))
        if (code !== 'UNAUTHENTICATED') this.objections.push(`a revoked ${what} is answered with ${code}`);
    }
  }

  async #checkMember(member: Member): Promise<void> {
    try {
      if (member.fate.leaves === undefined && !member.fate.isNew) await this.#checkStayed(member);
      else await this.#checkFreeSlot(member);
    } catch (error) {
      this.#require(false, member, String(error));
    }
  }

  /** Who stayed is connected, or is asked to reconnect if the restore has lost the tokens, and then is connected. */
  async #checkStayed(member: Member): Promise<void> {
    const { fate, person, connectionId, provider, account } = member;
    const state = await stateOf(person, connectionId);
    const hasLostTokens = fate.refreshes || fate.reconnects;
    const isRight = state === 'CONNECTED' || (hasLostTokens && state === 'RECONNECT_REQUIRED');
    this.#require(Boolean(isRight), member, `its connection is ${state}`);
    if (fate.leavesAtLast) {
      await this.#leave(member);
      return;
    }
    const refreshed = state === 'CONNECTED' ? await refresh(person, connectionId) : 'RECONNECT_REQUIRED';
    if (refreshed === 'SUCCEEDED') return;
    const isAsked = hasLostTokens && refreshed === 'RECONNECT_REQUIRED';
    this.#require(Boolean(isAsked), member, `its refresh ended with ${refreshed}`);
    const end = await person.connect(provider, account, { reconnectConnectionId: connectionId });
    this.#require(
      end.status === 'COMPLETED' && end.connectionId === connectionId,
      member,
      `its reconnect ended ${end.status} (${end.resultCode})`,
    );
    const after = await stateOf(person, connectionId);
    this.#require(after === 'CONNECTED', member, `after its reconnect the connection is ${after}`);
  }

  /** The account can be connected from the beginning, and disconnected. */
  async #checkFreeSlot(member: Member): Promise<void> {
    const { person, provider, account } = member;
    const end = await person.connect(provider, account);
    this.#require(end.status === 'COMPLETED', member, `connecting again ended ${end.status} (${end.resultCode})`);
    if (end.status !== 'COMPLETED') return;
    this.#require(end.connectionId !== member.connectionId, member, 'connecting again gave the erased connection');
    member.connectionId = end.connectionId;
    const { revoke, erase } = await this.#leave(member);
    const isRight = [revoke, erase].every(({ status }) => status === 'SUCCEEDED');
    this.#require(isRight, member, `the second disconnect ended ${revoke.status} and ${erase.status}`);
  }

  async #leave(member: Member): Promise<{ revoke: Answer; erase: Answer }> {
    const receipts = await member.person.disconnect(member.connectionId);
    const isErased = receipts.erase.status === 'SUCCEEDED';
    this.#require(isErased, member, `its erase ended ${receipts.erase.status} (${receipts.erase.errorCode})`);
    this.#checkGrants(member, [receipts.revoke]);
    return receipts;
  }
}

/** The ends that the specification and its decisions allow: a failed revoke reports that the grant may live on. */
const isEnd = (kind: (typeof KINDS)[number], status: string, creatorAction: string | null): boolean =>
  status === 'SUCCEEDED' || (kind === 'REVOKE' && status === 'FAILED' && creatorAction === REMOVE);

/** The code of a refusal; `answered` without one. */
const codeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'answered',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

/** The status of a connection, or the code of its refusal. */
const stateOf = (person: Person, connectionId: string): Promise<string> =>
  person.connection(connectionId).then(
    ({ status }) => status,
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

/** Scans the last days. @returns the job's status if it SUCCEEDED, otherwise its error or the code of its refusal */
async function refresh(person: Person, connectionId: string): Promise<string> {
  try {
    const { id } = await person.ask('requestRefresh', { connectionId });
    const { status, errorCode } = await person.ended(connectionId, id);
    return errorCode ?? status;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
