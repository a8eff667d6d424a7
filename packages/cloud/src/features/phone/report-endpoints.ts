import { feedbackBody, feedbackResponse, MAX_PHONE_REPORT_BYTES } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { coreToken, optionalCoreToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import type { Authenticator } from '../../identity/index.ts'
import { ack, type PhoneEndpointDeps } from './device-endpoints.ts'

/** Body fields and headers in which older phones send their token. */
const CREDENTIAL_FIELDS = ['coreToken', 'core_token', 'token']

const CREDENTIAL_HEADERS = ['x-core-token', 'core-token']

const common = { tags: ['phone'], style: 'bare' } as const

export const reportEndpoints = ({ authenticator, now, phoneReports }: PhoneEndpointDeps): Endpoint[] => [
  // Accepts feedback for the operator. Feedback is stored and never logged.
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/client/feedback',
    summary: 'Send feedback to the operator',
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
  }),
  // Accepts an error report from anyone, because the error may be an invalid token. Reports are stored and never
  // logged.
  endpoint({
    ...common,
    method: 'POST',
    url: ['/api/error-report', '/app/error-report'],
    summary: 'Report an error of the phone app',
    auth: optionalCoreToken,
    schema: { body: Type.Unknown(), response: { 200: Type.Object({ success: Type.Literal(true) }) } },
    limits: { bodyBytes: MAX_PHONE_REPORT_BYTES.error },
    errors: [],
    handler: async ({ caller, body, request }) => {
      const userId =
        caller.kind === 'user' ? caller.user.id : await findReporter(request, body, authenticator)
      await phoneReports.add(userId, 'error', withoutCredentials(body), now())
      return { success: true as const }
    },
  }),
]

/** Returns the id of the user of the first valid token. */
async function findReporter(
  { headers }: FastifyRequest,
  body: unknown,
  authenticator: Authenticator,
): Promise<string | null> {
  const fields = isFields(body) ? CREDENTIAL_FIELDS.map((name) => body[name]) : []
  for (const token of [...CREDENTIAL_HEADERS.map((name) => headers[name]), ...fields]) {
    if (typeof token !== 'string' || token.length > 8_192) continue
    const outcome = await authenticator.authenticateToken(token, { scopes: ['core'] })
    if (outcome.ok) return outcome.user.id
  }
  return null
}

function withoutCredentials(report: unknown): unknown {
  if (!isFields(report)) return report ?? null
  return Object.fromEntries(Object.entries(report).filter(([name]) => !CREDENTIAL_FIELDS.includes(name)))
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
