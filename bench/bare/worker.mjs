// A Temporal worker without our code.
import path from 'node:path';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

Runtime.install({ logger: new DefaultLogger('ERROR') });
const [address, taskQueue] = process.argv.slice(2);
const connection = await NativeConnection.connect({ address });
const activities = {
  nothing: async () => {},
  /** Reports when it began. */
  report: async () => void process.send(Date.now()),
};
const workers = await Promise.all([
  Worker.create({
    connection,
    taskQueue,
    workflowsPath: path.join(import.meta.dirname, 'workflows.mjs'),
    reuseV8Context: true,
  }),
  Worker.create({ connection, taskQueue: `${taskQueue}-calls`, activities }),
]);
process.once('SIGTERM', () => {
  for (const worker of workers) worker.shutdown();
});
process.send('ready');
await Promise.all(workers.map((worker) => worker.run()));
await connection.close();
process.disconnect();
