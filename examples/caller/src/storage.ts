import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { ALL_PROVIDERS } from './texts.ts';

const text = z.string();
const provider = z.enum(ALL_PROVIDERS);

/** A connected account. The application stores it to show it even while the service refuses to read it. */
const KnownAccount = z.object({
  connectionId: text,
  provider,
  /** The name when the account was last read. The service does not show it while a reconnect is needed. */
  name: text.optional(),
  /** When the name was read. Platforms' terms allow to store it for 30 days. */
  nameReadAt: text.optional(),
  /** The last requested scan, and how many days it reads. The page shows its progress, and opens on them. */
  scanJobId: text.optional(),
  scanDays: z.number().optional(),
});
export type KnownAccount = z.infer<typeof KnownAccount>;

/**
 * The two jobs of a disconnect. The service keeps them for seven days. The jobs of a disconnect that the person did not request are
 * known once their webhooks have arrived.
 */
const Receipt = z.object({
  connectionId: text,
  provider,
  name: text,
  revokeJobId: text.optional(),
  eraseJobId: text.optional(),
  at: text,
});
export type Receipt = z.infer<typeof Receipt>;

const User = z.object({
  /** A random id, which is the `externalSubjectId` at the service. */
  id: text,
  issuer: text,
  idpSub: text,
  name: text.nullable(),
  accounts: z.array(KnownAccount),
  receipts: z.array(Receipt),
});
export type User = z.infer<typeof User>;

const SignedIn = z.object({ sessionHash: text, userId: text, expiresAtMs: z.number() });
const Contents = z.object({ users: z.array(User), signedIn: z.array(SignedIn) });
type Contents = z.infer<typeof Contents>;

const DAY_MS = 24 * 60 * 60 * 1000;
const NAME_KEPT_MS = 30 * DAY_MS;
/** The service's own time for receipts, and the time in which platforms want a disconnected account's data deleted. */
const RECEIPT_KEPT_MS = 7 * DAY_MS;

const isOf = (id: string) => (one: { connectionId: string }) => one.connectionId === id;
export const findAccount = ({ accounts }: User, connectionId: string) => accounts.find(isOf(connectionId));
export const findReceipt = ({ receipts }: User, connectionId: string) => receipts.find(isOf(connectionId));

/** Stores users and sign-ins in memory, and in a file if one is given. A real application uses a database. */
export class Storage {
  readonly #file: string | undefined;
  readonly contents: Contents = { users: [], signedIn: [] };

  /** @throws Error if the file exists and has another format. */
  constructor(file?: string) {
    this.#file = file;
    if (file !== undefined && existsSync(file)) this.contents = Contents.parse(JSON.parse(readFileSync(file, 'utf8')));
    this.forgetOld();
  }

  findUser(id: string): User | undefined {
    const found = this.contents.users.find((user) => user.id === id);
    if (found !== undefined) forgetOldOf(found);
    return found;
  }

  /** Forgets names and receipts of all users that are too old. To be called now and then, because people may never come back. */
  forgetOld(): void {
    this.contents.users.forEach(forgetOldOf);
    this.save();
  }

  /** Finds the user of a connection, also after its disconnect. */
  findOwner(connectionId: string): User | undefined {
    return this.contents.users.find((user) => findAccount(user, connectionId) ?? findReceipt(user, connectionId));
  }

  /** Finds or creates the user by issuer and subject. An e-mail address can change its owner, and two people may share one. */
  signInUser({ issuer, idpSub, name }: Pick<User, 'issuer' | 'idpSub' | 'name'>): User {
    const { users } = this.contents;
    const known = users.find((user) => user.issuer === issuer && user.idpSub === idpSub);
    const user = known ?? { id: randomUUID(), issuer, idpSub, name, accounts: [], receipts: [] };
    if (known === undefined) users.push(user);
    user.name = name;
    this.save();
    return user;
  }

  saveAccount(user: User, account: KnownAccount): void {
    const known = findAccount(user, account.connectionId);
    if (known === undefined) user.accounts.push(account);
    else {
      const { name = known.name, nameReadAt = known.nameReadAt, ...rest } = account;
      Object.assign(known, account.scanJobId === undefined ? { name, nameReadAt } : { ...rest, name, nameReadAt });
    }
    this.save();
  }

  /** Replaces the accounts by `listed`, the service's complete list. */
  replaceAccounts(user: User, listed: readonly KnownAccount[]): void {
    user.accounts = user.accounts.filter(({ connectionId }) => listed.some(isOf(connectionId)));
    for (const account of listed) this.saveAccount(user, account);
  }

  deleteAccount(user: User, connectionId: string): void {
    user.accounts = user.accounts.filter((account) => account.connectionId !== connectionId);
    this.save();
  }

  saveReceipt(user: User, receipt: Receipt): void {
    user.receipts = [receipt, ...user.receipts.filter(({ connectionId }) => connectionId !== receipt.connectionId)];
    this.deleteAccount(user, receipt.connectionId);
  }

  save(): void {
    if (this.#file === undefined) return;
    const next = `${this.#file}.next`;
    writeFileSync(next, JSON.stringify(this.contents, null, 2), { mode: 0o600 });
    renameSync(next, this.#file); // Replaces the file atomically.
  }
}

function forgetOldOf(user: User): void {
  const isWithin = (at: string | undefined, lifeMs: number) => at !== undefined && Date.parse(at) > Date.now() - lifeMs;
  for (const account of user.accounts) {
    if (isWithin(account.nameReadAt, NAME_KEPT_MS)) continue;
    delete account.name;
    delete account.nameReadAt;
  }
  user.receipts = user.receipts.filter(({ at }) => isWithin(at, RECEIPT_KEPT_MS));
}
