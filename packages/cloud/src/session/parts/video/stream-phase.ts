/** The phase of a stream on the glasses. */
export type StreamPhase = 'initializing' | 'active' | 'stopping' | 'stopped' | 'error' | 'timeout'

const phases = new Map<string, StreamPhase>([
  ['initializing', 'initializing'],
  ['connecting', 'initializing'],
  ['reconnecting', 'initializing'],
  ['active', 'active'],
  ['streaming', 'active'],
  ['reconnected', 'active'],
  ['stopping', 'stopping'],
  ['stopped', 'stopped'],
  ['disconnected', 'stopped'],
  ['unknown', 'stopped'],
  ['error', 'error'],
  ['reconnect_failed', 'error'],
  ['timeout', 'timeout'],
])

/**
 * Maps a status of the glasses to a phase (glasses-socket.md §2.5).
 * @returns undefined for an unknown status: newer glasses may have more, and keep streaming
 */
export function parseStreamPhase(status: string): StreamPhase | undefined {
  return phases.get(status.toLowerCase())
}
