export { Form } from './form.ts'
export { createGuardedAgent } from './guarded-agent.ts'
export { WebhookClient, type WebhookResponse, type WebhookTarget } from './webhook-client.ts'
