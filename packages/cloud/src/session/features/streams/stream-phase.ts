/** How a stream of the glasses stands. */
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
 * What a status of the glasses means (glasses socket protocol, 2.5).
 * @returns undefined for a word that is none of theirs; newer glasses may have more, and still stream
 */
export function parseStreamPhase(status: string): StreamPhase | undefined {
  return phases.get(status.toLowerCase())
}
