export interface ProofOfDeletion {
  readonly document: string;
  readonly signature: string;
}

export interface ParsedProof extends ProofOfDeletion {
  /** What it is of: `the connection …` or `the registration …`. */
  readonly subject: string;
  /** The name of a field of the file that differs from the same field of the signed document. */
  readonly contradiction: string | undefined;
}

/** Parses a downloaded proof of deletion; undefined for any other text. */
export function parseProof(text: string): ParsedProof | undefined {
  try {
    const { document, signature, ...others } = JSON.parse(text) as Record<string, unknown>;
    if (typeof document !== 'string' || typeof signature !== 'string') return undefined;
    const signed = Object(JSON.parse(document)) as Record<string, unknown>;
    const { connectionId, registrationId } = signed;
    const contradiction = Object.keys(others).find((name) => name in signed && signed[name] !== others[name]);
    const subject =
      connectionId === undefined ? `the registration ${registrationId}` : `the connection ${connectionId}`;
    return { document, signature, subject, contradiction };
  } catch {
    return undefined;
  }
}

/** @param isSigned whether the service has signed the document */
export function describeVerdict({ subject, contradiction }: ParsedProof, isSigned: boolean) {
  if (!isSigned)
    return {
      color: 'red',
      text: 'Not valid. Another service created the proof, it was altered, or its key was deleted.',
    };
  if (contradiction !== undefined)
    return { color: 'red', text: `Not valid. The file has a ${contradiction} that its signed document does not have.` };
  return { color: 'teal', text: `Valid. This service created the proof of ${subject}, and it is unaltered.` };
}
