import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const provider = z.enum(['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C']);

/** An account somebody has connected, kept here so that it can be shown when the service refuses to read it. */
const KnownAccount = z.object({
  connectionId: z.string(),
  provider,
  /** The scan last asked for, whose progress is shown and which may be gone on with. */
  scanJobId: z.string().optional(),
});
export type KnownAccount = z.infer<typeof KnownAccount>;

/** What a disconnect left: two jobs that can be read for seven days. */
const Receipt = z.object({
  connectionId: z.string(),
  provider,
  name: z.string(),
  revokeJobId: z.string(),
  eraseJobId: z.string(),
  at: z.string(),
});
export type Receipt = z.infer<typeof Receipt>;

const User = z.object({
  /** Random, and what the service knows the person by: its `externalSubjectId`. */
  id: z.string(),
  issuer: z.string(),
  idpSub: z.string(),
  name: z.string().nullable(),
  accounts: z.array(KnownAccount),
  receipts: z.array(Receipt),
});
export type User = z.infer<typeof User>;

const SignedIn = z.object({ sessionHash: z.string(), userId: z.string(), expiresAtMs: z.number() });
export type SignedIn = z.infer<typeof SignedIn>;

const Contents = z.object({ users: z.array(User), signedIn: z.array(SignedIn) });

/** Users and sign-ins: in memory, and in one file if one is named. A real application has a database here. */
export class Storage {
  readonly #file: string | undefined;
  #users: User[] = [];
  #signedIn: readonly SignedIn[] = [];

  /** @throws Error when the file is there and is not one of ours. */
  constructor(file?: string) {
    this.#file = file;
    if (file !== undefined && existsSync(file)) {
      const { users, signedIn } = Contents.parse(JSON.parse(readFileSync(file, 'utf8')));
      this.#users = users;
      this.#signedIn = signedIn;
    }
  }

  findUser(id: string): User | undefined {
    return this.#users.find((user) => user.id === id);
  }

  /**
   * Who signed in. Only issuer and subject say so: an e-mail address can be handed on, and two people may show the same.
   */
  signInUser({ issuer, idpSub, name }: { issuer: string; idpSub: string; name: string | null }): User {
    let user = this.#users.find((known) => known.issuer === issuer && known.idpSub === idpSub);
    if (user === undefined) {
      user = { id: randomUUID(), issuer, idpSub, name, accounts: [], receipts: [] };
      this.#users.push(user);
    }
    user.name = name;
    this.#save();
    return user;
  }

  /** Adds an account, or notes something new of it. */
  noteAccount(user: User, account: KnownAccount): void {
    const known = user.accounts.find(({ connectionId }) => connectionId === account.connectionId);
    if (known === undefined) user.accounts.push(account);
    else if (account.scanJobId === undefined)
      return; // Nothing new.
    else known.scanJobId = account.scanJobId;
    this.#save();
  }

  /** Forgets the accounts that are no longer among `listed`, which are all the service has. */
  keepAccounts(user: User, listed: readonly KnownAccount[]): void {
    const isListed = ({ connectionId }: KnownAccount) =>
      listed.some((account) => account.connectionId === connectionId);
    if (!user.accounts.every(isListed)) user.accounts = user.accounts.filter(isListed);
    for (const account of listed) this.noteAccount(user, account);
  }

  forgetAccount(user: User, connectionId: string): void {
    user.accounts = user.accounts.filter((account) => account.connectionId !== connectionId);
    this.#save();
  }

  noteReceipt(user: User, receipt: Receipt): void {
    user.receipts = [receipt, ...user.receipts.filter(({ connectionId }) => connectionId !== receipt.connectionId)];
    this.forgetAccount(user, receipt.connectionId);
  }

  forgetReceipt(user: User, connectionId: string): void {
    user.receipts = user.receipts.filter((receipt) => receipt.connectionId !== connectionId);
    this.#save();
  }

  signedIn(): readonly SignedIn[] {
    return this.#signedIn;
  }

  saveSignedIn(signedIn: readonly SignedIn[]): void {
    this.#signedIn = signedIn;
    this.#save();
  }

  #save(): void {
    if (this.#file === undefined) return;
    const next = `${this.#file}.next`;
    writeFileSync(next, JSON.stringify({ users: this.#users, signedIn: this.#signedIn }, null, 2), { mode: 0o600 });
    renameSync(next, this.#file); // Whole or not at all.
  }
}
