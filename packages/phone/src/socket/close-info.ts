/** How a connection, or an attempt to connect, ended. */
export interface CloseInfo {
  /** WebSocket close code; 1006 if the connection was lost or never established. */
  readonly code: number
  readonly reason: string
  /** HTTP status of a rejected handshake. */
  readonly status?: number
  /** Whether the client retries automatically. */
  readonly willReconnect: boolean
}

/** Whether to retry a handshake rejected with this HTTP status: server errors, timeouts and rate limits (SIM-3). */
export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}
