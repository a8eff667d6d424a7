import { Type } from 'typebox'

/** Errors of both sockets by code, with their meaning. Codes never change. */
const sharedErrors = {
  MALFORMED_MESSAGE: 'the message is invalid',
  RATE_LIMITED: 'the message or audio rate limit was exceeded; the excess was dropped',
  FRAME_TOO_LARGE: 'a binary audio frame was too large and was dropped',
} as const

/** Errors that `connection_error` reports to glasses. */
export const glassesSocketErrors = {
  ...sharedErrors,
  SESSION_ERROR: 'the session could not be opened; the socket is closed',
  GLASSES_IN_USE: 'another phone of the user has the glasses; the socket is closed',
} as const

/** Errors that `tpa_connection_error` reports to apps. */
export const appSocketErrors = {
  ...sharedErrors,
  UNKNOWN_MESSAGE_TYPE: 'the message type is unknown',
  NOT_AUTHENTICATED: 'the app has not sent tpa_connection_init',
  INVALID_API_KEY: 'the API key is invalid for this package; the socket is closed',
  SESSION_NOT_FOUND: 'the session does not exist; the socket is closed',
  APP_NOT_STARTED: 'the app was not started in this session; the socket is closed',
  INTERNAL_ERROR: 'the app could not be loaded; the socket is closed',
  PERMISSION_DENIED: 'only the system dashboard may do this',
  PHONE_DISCONNECTED: 'the phone is not connected',
  LOCATION_UNAVAILABLE: 'the phone did not report a location',
  PAYLOAD_TOO_LARGE: 'the payload exceeds the limit of app messages',
  USER_NOT_REACHABLE: 'the app is not running for that user',
  ROOM_FULL: 'the room has reached its maximum number of members',
  TOO_MANY_ROOMS: 'the app has joined its maximum number of rooms',
  NOT_IN_ROOM: 'only members of a room may send messages to it',
} as const

/** Code of an error on the glasses socket. */
export type GlassesErrorCode = keyof typeof glassesSocketErrors

/** Code of an error on the app socket. */
export type AppErrorCode = keyof typeof appSocketErrors

/** Defines the schema of an error code, with the meanings in its description. */
export function defineErrorCode<Code extends string>(errors: Readonly<Record<Code, string>>) {
  const meanings = Object.entries<string>(errors).map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
  return Type.Enum(Object.keys(errors) as Code[], { description: meanings.join('\n') })
}
