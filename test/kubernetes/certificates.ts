import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });

/** Makes a certificate authority, `ca.crt` and `ca.key`, in a folder where there is none. @returns the folder */
export function openAuthority(folder: string): string {
  const key = path.join(folder, 'ca.key');
  if (!existsSync(key)) {
    const options = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', path.join(folder, 'ca.crt')];
    openssl('req', '-x509', ...options, '-subj', '/CN=test authority', '-days', '30');
  }
  return folder;
}

interface Subject {
  readonly subject?: string;
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
}

/** Issues `NAME.crt` and `NAME.key`, for a server with names or addresses, and for a client. */
export function issueCertificate(folder: string, name: string, subject: Subject = {}): void {
  const { subject: of = `/CN=${name}`, names = [], addresses = [] } = subject;
  const at = (ending: string) => path.join(folder, `${name}.${ending}`);
  const alternatives = [...names.map((one) => `DNS:${one}`), ...addresses.map((one) => `IP:${one}`)];
  writeFileSync(at('cnf'), alternatives.length === 0 ? '' : `subjectAltName=${alternatives.join(',')}\n`);
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('key'), '-out', at('csr'), '-subj', of);
  const authority = ['-CA', path.join(folder, 'ca.crt'), '-CAkey', path.join(folder, 'ca.key'), '-CAcreateserial'];
  openssl('x509', '-req', '-in', at('csr'), ...authority, '-days', '30', '-out', at('crt'), '-extfile', at('cnf'));
}
