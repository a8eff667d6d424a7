import { Type } from 'typebox'

/** The errors of both sockets by code, which never changes, and when each is said. */
const shared = {
  MALFORMED_MESSAGE: 'the text is no message, or lacks what its type needs',
  RATE_LIMITED: 'more messages or sound than allowed; the excess was dropped',
  FRAME_TOO_LARGE: 'a binary frame of sound was too large, and dropped',
} as const

/** What glasses may be told in `connection_error`. */
export const glassesSocketErrors = {
  ...shared,
  SESSION_ERROR: 'the session could not be opened; the socket closes',
} as const

/** What apps may be told in `tpa_connection_error`. */
export const appSocketErrors = {
  ...shared,
  UNKNOWN_MESSAGE_TYPE: 'there is no such type',
  NOT_AUTHENTICATED: 'the app has not introduced itself',
  INVALID_API_KEY: 'the key is not one of this package; the socket closes',
  SESSION_NOT_FOUND: 'there is no such session; the socket closes',
  APP_NOT_STARTED: 'nobody started this app in the session; the socket closes',
  INTERNAL_ERROR: 'the app could not be looked up; the socket closes',
  PERMISSION_DENIED: 'the system dashboard alone may do that',
  PHONE_DISCONNECTED: 'the phone is not connected, so that it cannot be asked',
  LOCATION_UNAVAILABLE: 'the phone did not say where the wearer is',
  PAYLOAD_TOO_LARGE: 'what one app says to another has a limit of its own',
  USER_NOT_REACHABLE: 'the app does not run at that wearer',
  ROOM_FULL: 'the room has as many members as it may have',
  TOO_MANY_ROOMS: 'the app is in as many rooms as it may be',
  NOT_IN_ROOM: 'only those in a room may speak there',
} as const

/** An error that glasses may be told. */
export type GlassesErrorCode = keyof typeof glassesSocketErrors

/** An error that apps may be told. */
export type AppErrorCode = keyof typeof appSocketErrors

/** Schema of the code of an error, with what each means. */
export function defineErrorCode<Code extends string>(errors: Readonly<Record<Code, string>>) {
  const meanings = Object.entries<string>(errors).map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
  return Type.Enum(Object.keys(errors) as Code[], { description: meanings.join('\n') })
}
