import {
  appliedDeviceState,
  audioConfiguration,
  audioConfigurationResponse,
  calendarReport,
  dateTimeReport,
  deviceReport,
  dismissalReport,
  locationReport,
  notificationReport,
  parseLocationReport,
  toAudioConfiguration,
  toAudioFormat,
} from '@glasses-cloud/contract'
import { type TProperties, Type } from 'typebox'
import type { Config } from '../../config/index.ts'
import { coreToken, none } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault, requireSession } from '../../http/fault.ts'
import { addIgnoredFields } from '../../http/ignored-fields.ts'
import type { Authenticator } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { Catalogue, HealthChecks } from '../catalogue/index.ts'
import type { OnboardingStore } from './onboarding-store.ts'
import type { PhoneReportStore } from './report-store.ts'

export interface PhoneEndpointDeps {
  readonly authenticator: Authenticator
  readonly catalogue: Catalogue
  readonly config: Config
  readonly healthChecks: HealthChecks
  /** Number of live user sessions in this process. */
  readonly liveSessions: () => number
  /** Epoch ms. */
  readonly now: () => number
  readonly onboardings: OnboardingStore
  readonly phoneReports: PhoneReportStore
  readonly sessions: SessionDirectory
  /** Its agent calls addresses that apps name. */
  readonly webhooks: WebhookClient
}

/** Acknowledgement of a report, with further fields. */
export const ackSchemaWith = <const More extends TProperties>(more: More) =>
  Type.Object({ success: Type.Literal(true), ...more, timestamp: Type.String({ format: 'date-time' }) })

const ackSchema = ackSchemaWith({})

const messageAckSchema = ackSchemaWith({ message: Type.String() })

const common = { tags: ['phone'], style: 'bare' } as const

/** What phones send without being asked by their user. */
const report = { ...common, limits: { isReport: true } } as const

export const deviceEndpoints = ({ authenticator, now, sessions }: PhoneEndpointDeps): Endpoint[] => [
  endpoint({
    ...report,
    method: 'POST',
    url: '/api/client/device/state',
    summary: 'Report the state of the glasses',
    auth: coreToken,
    schema: { body: deviceReport, response: { 200: ackSchemaWith({ appliedState: appliedDeviceState }) } },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const session = await requireSession(sessions, user.id)
      const appliedState = await session.reportDevice(body)
      return { ...ack(now()), appliedState }
    },
  }),
  endpoint({
    ...report,
    method: 'POST',
    url: '/api/client/audio/configure',
    summary: 'Set the format of the audio sent on the glasses socket',
    auth: coreToken,
    schema: { body: audioConfiguration, response: { 200: audioConfigurationResponse } },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const format = toAudioFormat(body)
      const session = await requireSession(sessions, user.id)
      // The phone reconnects and repeats the request.
      if (!(await session.configureAudio(format))) throw fault('NO_ACTIVE_SESSION')
      const { lc3Config } = toAudioConfiguration(format)
      const message =
        format.format === 'pcm'
          ? 'Sound is read as PCM'
          : `Sound is read as LC3, ${format.frameSizeBytes} bytes a frame`
      return { ...ack(now()), format: format.format, lc3Config, message }
    },
  }),
  endpoint({
    ...report,
    method: 'POST',
    url: '/api/client/location',
    summary: "Report the user's location",
    auth: coreToken,
    schema: { body: locationReport, response: { 200: ackSchema } },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const session = await requireSession(sessions, user.id)
      await session.reportLocation(parseLocationReport(body))
      return ack(now())
    },
  }),
  // Accepts the response to `request_single_location`. Without a pending poll it counts as a location report.
  endpoint({
    ...report,
    method: 'POST',
    url: '/api/client/location/poll-response/:correlationId',
    summary: 'Respond to a location poll of an app',
    auth: coreToken,
    schema: {
      params: Type.Object({ correlationId: Type.String({ minLength: 1, maxLength: 300 }) }),
      body: locationReport,
      response: {
        200: ackSchemaWith({ resolved: Type.Boolean({ description: 'Whether a poll was pending' }) }),
      },
    },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, params, body }) => {
      const session = await requireSession(sessions, user.id)
      const resolved = await session.answerLocationPoll(params.correlationId, parseLocationReport(body))
      return { ...ack(now()), resolved }
    },
  }),
  endpoint({
    ...report,
    method: 'POST',
    url: '/api/client/calendar',
    summary: "Report the user's calendar",
    auth: coreToken,
    schema: { body: calendarReport, response: { 200: ackSchema } },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const session = await requireSession(sessions, user.id)
      const unreadable = await session.reportCalendar(body.events)
      addIgnoredFields(
        body,
        unreadable.map((path) => `events${path}`),
      )
      return ack(now())
    },
  }),
  endpoint({
    ...report,
    method: 'POST',
    url: '/api/client/notifications',
    summary: 'Report a notification of the phone',
    auth: coreToken,
    schema: { body: notificationReport, response: { 200: messageAckSchema } },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const session = await requireSession(sessions, user.id)
      await session.notify(body)
      return { ...ack(now()), message: 'Notification received' }
    },
  }),
  endpoint({
    ...report,
    method: 'POST',
    url: '/api/client/notifications/dismissed',
    summary: 'Report that a notification was dismissed',
    auth: coreToken,
    schema: { body: dismissalReport, response: { 200: messageAckSchema } },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const session = await requireSession(sessions, user.id)
      await session.notificationDismissed(body)
      return { ...ack(now()), message: 'Notification dismissal received' }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/user-data/set-datetime',
    summary: "Report the phone's date and time",
    auth: none,
    schema: {
      body: dateTimeReport,
      response: {
        200: Type.Object({
          success: Type.Literal(true),
          userId: Type.String({ description: 'E-mail' }),
          datetime: Type.String(),
        }),
      },
    },
    errors: ['UNAUTHORIZED', 'SESSION_NOT_FOUND'],
    handler: async ({ body: { coreToken, datetime } }) => {
      const outcome = await authenticator.authenticateToken(coreToken, { scopes: ['core'] })
      if (!outcome.ok) throw fault('UNAUTHORIZED')
      if (Number.isNaN(Date.parse(datetime)))
        throw fault('BAD_REQUEST', { message: 'datetime must be a date and time' })
      const session = await sessions.find(outcome.user.id)
      if (session === undefined) throw fault('SESSION_NOT_FOUND')
      await session.reportDateTime(datetime)
      return { success: true as const, userId: outcome.user.email, datetime }
    },
  }),
  endpoint({
    ...report,
    method: 'POST',
    url: '/api/client/goodbye',
    summary: 'Announce that the phone disconnects',
    auth: coreToken,
    schema: { response: { 200: ackSchema } },
    errors: [],
    handler: async () => ack(now()),
  }),
]

/** Returns the fields of every acknowledgement. */
export function ack(now: number): { success: true; timestamp: string } {
  return { success: true, timestamp: new Date(now).toISOString() }
}
