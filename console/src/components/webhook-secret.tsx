import { ShownOnce } from './shown-once.tsx';

/** Shows a new webhook secret once. It is not stored anywhere, not even in this browser. */
export const NewWebhookSecret = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <ShownOnce
    what="webhook secret"
    advice="Send it to the app's owner over a secure channel now. The app verifies with it that an event comes from this service. It cannot be shown again. If it is lost, rotate the secret."
    secret={secret}
    onDone={onDone}
  />
);
