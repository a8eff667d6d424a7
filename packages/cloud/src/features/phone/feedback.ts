import { feedbackAnswer, feedbackBody, phoneReportBytes } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { takenAt } from './shapes.ts'

/** What a user has to say to the operator. It is kept, and never logged. */
export const postFeedback = endpoint({
  method: 'POST',
  url: '/api/client/feedback',
  summary: 'Tell the operator something',
  tags: ['phone'],
  style: 'bare',
  auth: coreToken,
  schema: { body: feedbackBody, response: { 200: feedbackAnswer } },
  limits: { bodyBytes: phoneReportBytes.feedback },
  errors: [],
  handler: async ({ caller: { user }, body: { feedback, phoneState }, services }) => {
    const now = services.now()
    const content = phoneState === undefined ? { feedback } : { feedback, phoneState }
    await services.phoneReports.add(user.id, 'feedback', content, now)
    return { ...takenAt(now), data: { feedback } }
  },
})
