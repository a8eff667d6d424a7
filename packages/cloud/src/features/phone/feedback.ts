import { feedbackBody, feedbackResponse, MAX_PHONE_REPORT_BYTES } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack } from './schemas.ts'

/** Accepts feedback for the operator. Feedback is stored and never logged. */
export const postFeedback = ({ now, phoneReports }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/feedback',
    summary: 'Send feedback to the operator',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: { body: feedbackBody, response: { 200: feedbackResponse } },
    limits: { bodyBytes: MAX_PHONE_REPORT_BYTES.feedback },
    errors: [],
    handler: async ({ caller: { user }, body: { feedback, phoneState } }) => {
      const at = now()
      const content = phoneState === undefined ? { feedback } : { feedback, phoneState }
      await phoneReports.add(user.id, 'feedback', content, at)
      return { ...ack(at), data: { feedback } }
    },
  })
