import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Authority, type Certificate } from './certificates.ts';
import { type OwnServer, startServer } from './postgres-server.ts';
import { hasProgram, serve } from './programs.ts';

const OTHER_HOST = 'The certificate of the database was issued for another host than DATABASE_URL names';
const NOT_TRUSTED =
  'The certificate of the database is not trusted: set DATABASE_CA_FILE to the certificate of its authority';

describe.skipIf(!hasProgram('openssl'))('TLS to Postgres', () => {
  let server: OwnServer;
  let ours: Authority;
  let stranger: Authority;
  let certificates: Record<string, Certificate>;
  let shown = '';

  beforeAll(async () => {
    server = await startServer();
    [ours, stranger] = [new Authority('ours'), new Authority('stranger')];
    certificates = {
      address: ours.issue('db', 'IP:127.0.0.1,IP:::1'),
      name: ours.issue('db', 'DNS:localhost'),
      both: ours.issue('db', 'DNS:localhost,IP:127.0.0.1,IP:::1'),
      'common address': ours.issue('127.0.0.1'),
      'other name': ours.issue('db', 'DNS:db.example.com'),
      expired: ours.issue('db', 'DNS:localhost,IP:127.0.0.1,IP:::1', -1),
      'of a stranger': stranger.issue('db', 'DNS:localhost,IP:127.0.0.1,IP:::1'),
    };
  });
  afterAll(async () => {
    ours.remove();
    stranger.remove();
    await server.stop();
  });

  /** Lets the server show a certificate to new connections. */
  async function show(kind: string): Promise<void> {
    if (shown === kind) return;
    shown = kind;
    const { cert = '', key = '' } = certificates[kind] ?? {};
    const files = {
      ssl_cert_file: server.store(`${kind.replaceAll(' ', '-')}.crt`, cert),
      ssl_key_file: server.store(`${kind.replaceAll(' ', '-')}.key`, key),
    };
    await server.set({ ...files, ssl_ca_file: server.store('ca.crt', ours.cert), ssl: 'on' });
    await expect.poll(async () => (await server.sql`show ssl_cert_file`)[0]?.sslCertFile).toBe(files.ssl_cert_file);
  }

  const migrate = (host: string, query: string, env: Record<string, string> = {}) =>
    serve(['migrate'], {
      DEPLOYMENT: 'development',
      LOG_LEVEL: 'error',
      DATABASE_URL: `postgres://accounts:${server.password}@${host}/accounts${query}`,
      ...env,
    });
  const verified = (host: string, env: Record<string, string> = { DATABASE_CA_FILE: ours.file }) =>
    migrate(`${host}:${server.port}`, '?sslmode=verify-full', env);
  const GOOD = { code: 0, text: '' };
  const refused = (words: string) => ({
    code: 1,
    text: expect.stringMatching(new RegExp(`^${words} \\([A-Z_]+\\)\\.\\n$`)),
  });

  test.each([
    ['address', '127.0.0.1', GOOD],
    ['address', '[::1]', GOOD],
    ['address', 'localhost', refused(OTHER_HOST)],
    ['name', 'localhost', GOOD],
    ['name', '127.0.0.1', refused(OTHER_HOST)],
    ['common address', '127.0.0.1', refused(OTHER_HOST)],
    ['expired', 'localhost', refused('The certificate of the database, or of its authority, has expired')],
    ['of a stranger', '127.0.0.1', refused(NOT_TRUSTED)],
  ])('a certificate for the %s, at %s', async (kind, host, ended) => {
    await show(kind);
    expect(await verified(host)).toEqual(ended);
  });

  test('needs the authority', async () => {
    await show('both');
    expect(await verified('localhost', {})).toEqual(refused(NOT_TRUSTED));
    expect(await migrate(`localhost:${server.port}`, `?sslmode=verify-full&sslrootcert=${ours.file}`)).toEqual(GOOD);
  });

  test.each([
    ['verify-ca', 'other name', GOOD],
    ['verify-ca', 'of a stranger', refused(NOT_TRUSTED)],
    ['require', 'of a stranger', refused(NOT_TRUSTED)],
  ])('sslmode=%s with a certificate for the %s', async (mode, kind, ended) => {
    await show(kind);
    const env = { DATABASE_CA_FILE: ours.file };
    expect(await migrate(`localhost:${server.port}`, `?sslmode=${mode}`, env)).toEqual(ended);
  });

  test('a Unix socket is found in both forms, and has no TLS', async () => {
    const encoded = encodeURIComponent(server.socket);
    expect(await migrate(`${encoded}:${server.port}`, '')).toEqual(GOOD);
    expect(await migrate('', `?host=${server.socket}&port=${server.port}&sslmode=verify-full`)).toEqual(GOOD);
    expect(await migrate(encodeURIComponent('/nowhere'), '')).toEqual({
      code: 1,
      text: 'The database cannot be reached (ENOENT).\n',
    });
  });

  test('a client certificate takes the place of a password', async () => {
    await show('both');
    await server.sql`create role certified login superuser`;
    const rules = 'hostssl all certified all cert\nhost all all all scram-sha-256\nlocal all all scram-sha-256\n';
    const [hba] = await server.sql`show hba_file`;
    await server.sql.unsafe(`copy (select unnest(string_to_array('${rules.trim()}', e'\n'))) to '${hba?.hbaFile}'`);
    await server.sql`select pg_reload_conf()`;
    const client = ours.issue('certified');
    const url = `postgres://certified@localhost:${server.port}/accounts?sslmode=verify-full`;
    const env = { DATABASE_URL: url, DATABASE_CA_FILE: ours.file };
    const files = { DATABASE_CERT_FILE: client.files.cert, DATABASE_KEY_FILE: client.files.key };
    expect(await migrate('', '', { ...env, ...files })).toEqual(GOOD);
    expect(await migrate('', '', env)).toMatchObject({
      code: 1,
      text: expect.stringContaining('The database refuses the'),
    });
  });
});
