import { expect, test } from 'vitest';
import { describeVerdict, parseProof } from '../../console/src/texts/proof-of-deletion.ts';

const DOCUMENT = JSON.stringify({ connectionId: 'c1', provider: 'PROVIDER_B' });
const CERTIFICATE = JSON.stringify({ registrationId: 'r1', clientId: 'x' });

test.for([
  [{ connectionId: 'c1', document: DOCUMENT }, true, /^Valid\. This service created the proof of the connection c1,/],
  [
    { registrationId: 'r1', document: CERTIFICATE },
    true,
    /^Valid\. This service created the proof of the registration r1,/,
  ],
  [
    { connectionId: 'c2', document: DOCUMENT },
    true,
    /^Not valid\. The file has a connectionId that its signed document does not have/,
  ],
  [{ connectionId: 'c1', document: DOCUMENT }, false, /^Not valid\. Another service created the proof, it was altered/],
] as const)('a file with %o, whose signature is good: %s', ([file, isSigned, verdict]) => {
  const proof = parseProof(JSON.stringify({ ...file, signature: 's' }));
  expect(proof && describeVerdict(proof, isSigned).text).toMatch(verdict);
});

test.for(['', '{}', 'null', '{"document":1,"signature":"s"}', '{"document":"no JSON","signature":"s"}'])(
  '%j is no proof',
  (text) => {
    expect(parseProof(text)).toBeUndefined();
  },
);
