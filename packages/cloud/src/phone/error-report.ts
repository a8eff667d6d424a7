import { phoneReportBytes } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { optionalCoreToken } from '../http/auth/index.ts'
import { endpoint } from '../http/endpoint.ts'

/** Fields in which older phones send their credentials along. */
const credentials = ['coreToken', 'core_token', 'token']

/** An error of a phone, which may be that its token is void: whoever sends it is heard. It is kept, and never logged. */
export const postErrorReport = endpoint({
  method: 'POST',
  url: ['/api/error-report', '/app/error-report'],
  summary: 'Report an error of the phone app',
  tags: ['phone'],
  style: 'bare',
  auth: optionalCoreToken,
  schema: { body: Type.Unknown(), response: { 200: Type.Object({ success: Type.Literal(true) }) } },
  limits: { bodyBytes: phoneReportBytes.error },
  errors: [],
  handler: async ({ caller, body, services }) => {
    const userId = caller.kind === 'user' ? caller.user.id : null
    await services.phoneReports.add(userId, 'error', withoutCredentials(body), services.now())
    return { success: true as const }
  },
})

function withoutCredentials(report: unknown): unknown {
  if (typeof report !== 'object' || report === null || Array.isArray(report)) return report ?? null
  return Object.fromEntries(Object.entries(report).filter(([name]) => !credentials.includes(name)))
}
