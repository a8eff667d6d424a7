export { createGuardedAgent } from './guarded-agent.ts'
export { MultipartForm } from './multipart-form.ts'
export { WebhookClient, type WebhookResponse, type WebhookTarget } from './webhook-client.ts'
