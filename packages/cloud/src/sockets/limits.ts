/** Limits of each socket (decisions L2 and L4). */
export interface SocketLimits {
  readonly messagesPerSecond: number
  /** A text frame counts as one message for each started block of this many bytes. */
  readonly messageBytes: number
  /** Bytes of PCM a second: twice real time. */
  readonly audioBytesPerSecond: number
  /**
   * Milliseconds of silence after which the backlog of a client is accepted as a whole: a network that stalls for longer
   * loses the socket to the heartbeat.
   */
  readonly stallMs: number
  /** Largest text frame, in bytes. */
  readonly textBytes: number
  /** Largest binary frame, in bytes. */
  readonly binaryBytes: number
  /** Bytes that an app may send before it is authenticated. */
  readonly unauthenticatedBytes: number
  /** Milliseconds within which an app must authenticate. */
  readonly unauthenticatedMs: number
  /** Number of app sockets that may be unauthenticated at the same time. */
  readonly unauthenticatedSockets: number
  /** Number of those from one network (`networkOf`), so that it cannot lock out the others. */
  readonly unauthenticatedPerNetwork: number
  /** Milliseconds after which an unauthenticated socket is closed to admit another, if the number is reached. */
  readonly unauthenticatedSlotMs: number
  /** Milliseconds within which a client must respond to a close frame. */
  readonly closeMs: number
  /** Unsent bytes of a slow reader above which audio is queued. */
  readonly audioBacklogBytes: number
  /** Unsent bytes of a slow reader above which its socket is closed. */
  readonly stateBacklogBytes: number
}

/** What a frame of audio costs at least, in bytes of PCM (2 ms): each has a fixed cost, however short it is. */
const MIN_FRAME_COST_BYTES = 64

/** Returns what a frame of audio costs, in bytes. @param pcmBytes of the decoded frame */
export function audioCostOf(pcmBytes: number): number {
  return Math.max(pcmBytes, MIN_FRAME_COST_BYTES)
}

/** The default limits, as documented in `docs/sockets.md`. */
export const defaultLimits: SocketLimits = {
  messagesPerSecond: 50,
  messageBytes: 32 * 1024,
  audioBytesPerSecond: 64_000,
  stallMs: 40_000,
  textBytes: 1024 * 1024,
  binaryBytes: 64 * 1024,
  unauthenticatedBytes: 16 * 1024,
  unauthenticatedMs: 5_000,
  unauthenticatedSockets: 1_000,
  unauthenticatedPerNetwork: 500,
  unauthenticatedSlotMs: 1_000,
  closeMs: 5_000,
  audioBacklogBytes: 256 * 1024,
  stateBacklogBytes: 4 * 1024 * 1024,
}
