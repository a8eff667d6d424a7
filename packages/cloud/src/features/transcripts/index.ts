import { transcriptHistory } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Feature } from '../../feature.ts'
import { appKeyHeaders } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { toIsoString } from '../../time/index.ts'
import { parseRange } from './time-range.ts'

/** The transcript history of app sessions, under `/api/transcripts`. */
export function createTranscripts(deps: TranscriptsDeps): Feature {
  return { name: 'transcripts', endpoints: [getTranscripts(deps)] }
}

export interface TranscriptsDeps {
  /** Epoch ms. */
  readonly now: () => number
  readonly sessions: SessionDirectory
}

/** Returns the transcripts of an app session in one language (decision M3). */
const getTranscripts = ({ now, sessions }: TranscriptsDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/transcripts/:appSessionId',
    summary: 'Get the transcripts of an app session',
    tags: ['transcripts'],
    style: 'bare',
    auth: appKeyHeaders,
    namedUser: { in: 'params', field: 'appSessionId', as: 'appSession' },
    schema: {
      params: Type.Object({
        appSessionId: Type.String({ description: '<userSessionId>-<packageName>' }),
      }),
      querystring: Type.Object({
        duration: Type.Optional(
          Type.Number({
            minimum: 0,
            description: 'Seconds to look back from now; takes precedence over a range',
          }),
        ),
        startTime: Type.Optional(
          Type.String({ description: 'ISO 8601; UTC without a time zone. Requires endTime' }),
        ),
        endTime: Type.Optional(
          Type.String({ description: 'ISO 8601; UTC without a time zone. Requires startTime' }),
        ),
        language: Type.String({
          pattern: '^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,8}$',
          default: 'en-US',
          description: 'Language tag; without a region it selects every region',
        }),
      }),
      response: { 200: transcriptHistory },
    },
    errors: [
      'UNAUTHORIZED_PACKAGE',
      'TRANSCRIPTS_NOT_PERMITTED',
      'BAD_REQUEST',
      'TRANSCRIPT_RANGE_REQUIRED',
      'SESSION_NOT_FOUND',
      'TRANSCRIPTS_FAILED',
    ],
    failure: 'TRANSCRIPTS_FAILED',
    handler: async ({ caller, params, query }) => {
      const [userSessionId, packageName] = split(params.appSessionId)
      if (packageName !== undefined && packageName !== caller.app.packageName)
        throw fault('UNAUTHORIZED_PACKAGE')
      const parsed = parseRange(query, now())
      if (!parsed.ok) {
        throw parsed.problem === undefined
          ? fault('TRANSCRIPT_RANGE_REQUIRED')
          : fault('BAD_REQUEST', { message: parsed.problem })
      }
      const session = packageName === undefined ? undefined : await sessions.findBySessionId(userSessionId)
      const access = await session?.transcripts(caller.app.packageName, query.language, parsed.range)
      if (access === undefined) throw fault('SESSION_NOT_FOUND')
      if (!access.ok) {
        throw fault(access.reason === 'not_permitted' ? 'TRANSCRIPTS_NOT_PERMITTED' : 'SESSION_NOT_FOUND')
      }
      const segments = access.segments.map((segment) => ({
        ...segment,
        timestamp: toIsoString(segment.timestamp),
      }))
      return { language: query.language, segments }
    },
  })

/** Splits at the first hyphen: session ids contain none, package names may (decision I8). */
function split(appSessionId: string): [userSessionId: string, packageName: string | undefined] {
  const at = appSessionId.indexOf('-')
  return at < 0 ? [appSessionId, undefined] : [appSessionId.slice(0, at), appSessionId.slice(at + 1)]
}
