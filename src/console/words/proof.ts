export interface Proof {
  readonly document: string;
  readonly signature: string;
}

/** What a downloaded proof of deletion holds; undefined where that is not one. */
export function readProof(text: string): Proof | undefined {
  try {
    const { document, signature } = JSON.parse(text) as Record<string, unknown>;
    return typeof document === 'string' && typeof signature === 'string' ? { document, signature } : undefined;
  } catch {
    return undefined;
  }
}
