/** How a connection, or an attempt at one, ended. */
export interface CloseInfo {
  /** WebSocket close code; 1006 where the connection was cut or never came about. */
  readonly code: number
  readonly reason: string
  /** HTTP status of a refused handshake. */
  readonly status?: number
  /** Whether the glasses will try again by themselves. */
  readonly willReconnect: boolean
}

/** Close codes that ask the client to stay away: session over, refused, token revoked, other glasses took over. */
const FINAL_CLOSE_CODES = new Set([1000, 1008, 4401, 4409])

/** Whether coming back after this close makes sense. */
export function isRetryableClose(code: number): boolean {
  return !FINAL_CLOSE_CODES.has(code)
}

/** Whether asking again after this refusal of the handshake makes sense: the server's trouble, or too many at once. */
export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}
