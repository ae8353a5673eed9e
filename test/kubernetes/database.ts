// The service's two Postgres servers, and what a manager such as Patroni does with them: it promotes one, and leads the Service to it.
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { getAll, kubectl, waitFor } from './kubectl.ts';
import type { Node } from './node.ts';
import { psql } from './parts.ts';

const inParts = (...args: string[]) => kubectl(['--namespace', 'parts', ...args]);
const inside = (pod: string, script: string) =>
  inParts('exec', pod, '--container', 'postgres', '--', 'sh', '-euc', script);

/** Prints a copy of a running server's data, as `pg_basebackup` makes it, which not every image has. */
const PRINT_COPY = `
{ psql --username postgres --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 <<'SQL'
select pg_backup_start('standby', true);
\\! tar --create --file=/tmp/copy.tar --directory="$PGDATA" --exclude='./pg_wal/*' --exclude='./postmaster.*' . || true
\\o /tmp/backup_label
select labelfile from pg_backup_stop(false);
SQL
} >&2
tar --append --file=/tmp/copy.tar --directory=/tmp backup_label
cat /tmp/copy.tar
rm /tmp/copy.tar /tmp/backup_label
`;

export class Database {
  primary = 'postgres-0';
  standby = 'postgres-1';
  readonly #node: Node;
  #password = '';

  constructor(node: Node) {
    this.#node = node;
  }

  /** Makes the other server a standby that streams, whatever it was. @param isSynchronous each commit waits for it */
  async addStandby(isSynchronous: boolean): Promise<void> {
    const { primary, standby } = this;
    const encoded = await inParts('get', 'secret', 'passwords', '--output', 'jsonpath={.data.postgres}');
    this.#password = Buffer.from(encoded, 'base64').toString();
    await psql('alter system reset synchronous_standby_names', primary);
    const allowed = 'host replication all all scram-sha-256';
    await inside(primary, `grep -qx '${allowed}' $PGDATA/pg_hba.conf || echo '${allowed}' >> $PGDATA/pg_hba.conf`);
    await psql('select pg_reload_conf()', primary);

    await inParts('scale', 'statefulset/postgres', '--replicas', '2');
    await this.#isRunning(standby);
    await this.hold(standby);
    await inParts('delete', 'pod', standby, '--grace-period', '1'); // It loses its data.
    await this.#isRunning(standby);
    await this.#copy(primary, standby);
    const host = `${primary}.parts.svc.cluster.local`;
    const source = `host=${host} user=postgres password=${this.#password} application_name=standby connect_timeout=2`;
    await inside(
      standby,
      `touch $PGDATA/standby.signal; echo "primary_conninfo = '${source}'" >> $PGDATA/postgresql.auto.conf`,
    );
    await this.release(standby);
    if (isSynchronous) {
      await psql("alter system set synchronous_standby_names = 'standby'", primary);
      await psql('select pg_reload_conf()', primary);
    }
    const wanted = isSynchronous ? 'streaming|sync' : 'streaming|async';
    const find = 'select state, sync_state from pg_stat_replication';
    await waitFor('the standby', async () => (await psql(find, primary)) === wanted, 120_000);
  }

  #isRunning(pod: string) {
    return waitFor(`${pod} runs`, async () => (await this.#read(pod))?.status.containerStatuses?.[0]?.state.running);
  }

  async #read(pod: string) {
    return (await getAll('pods', '--namespace', 'parts')).find(
      ({ metadata }) => metadata.name === pod && metadata.deletionTimestamp === undefined,
    );
  }

  async #copy(from: string, to: string): Promise<void> {
    const script = `set -o pipefail
      kubectl -n parts exec ${from} -c postgres -- sh -euc "$PRINT_COPY" |
      kubectl -n parts exec --stdin ${to} -c postgres -- sh -euc 'tar --extract --directory="$PGDATA"'`;
    // On a busy machine, kubectl may lose the end of what a container prints.
    for (let tries = 1; ; tries += 1) {
      await inside(to, 'rm -rf "$PGDATA"; mkdir -p -m 700 "$PGDATA"');
      try {
        await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, PRINT_COPY } });
        return;
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
  }

  /** Once its Postgres ends, the pod waits. */
  async hold(pod: string): Promise<void> {
    await inside(pod, 'touch /var/lib/postgresql/held');
  }

  async release(pod: string): Promise<void> {
    await inside(pod, 'rm /var/lib/postgresql/held');
  }

  /** Ends a server without a word to anybody. */
  async kill(pod: string): Promise<void> {
    this.#node.killContainer(await this.#findContainer(pod));
  }

  /** Nothing reaches the pod or leaves it any more. Kubernetes does not notice, as if the network between nodes were cut. */
  async silence(pod: string): Promise<void> {
    this.#node.silenceContainer(await this.#findContainer(pod));
  }

  async #findContainer(pod: string): Promise<string> {
    const { containerID } = (await this.#read(pod))?.status.containerStatuses[0] ?? {};
    return String(containerID).replace('containerd://', '');
  }

  /** Deletes the pod of a server, which Kubernetes starts again on its volume. */
  async restart(pod: string): Promise<void> {
    await inParts('delete', 'pod', pod);
  }

  /** Makes the standby a primary, and leads the Service to it. @returns when it takes writes there, by `performance.now()` */
  async failOver(): Promise<number> {
    await psql('select pg_promote(true, 60)', this.standby);
    [this.primary, this.standby] = [this.standby, this.primary];
    await this.leadTo(this.primary);
    return await this.untilWritable();
  }

  /** Leads new connections to a pod. Those that are open stay where they are. */
  async leadTo(pod: string): Promise<void> {
    const selector = { 'statefulset.kubernetes.io/pod-name': pod };
    await inParts('patch', 'service', 'postgres', '--patch', JSON.stringify({ spec: { selector } }));
  }

  /** Ends the connections of the service's processes. */
  async cut(pod: string): Promise<void> {
    await psql("select pg_terminate_backend(pid) from pg_stat_activity where usename in ('api', 'worker')", pod);
  }

  /** Waits until the Service leads to a server that commits writes. @returns when, by `performance.now()` */
  async untilWritable(): Promise<number> {
    const host = await inParts('get', 'service', 'postgres', '--output', 'jsonpath={.spec.clusterIP}');
    const login = { host, user: 'postgres', password: this.#password, database: 'postgres' };
    for (;;) {
      const sql = postgres({ ...login, max: 1, connect_timeout: 1, onnotice: () => {} });
      const written = sql`comment on database postgres is 'written'`.then(
        () => true,
        () => false,
      );
      const isWritten = await Promise.race([written, delay(2_000, false)]);
      await sql.end({ timeout: 0 });
      if (isWritten) return performance.now();
      await delay(50);
    }
  }

  /** From now on the primary's commits do not reach the standby. */
  async startLosing(): Promise<void> {
    const position = await psql('select pg_current_wal_lsn()', this.primary);
    const hasAll = `select pg_last_wal_replay_lsn() >= '${position}'`;
    await waitFor('the standby has all', async () => (await psql(hasAll, this.standby)) === 't');
    await psql("alter system set primary_conninfo = ''", this.standby);
    await psql('select pg_reload_conf()', this.standby);
    const count = 'select count(*) from pg_stat_replication';
    await waitFor('the stream ends', async () => (await psql(count, this.primary)) === '0');
  }
}
