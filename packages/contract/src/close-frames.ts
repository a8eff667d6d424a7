/** The code and the reason of a WebSocket close frame. */
export interface CloseFrame {
  readonly code: number
  readonly reason: string
}

/** A close frame of the catalogue: what it means and what the client does next. */
export interface CloseFrameEntry extends CloseFrame {
  readonly meaning: string
  /** Whether the client should connect again. The same for all frames of one code. */
  readonly reconnect: boolean
  /** How to reconnect, or what to do instead. */
  readonly advice?: string
}

/** Code of a client that closes its socket without an error. */
export const NORMAL_CLOSURE = 1000

/** Reported locally when a close frame without a code was received; never sent. */
export const NO_STATUS_RECEIVED = 1005

/** Reported locally when the connection was lost or never established; never sent. */
export const ABNORMAL_CLOSURE = 1006

/** Every close frame that the cloud sends (decision W3). The meaning of a code never changes. */
export const closeFrames = {
  SESSION_ENDED: {
    code: NORMAL_CLOSURE,
    reason: 'Session over',
    meaning: 'The user session ended',
    reconnect: false,
  },
  APP_STOPPED: {
    code: NORMAL_CLOSURE,
    reason: 'App stopped',
    meaning: 'The app session ended',
    reconnect: false,
  },
  APP_SOCKET_REPLACED: {
    code: NORMAL_CLOSURE,
    reason: 'Replaced by a newer connection',
    meaning: 'The app opened a newer socket for the same session',
    reconnect: false,
  },
  UNRESPONSIVE: { code: 1001, reason: 'No pong', meaning: 'No pong for 30 seconds', reconnect: true },
  PROTOCOL_ERROR: {
    code: 1002,
    reason: '',
    meaning: 'A frame violated the WebSocket protocol',
    reconnect: true,
    advice: 'once the client is fixed',
  },
  INVALID_TEXT: {
    code: 1007,
    reason: '',
    meaning: 'A text frame was not valid UTF-8',
    reconnect: true,
    advice: 'once the client is fixed',
  },
  /** Sent with the message of the preceding `tpa_connection_error` as its reason. */
  APP_REJECTED: {
    code: 1008,
    reason: 'App rejected',
    meaning:
      'The app could not be authenticated or is not expected in the session; the reason names the cause',
    reconnect: false,
    advice: 'wait for the next session request',
  },
  APP_INIT_TIMEOUT: {
    code: 1008,
    reason: 'tpa_connection_init was not received in time',
    meaning: 'The app did not authenticate in time',
    reconnect: false,
    advice: 'wait for the next session request',
  },
  API_KEY_REVOKED: {
    code: 1008,
    reason: 'The API key was revoked',
    meaning: 'The API key that the app authenticated with was revoked',
    reconnect: false,
    advice: 'wait for the next session request, and use another key',
  },
  FRAME_TOO_LARGE: {
    code: 1009,
    reason: '',
    meaning: 'A frame exceeded its size limit',
    reconnect: true,
    advice: 'and send smaller frames',
  },
  UNAUTHENTICATED_TOO_LARGE: {
    code: 1009,
    reason: 'Too many bytes before authentication',
    meaning: 'The app sent too much data before it was authenticated',
    reconnect: true,
    advice: 'and send tpa_connection_init first',
  },
  SESSION_FAILED: {
    code: 1011,
    reason: 'The session could not be opened',
    meaning: 'The cloud could not open the user session',
    reconnect: true,
    advice: 'with increasing delays',
  },
  SESSION_CRASHED: {
    code: 1011,
    reason: 'The session failed',
    meaning: 'The user session ended because of an internal error',
    reconnect: true,
    advice: 'with increasing delays',
  },
  APP_ADMISSION_FAILED: {
    code: 1011,
    reason: 'The app could not be loaded',
    meaning: 'The cloud could not authenticate the app because of an internal error',
    reconnect: true,
    advice: 'with increasing delays',
  },
  RESTARTING: { code: 1012, reason: 'The cloud restarts', meaning: 'The cloud restarts', reconnect: true },
  SESSION_REOPENS: {
    code: 1012,
    reason: 'Session over: reconnect for a new one',
    meaning: 'The user session ended while the socket was opening',
    reconnect: true,
  },
  NODE_LOST: {
    code: 1012,
    reason: 'The node of the session is not available',
    meaning: 'The socket lost its connection to the node that hosts the user session',
    reconnect: true,
  },
  TOO_SLOW: {
    code: 1013,
    reason: 'Too slow: reconnect for a full snapshot',
    meaning: 'The client reads more slowly than state messages are sent to it',
    reconnect: true,
    advice: 'a full snapshot follows',
  },
  APP_SLOT_LOST: {
    code: 1013,
    reason: 'Too many apps are connecting',
    meaning: 'Too many apps were connecting, and this one had not authenticated yet',
    reconnect: true,
    advice: 'with increasing delays',
  },
  LOGGED_OUT: {
    code: 4401,
    reason: 'Logged out',
    meaning: 'The user logged out everywhere and the token is revoked',
    reconnect: false,
    advice: 'obtain a new token first',
  },
  ACCOUNT_SUSPENDED: {
    code: 4401,
    reason: 'The account is suspended',
    meaning: 'An administrator suspended the account; its tokens are rejected',
    reconnect: false,
  },
  ACCOUNT_DELETED: {
    code: 4401,
    reason: 'The account was deleted',
    meaning: 'The account was deleted and the token is revoked',
    reconnect: false,
  },
  GLASSES_REPLACED: {
    code: 4409,
    reason: 'Replaced by a newer connection',
    meaning: 'The user connected other glasses',
    reconnect: false,
    advice: 'unless the user asks for it',
  },
  GLASSES_IN_USE: {
    code: 4409,
    reason: 'Another phone has the glasses',
    meaning: 'Phones of the user pushed each other out again and again; the one that is connected stays',
    reconnect: false,
    advice: 'unless the user asks for it',
  },
} as const satisfies Record<string, CloseFrameEntry>

const FINAL_CODES: ReadonlySet<number> = new Set(
  Object.values<CloseFrameEntry>(closeFrames).flatMap(({ code, reconnect }) => (reconnect ? [] : [code])),
)

/** Whether a client should reconnect after a socket closed with `code`; true for codes that the cloud never sends. */
export function shouldReconnect(code: number): boolean {
  return !FINAL_CODES.has(code)
}
