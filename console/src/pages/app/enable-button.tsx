import { MutationButton } from '../../components/action-button.tsx';
import { type AppDetailsFragment, EnableAppDocument } from '../../generated/operations.ts';

export const EnableButton = ({ app: { id, name } }: { app: AppDetailsFragment }) => (
  <MutationButton
    mutation={EnableAppDocument}
    label="Enable"
    variant="filled"
    variables={{ id }}
    successMessage={`${name} is enabled.`}
  />
);
