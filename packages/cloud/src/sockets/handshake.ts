import type { Duplex } from 'node:stream'

/** The paths of each socket: its name first, then the aliases that older clients use. */
export const socketPaths = {
  glasses: ['/glasses-ws', '/ws/client'],
  app: ['/app-ws', '/tpa-ws', '/ws/miniapp'],
} as const satisfies Record<string, readonly string[]>

/** Returns the socket that a path belongs to. */
export function socketAt(path: string): keyof typeof socketPaths | undefined {
  const paths: Record<string, readonly string[]> = socketPaths
  if (paths.glasses?.includes(path)) return 'glasses'
  return paths.app?.includes(path) ? 'app' : undefined
}

/** A rejected handshake: an HTTP status and the JSON body that clients of this ecosystem expect. */
export interface HandshakeRejection {
  readonly status: '400 Bad Request' | '401 Unauthorized' | '404 Not Found' | '503 Service Unavailable'
  readonly type: 'connection_error' | 'tpa_connection_error'
  readonly code: string
  readonly message: string
  /** Counted instead of the code, where the operator needs to know more than the client. */
  readonly reason?: string
}

export const notFound: HandshakeRejection = {
  status: '404 Not Found',
  type: 'connection_error',
  code: 'NOT_FOUND',
  message: 'No socket is served at this path',
}

export const unavailable: HandshakeRejection = {
  status: '503 Service Unavailable',
  type: 'connection_error',
  code: 'NOT_READY',
  message: 'The cloud does not accept connections at the moment; try again',
}

export const invalidHandshake = (message: string): HandshakeRejection => ({
  status: '400 Bad Request',
  type: 'connection_error',
  code: 'BAD_HANDSHAKE',
  message,
})

export const glassesUnauthorized = (message: string): HandshakeRejection => ({
  status: '401 Unauthorized',
  type: 'connection_error',
  code: 'INVALID_TOKEN',
  message,
})

export const appUnauthorized = (code: string, message: string): HandshakeRejection => ({
  status: '401 Unauthorized',
  type: 'tpa_connection_error',
  code,
  message,
})

/** Writes the HTTP response of a rejected handshake and closes the connection. */
export function rejectHandshake(
  socket: Duplex,
  { status, type, code, message }: HandshakeRejection,
  timestamp: string,
): void {
  const body = JSON.stringify({ type, code, message, timestamp })
  socket.once('finish', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nSec-WebSocket-Version: 13\r\nConnection: close\r\n\r\n${body}`,
  )
}
