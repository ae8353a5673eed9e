import type { Mac } from '../vault/mac.ts';
import type { JournalLine, SignedLine } from './files.ts';

const PURPOSE = 'journal';
const partsOf = ({ number, entryId, kind, id, at }: JournalLine) => [String(number), entryId, kind, id, at] as const;

/** Signs a line and its number with the current key: write access to the journal's place is not enough to forge a line. */
export const signLine = (mac: Mac, line: JournalLine): SignedLine => ({
  ...line,
  mac: mac.of(PURPOSE, ...partsOf(line)).toString('base64url'),
});

/** Whether any configured key signed the line. */
export const isSigned = (mac: Mac, line: SignedLine): boolean =>
  mac.verify(Buffer.from(line.mac, 'base64url'), PURPOSE, ...partsOf(line));
