import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });

/** Makes a certificate authority, `ca.crt` and `ca.key`, in a folder, and `tls.crt` and `tls.key` for a server with these names. */
export function makeCertificates(folder: string, names: readonly string[]): void {
  const at = (name: string) => path.join(folder, name);
  const authority = ['-newkey', 'rsa:2048', '-nodes', '-keyout', at('ca.key'), '-out', at('ca.crt')];
  openssl('req', '-x509', ...authority, '-subj', '/CN=test authority', '-days', '30');
  writeFileSync(at('tls.cnf'), `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\n`);
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('tls.key'), '-out', at('tls.csr'), '-subj', '/CN=tls');
  const signing = ['-CA', at('ca.crt'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '30'];
  openssl('x509', '-req', '-in', at('tls.csr'), ...signing, '-out', at('tls.crt'), '-extfile', at('tls.cnf'));
}
