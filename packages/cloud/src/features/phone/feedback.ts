import { feedbackBody, feedbackResponse, MAX_PHONE_REPORT_BYTES } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ack } from './schemas.ts'

/** What a user has to say to the operator. It is kept, and never logged. */
export const postFeedback = endpoint({
  method: 'POST',
  url: '/api/client/feedback',
  summary: 'Tell the operator something',
  tags: ['phone'],
  style: 'bare',
  auth: coreToken,
  schema: { body: feedbackBody, response: { 200: feedbackResponse } },
  limits: { bodyBytes: MAX_PHONE_REPORT_BYTES.feedback },
  errors: [],
  handler: async ({ caller: { user }, body: { feedback, phoneState }, services }) => {
    const now = services.now()
    const content = phoneState === undefined ? { feedback } : { feedback, phoneState }
    await services.phoneReports.add(user.id, 'feedback', content, now)
    return { ...ack(now), data: { feedback } }
  },
})
