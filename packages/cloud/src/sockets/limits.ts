/** What one socket may do (decisions L2 and L4). */
export interface SocketLimits {
  /** Text messages a second. */
  readonly messagesPerSecond: number
  /** Bytes of text that count as one message; a longer one counts for each of them that it begins. */
  readonly messageBytes: number
  /** Bytes of sound a second: twice real time. */
  readonly audioBytesPerSecond: number
  /** Bytes of one text frame. */
  readonly textBytes: number
  /** Bytes of one binary frame. */
  readonly binaryBytes: number
  /** Bytes an app may send before it is authenticated. */
  readonly unauthenticatedBytes: number
  /** Milliseconds an app has to authenticate. */
  readonly unauthenticatedMs: number
  /** App sockets that may wait for authentication at once. */
  readonly unauthenticatedSockets: number
  /** Milliseconds after which one that waits gives its place to the next, where all are taken. */
  readonly unauthenticatedPlaceMs: number
  /** Milliseconds a client has to answer a close before its connection is cut. */
  readonly closeMs: number
  /** Messages kept while the session of a fresh socket is being opened. */
  readonly earlyMessages: number
  /** Bytes that may wait in front of a slow reader before its sound is held back. */
  readonly audioBacklogBytes: number
  /** Bytes that may wait in front of a slow reader before it is told and closed. */
  readonly stateBacklogBytes: number
}

/** The limits of a running cloud, as `docs/sockets.md` tells them. */
export const defaultLimits: SocketLimits = {
  messagesPerSecond: 50,
  messageBytes: 32 * 1024,
  audioBytesPerSecond: 64_000,
  textBytes: 1024 * 1024,
  binaryBytes: 64 * 1024,
  unauthenticatedBytes: 16 * 1024,
  unauthenticatedMs: 5_000,
  unauthenticatedSockets: 1_000,
  unauthenticatedPlaceMs: 1_000,
  closeMs: 5_000,
  earlyMessages: 100,
  audioBacklogBytes: 256 * 1024,
  stateBacklogBytes: 4 * 1024 * 1024,
}
