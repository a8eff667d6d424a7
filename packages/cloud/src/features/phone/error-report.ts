import { MAX_PHONE_REPORT_BYTES } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { optionalCoreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { Authenticator } from '../../identity/index.ts'
import type { PhoneEndpointDeps } from './deps.ts'

/** Body fields and headers in which older phones send their token. */
const CREDENTIAL_FIELDS = ['coreToken', 'core_token', 'token']
const CREDENTIAL_HEADERS = ['x-core-token', 'core-token']

/**
 * Accepts an error report from anyone, because the error may be an invalid token. Reports are stored and never logged.
 */
export const postErrorReport = ({ authenticator, phoneReports, now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/error-report', '/app/error-report'],
    summary: 'Report an error of the phone app',
    tags: ['phone'],
    style: 'bare',
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
  })

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
