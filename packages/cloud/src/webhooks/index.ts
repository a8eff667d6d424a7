export { MultipartForm } from './multipart-form.ts'
export {
  createGuardedAgent,
  ForbiddenAddress,
  isForbiddenIp,
  publicLookup,
  resolveHost,
} from './public-address.ts'
export { WebhookClient, type WebhookResponse, type WebhookTarget } from './webhook-client.ts'
export { webhookMetrics } from './webhook-metrics.ts'
