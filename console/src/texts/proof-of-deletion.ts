export interface ProofOfDeletion {
  readonly document: string;
  readonly signature: string;
}

/** Parses a downloaded proof of deletion; undefined for any other text. */
export function parseProof(text: string): ProofOfDeletion | undefined {
  try {
    const { document, signature } = JSON.parse(text) as Record<string, unknown>;
    return typeof document === 'string' && typeof signature === 'string' ? { document, signature } : undefined;
  } catch {
    return undefined;
  }
}
