/** Sent after a fail-over to an endpoint that was told of something that is lost, whatever it asked for. */
export const WEBHOOK_CORRECTION = 'connection.corrected';
