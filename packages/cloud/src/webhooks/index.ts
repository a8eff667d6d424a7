export { Form } from './form.ts'
export { createGuardedAgent } from './guarded-agent.ts'
export { type WebhookAnswer, WebhookClient, type WebhookTarget } from './webhook-client.ts'
