import { Type } from 'typebox'
import { coreToken, none } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import type { GuessLimiter } from '../../../identity/index.ts'
import type { BrowserLogins } from '../browser-logins.ts'
import { limitDeviceCodes, limitDeviceStarts } from '../guess-limits.ts'
import { pageLink } from '../links.ts'
import { coded, success, tags } from '../schemas.ts'
import { DEVICE_CODE_LIFETIME_MS, type DeviceSignIns, POLLING_INTERVAL_MS } from './device-sign-ins.ts'

export interface DeviceEndpointDeps {
  readonly devices: DeviceSignIns
  readonly browserLogins: BrowserLogins
  readonly guesses: GuessLimiter
  readonly publicUrl: () => URL
}

const userCode = Type.String({ minLength: 1, maxLength: 20, description: 'The code that the device shows' })

/** Starts the sign-in of a device: the user enters the code on a page of the cloud (RFC 8628, section 3.1). */
const startDeviceSignIn = ({ devices, guesses, publicUrl }: DeviceEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/device',
    summary: 'Start the sign-in of a device without a keyboard',
    ...coded,
    auth: none,
    schema: {
      body: Type.Object(
        {
          client_id: Type.Optional(
            Type.String({ maxLength: 100, description: 'Shown to the user if there is no `client_name`' }),
          ),
          client_name: Type.Optional(
            Type.String({
              maxLength: 100,
              description: 'Shown to the user, such as `Command line on laptop`',
            }),
          ),
        },
        { title: 'DeviceSignIn' },
      ),
      response: {
        200: Type.Object(
          {
            device_code: Type.String({ description: 'For POST /api/auth/device/token' }),
            user_code: Type.String({ description: 'For the user, such as `BCDF-GHJK`' }),
            verification_uri: Type.String({ format: 'uri' }),
            verification_uri_complete: Type.String({ format: 'uri' }),
            expires_in: Type.Integer({ description: 'Seconds' }),
            interval: Type.Integer({ description: 'Seconds between polls' }),
          },
          { title: 'DeviceCodes' },
        ),
      },
    },
    errors: ['TOO_MANY_ATTEMPTS', 'TOO_MANY_DEVICE_SIGN_INS'],
    handler: async ({ body, request, reply }) => {
      await limitDeviceStarts(guesses, { request, reply })
      const codes = await devices.start(body.client_name ?? body.client_id)
      if (codes === undefined) throw fault('TOO_MANY_DEVICE_SIGN_INS')
      return {
        device_code: codes.deviceCode,
        user_code: codes.userCode,
        verification_uri: pageLink(publicUrl(), '/device'),
        verification_uri_complete: pageLink(publicUrl(), '/device', { code: codes.userCode }),
        expires_in: DEVICE_CODE_LIFETIME_MS / 1000,
        interval: POLLING_INTERVAL_MS / 1000,
      }
    },
  })

const ERRORS = {
  authorization_pending: 'DEVICE_AUTHORIZATION_PENDING',
  slow_down: 'DEVICE_SLOW_DOWN',
  access_denied: 'DEVICE_ACCESS_DENIED',
  expired_token: 'DEVICE_CODE_EXPIRED',
  invalid_grant: 'DEVICE_CODE_INVALID',
} as const

/** Returns the tokens of an approved sign-in; a device asks repeatedly (RFC 8628, section 3.4). */
const pollDeviceToken = ({ devices }: DeviceEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/device/token',
    summary: 'Get the tokens of a device sign-in once the user has approved it',
    tags,
    style: 'bare',
    auth: none,
    schema: {
      body: Type.Object(
        {
          device_code: Type.String({ minLength: 1, maxLength: 200 }),
          grant_type: Type.Optional(Type.Literal('urn:ietf:params:oauth:grant-type:device_code')),
        },
        { title: 'DeviceTokenRequest' },
      ),
      response: {
        200: Type.Object(
          {
            access_token: Type.String({ description: 'The core token' }),
            token_type: Type.Literal('Bearer'),
            refresh_token: Type.String({ description: 'For POST /api/auth/refresh' }),
            expires_in: Type.Integer({ description: 'Lifetime of the core token in seconds' }),
          },
          { title: 'DeviceTokens' },
        ),
      },
    },
    errors: Object.values(ERRORS),
    handler: async ({ body, request }) => {
      const origin = { ipAddress: request.ip, userAgent: request.headers['user-agent'] }
      const outcome = await devices.poll(body.device_code, origin)
      if (!outcome.ok) throw fault(ERRORS[outcome.error])
      return {
        access_token: outcome.coreToken,
        token_type: 'Bearer' as const,
        refresh_token: outcome.refreshToken,
        expires_in: outcome.expiresIn,
      }
    },
  })

/** Returns which device a code belongs to, so that the user knows what they approve. */
const getDeviceSignIn = ({ devices, guesses, browserLogins }: DeviceEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/device/:userCode',
    summary: 'Get the device sign-in that a code stands for',
    ...coded,
    auth: coreToken,
    schema: {
      params: Type.Object({ userCode }),
      response: {
        200: Type.Object({
          clientName: Type.Union([Type.Null(), Type.String()]),
          expiresAt: Type.String({ format: 'date-time' }),
          isSignInRecent: Type.Boolean({
            description:
              'Whether you signed in within the last hour, as some uses of a device require; the console asks for it',
          }),
        }),
      },
    },
    errors: ['DEVICE_SIGN_IN_NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
    handler: async ({ params, caller, reply }) => {
      const succeeded = await limitDeviceCodes(guesses, reply, caller.user.id)
      const found = await devices.find(params.userCode)
      if (found === undefined) throw fault('DEVICE_SIGN_IN_NOT_FOUND')
      await succeeded()
      return {
        clientName: found.clientName ?? null,
        expiresAt: new Date(found.expiresAt).toISOString(),
        isSignInRecent: await browserLogins.isRecent(caller),
      }
    },
  })

const decision = (
  { devices, browserLogins, guesses }: DeviceEndpointDeps,
  { url, summary, status }: { url: string; summary: string; status: 'approved' | 'denied' },
) =>
  endpoint({
    method: 'POST',
    url,
    summary,
    ...coded,
    auth: coreToken,
    schema: {
      body: Type.Object({ userCode }, { title: 'DeviceDecision' }),
      response: { 200: success },
    },
    errors: ['DEVICE_SIGN_IN_NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
    handler: async ({ body, caller, reply }) => {
      const succeeded = await limitDeviceCodes(guesses, reply, caller.user.id)
      const login = await browserLogins.loginOf(caller)
      const by = { userId: caller.user.id, signedInAt: login?.signedInAt }
      if (!(await devices.decide(body.userCode, status, by))) throw fault('DEVICE_SIGN_IN_NOT_FOUND')
      await succeeded()
      return { success: true as const }
    },
  })

/** The endpoints of the device sign-in. */
export const deviceEndpoints = (deps: DeviceEndpointDeps) => [
  startDeviceSignIn(deps),
  pollDeviceToken(deps),
  getDeviceSignIn(deps),
  decision(deps, {
    url: '/api/auth/device/approve',
    summary: 'Sign a device in as yourself',
    status: 'approved',
  }),
  decision(deps, {
    url: '/api/auth/device/deny',
    summary: 'Reject the sign-in of a device',
    status: 'denied',
  }),
]
