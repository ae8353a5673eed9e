import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority that signs certificates with `openssl`. */
export class Authority {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'authority-'));
  #count = 0;

  constructor(name: string) {
    const files = ['-keyout', 'ca.key', '-out', 'ca.crt'];
    this.#openssl('req', '-x509', ...NEW_KEY, ...files, '-days', '2', '-subj', `/CN=${name}`);
  }

  /** The path of its certificate. */
  get file(): string {
    return path.join(this.#folder, 'ca.crt');
  }

  get cert(): string {
    return readFileSync(this.file, 'utf8');
  }

  /** @param names such as `DNS:localhost,IP:::1`; without them the certificate has only its common name */
  issue(common: string, names?: string, days = 2): Certificate & { readonly files: Certificate } {
    this.#count += 1;
    const at = (extension: string) => path.join(this.#folder, `${this.#count}.${extension}`);
    const extensions = names === undefined ? '' : `subjectAltName=${names}\n`;
    writeFileSync(at('ext'), `basicConstraints=CA:FALSE\n${extensions}`);
    this.#openssl('req', ...NEW_KEY, '-keyout', at('key'), '-out', at('csr'), '-subj', `/CN=${common}`);
    const signing = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', at('ext')];
    this.#openssl('x509', '-req', '-in', at('csr'), '-out', at('crt'), '-days', String(days), ...signing);
    const files = { cert: at('crt'), key: at('key') };
    return { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8'), files };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #openssl(...args: string[]): void {
    execFileSync('openssl', args, { cwd: this.#folder, stdio: 'ignore' });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
