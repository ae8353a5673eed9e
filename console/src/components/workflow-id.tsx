import { shortenWorkflowId } from '../texts/format.ts';
import { CopyIconButton, TemporalLink } from './links.tsx';

interface WorkflowIdProps {
  readonly of: { readonly workflowId: string | null; readonly workflowUrl: string | null };
}

/** The id of a workflow, with a link to it in the Temporal UI if there is one. An attempt has a workflow once the person has come back with a code. */
export const WorkflowId = ({ of: { workflowId, workflowUrl } }: WorkflowIdProps) =>
  workflowId === null ? (
    'None: it starts when the person comes back with a code'
  ) : (
    <span className="line" style={{ columnGap: 2 }} title={workflowId}>
      {workflowUrl === null ? (
        shortenWorkflowId(workflowId)
      ) : (
        <TemporalLink url={workflowUrl}>{shortenWorkflowId(workflowId)}</TemporalLink>
      )}
      <CopyIconButton text={workflowId} name="the workflow's id" />
    </span>
  );
