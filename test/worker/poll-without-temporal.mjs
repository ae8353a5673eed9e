// A worker whose Temporal vanishes behind it. Arguments: the folder of the build, Temporal's address.
import { connect, createServer } from 'node:net';
import { NativeConnection, Worker } from '@temporalio/worker';

const [dist, address] = process.argv.slice(2);
const { createLog } = await import(`${dist}/basics/log.js`);
const { startTelemetry } = await import(`${dist}/worker/telemetry.js`);
await startTelemetry({}, createLog('info'));

const temporal = new URL(`tcp://${address}`);
const sockets = new Set();
const way = createServer((near) => {
  const far = connect(Number(temporal.port), temporal.hostname);
  for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
  near.pipe(far).pipe(near);
});
await new Promise((resolve) => way.listen(0, '127.0.0.1', resolve));
const connection = await NativeConnection.connect({ address: `127.0.0.1:${way.address().port}` });
const worker = await Worker.create({ connection, taskQueue: 'nobody', activities: { nothing: async () => undefined } });
void worker.run();
way.close();
for (const socket of sockets) socket.destroy();
