import { CopyableText } from './links.tsx';

/** The id of an attempt's workflow, if the person has come back with a code. */
export const WorkflowId = ({ of: { workflowId } }: { of: { readonly workflowId: string | null } }) =>
  workflowId === null ? (
    'None: it starts when the person comes back with a code'
  ) : (
    <CopyableText text={workflowId} name="the workflow's id" />
  );
