/**
 * Every code the cloud closes a socket with, why, and whether the client should connect again (decision W3).
 * A code's meaning never changes.
 */
export const closeCodes = {
  /** The session or the app session is over in good order. Do not reconnect. */
  DONE: 1000,
  /** No pong for 30 seconds. Reconnect. */
  UNRESPONSIVE: 1001,
  /** The app's init was refused, or none came in time. Do not reconnect; wait for the next session request. */
  REFUSED: 1008,
  /** A frame was larger than its limit, and cut the connection. Reconnect, and send less. */
  TOO_BIG: 1009,
  /** The cloud could not open the session. Reconnect. */
  FAILED: 1011,
  /** The cloud restarts, or the session has just ended. Reconnect. */
  RESTART: 1012,
  /** The client reads slower than its state messages come. Reconnect; a full snapshot follows. */
  TOO_SLOW: 1013,
  /** The token is no longer valid: logged out everywhere, or the account is gone. Do not reconnect with it. */
  TOKEN_REVOKED: 4401,
  /** The user connected other glasses. Do not reconnect by yourself. */
  REPLACED: 4409,
} as const
