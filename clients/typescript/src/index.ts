export type { CallOptions } from './call-options.js';
export { type Client, type ClientOptions, createClient } from './client.js';
export {
  ERROR_CODES,
  type ErrorCode,
  ReturnMismatchError,
  ServiceError,
  WaitTimeoutError,
  WebhookVerificationError,
} from './errors.js';
export type * from './generated/schema.js';
export type * from './generated/webhook-events.js';
export { continueScan, isFinished, type ScanOptions, type WaitOptions, waitForJob } from './jobs.js';
export {
  assertReturn,
  type Launch,
  type LaunchFormOptions,
  type LaunchPage,
  launchForm,
} from './launch.js';
export { eachConnection, eachContentItem } from './pages.js';
export { type VerifyOptions, verifyWebhook, type WebhookRequest } from './webhooks.js';
