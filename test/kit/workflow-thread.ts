/**
 * Runs workflows in the process of the test. Temporal's library loads itself into a thread for each worker, which takes 1.4 s of the
 * processor, and most files start several. The processes of the built service have their threads.
 */
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';

process.env.TEMPORAL_DEBUG = '1';
// The hook would run at each promise of the process. It collects stack traces for a query that no test sends.
Object.assign(globalHandlers, { setPromiseHook() {} });
// Its handler ends the process at each rejection that is no workflow's.
Object.assign(ReusableVMWorkflowCreator, { unhandledRejectionHandlerHasBeenSet: true });
