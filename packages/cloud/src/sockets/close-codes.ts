/** Every code the cloud closes a socket with (decision W3). A code's meaning never changes. */
export const closeCodes = {
  DONE: 1000,
  UNRESPONSIVE: 1001,
  BROKEN_FRAME: 1002,
  BROKEN_TEXT: 1007,
  REFUSED: 1008,
  TOO_BIG: 1009,
  FAILED: 1011,
  RESTART: 1012,
  TOO_SLOW: 1013,
  TOKEN_REVOKED: 4401,
  REPLACED: 4409,
} as const

/** What a close code means to a client. */
export interface Closing {
  readonly meaning: string
  /** Whether to connect again. */
  readonly reconnect: boolean
  /** What to mind in doing so. */
  readonly advice?: string
}

/** What each code means, and whether the client should connect again. */
export const closings: Readonly<Record<keyof typeof closeCodes, Closing>> = {
  DONE: {
    meaning:
      'The session or the app session is over in good order, or a newer socket of the app took its place',
    reconnect: false,
  },
  UNRESPONSIVE: { meaning: 'No pong for thirty seconds', reconnect: true },
  BROKEN_FRAME: { meaning: 'A frame against the protocol', reconnect: true, advice: 'once that is mended' },
  BROKEN_TEXT: { meaning: 'Text that is not UTF-8', reconnect: true, advice: 'once that is mended' },
  REFUSED: {
    meaning: 'The introduction of the app was refused, or none came in time',
    reconnect: false,
    advice: 'wait for the next session request',
  },
  TOO_BIG: {
    meaning: 'A frame was larger than its limit, or too much came before authentication',
    reconnect: true,
    advice: 'and send less',
  },
  FAILED: {
    meaning: 'The cloud could not open the session',
    reconnect: true,
    advice: 'with a growing pause',
  },
  RESTART: { meaning: 'The cloud restarts, or the session has just ended', reconnect: true },
  TOO_SLOW: {
    meaning: 'The client reads slower than its state messages come',
    reconnect: true,
    advice: 'a full snapshot follows',
  },
  TOKEN_REVOKED: {
    meaning: 'The token is no longer valid: logged out everywhere, or the account is gone',
    reconnect: false,
    advice: 'not with this token',
  },
  REPLACED: { meaning: 'The user connected other glasses', reconnect: false, advice: 'not by yourself' },
}
