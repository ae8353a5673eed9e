/** The same, for versioned workers. */
import { setWorkflowOptions } from '@temporalio/workflow';
import '../../src/workflows/versioned.ts';
import { disconnect } from './next-workflows.ts';

export * from './next-workflows.ts';

setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, disconnect);
