import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = path.join(import.meta.dirname, '..', '..', 'src');

/** Code that decodes bytes and replaces the invalid ones by U+FFFD. */
const LENIENT =
  /new TextDecoder\(\)|setEncoding\('utf|toString\('utf-?8'\)|\.toString\(\)|, 'utf8'\)|readFile\('utf8'\)|transformTo|\breq\.(?:text|json|parseBody|formData)\(|response\.text\(/;

/** The files that do so, and why. Names of persons from outside go through `decodeUtf8`. */
const ALLOWED: Readonly<Record<string, string>> = {
  'api/admin/authenticated-cookie.ts': 'our own bytes, authenticated',
  'api/admin/console.ts': 'our own file',
  'api/cursors.ts': 'our own bytes, authenticated',
  'api/graphql/schema-texts.ts': 'our own file',
  'cli/remote/admin-api.ts': 'the answer of the service, which is JSON from JSON.stringify',
  'cli/try-provider/recording.ts': 'a recording that the program wrote',
  'cli/try-provider/redact.ts': 'a text that is compared and left out',
  'cli/try-provider/report.ts': 'our own files',
  'config/database-files.ts': 'certificates and a key, which are ASCII',
  'identity/check-id-token.ts': 'a hash of a text',
  'journal/bucket.ts': 'our own lines, signed',
  'journal/directory.ts': 'our own lines, signed',
  'providers/http.ts': 'a platform may cut a title inside a character: that must not fail the page',
  'store/sql-files.ts': 'our own files',
  'vault/open.ts': 'our own bytes, sealed',
  'worker/telemetry.ts': 'our own metrics',
};

test('bytes from outside are decoded by decodeUtf8 alone', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const lenient = files.filter((file) => LENIENT.test(readFileSync(path.join(SOURCES, file), 'utf8')));
  expect(lenient.filter((file) => !file.startsWith('generated/')).sort()).toEqual(Object.keys(ALLOWED).sort());
});
