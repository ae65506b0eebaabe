export { type ClaimDeliveriesDeps, claimDeliveries, type DeliveryClaim, releaseDelivery } from './claim-deliveries.ts'
export { failHopeless, forgetEvents, listDeliveries, redeliver, sendTestEvent } from './deliveries.ts'
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  hasWebhookSecret,
  listWebhooks,
  rotateWebhookSecret,
  toEndpointUrl,
  updateWebhook,
} from './manage-webhooks.ts'
export { type RecordAttemptDeps, recordAttempt } from './record-attempt.ts'
export { type AttemptResult, RETRY_SECONDS } from './to-next-step.ts'
