import { type DecodeResult, decode, type Message } from '@glasses-cloud/contract'
import type { RawData } from 'ws'
import { LazyMap, PCM_BYTES_PER_SECOND } from '../session/index.ts'
import type { Clock } from '../time/index.ts'
import type { AudioDecoder, DecodedAudio } from './audio-decoder.ts'
import { audioCostOf, type SocketLimits } from './limits.ts'
import type { SocketBudget } from './socket-budget.ts'
import type { ClientSocket, WsPeer } from './ws-peer.ts'

/** Receives what a socket has sent. */
export interface InboxHandlers {
  message(message: Message): void
  /** Absent for sockets that accept text frames only. */
  readonly audio?: AudioHandlers
  /** Reports a rejected frame; the socket stays open. */
  reject(code: RejectionCode, reason: string): void
}

/** Receives binary frames. */
export interface AudioHandlers {
  /** Returns the decoder of the next frame. */
  decoder(): AudioDecoder
  decoded(audio: DecodedAudio): void
  /**
   * Called when audio beyond the budget was dropped: immediately, once a second while that lasts, and before the next
   * frame that is decoded.
   * @param ms length of the audio dropped since the last call
   */
  dropped(ms: number): void
}

type RejectionCode = 'MALFORMED_MESSAGE' | 'RATE_LIMITED' | 'FRAME_TOO_LARGE'

/** Length of a JSON `ping` with a timestamp. */
const MAX_PING_BYTES = 100

/** How often a rejection code that needs no valid message is reported. */
const REPORT_INTERVAL_MS = 1_000

/**
 * Reads the frames of a socket within its limits: text frames become messages, binary frames become PCM. Excess and
 * oversized frames are dropped and reported once a second.
 * @param budget returns the budget that the next frame is charged to
 */
export function readInbox(
  ws: ClientSocket,
  peer: WsPeer,
  handlers: InboxHandlers,
  limits: SocketLimits,
  clock: Clock,
  budget: () => SocketBudget,
): void {
  const reportedAt = new LazyMap<RejectionCode, number>()
  let isDroppingAudio = false
  /** Bytes of PCM that were dropped and not reported. */
  let droppedBytes = 0

  const rejectOncePerInterval = (code: RejectionCode, reason: string): boolean => {
    const now = clock.monotonicNow()
    if (now - (reportedAt.get(code) ?? Number.NEGATIVE_INFINITY) < REPORT_INTERVAL_MS) return false
    reportedAt.set(code, now)
    handlers.reject(code, reason)
    return true
  }

  const reportDroppedAudio = (audio: AudioHandlers) => {
    if (droppedBytes > 0) audio.dropped((droppedBytes / PCM_BYTES_PER_SECOND) * 1_000)
    droppedBytes = 0
  }

  const readBinary = (data: Buffer) => {
    const { audio } = handlers
    if (!audio) {
      rejectOncePerInterval('MALFORMED_MESSAGE', 'This socket accepts text frames only')
      return
    }
    const decoder = audio.decoder()
    if (data.byteLength > limits.binaryBytes) {
      decoder.skip(data)
      rejectOncePerInterval('FRAME_TOO_LARGE', `A binary frame may have at most ${limits.binaryBytes} bytes`)
      return
    }
    const bytes = decoder.pcmBytes(data.byteLength)
    // One gap is heard as one; the same in many parts would make every word unintelligible.
    const left = isDroppingAudio ? PCM_BYTES_PER_SECOND : 0
    isDroppingAudio = !budget().audioBytes.take(audioCostOf(bytes), left)
    if (!isDroppingAudio) {
      reportDroppedAudio(audio)
      return audio.decoded(decoder.decode(data))
    }
    decoder.skip(data)
    droppedBytes += bytes
    if (rejectOncePerInterval('RATE_LIMITED', 'Audio exceeds twice real time; the excess was dropped'))
      reportDroppedAudio(audio)
  }

  const mayBePing = (data: Buffer) => data.byteLength <= MAX_PING_BYTES && data.includes('"ping"')

  const readText = (data: Buffer) => {
    // Parsing takes time in proportion to the length, on the event loop that all connections share.
    const cost = Math.max(1, Math.ceil(data.byteLength / limits.messageBytes))
    const { messages, pings } = budget()
    if (!messages.take(cost) && !(mayBePing(data) && pings.take())) {
      const reason = `More than ${limits.messagesPerSecond} messages a second; the excess was dropped`
      rejectOncePerInterval('RATE_LIMITED', reason)
      return
    }
    const decoded: DecodeResult = decode(data.toString('utf8'), peer.dialect)
    if (!decoded.ok) return handlers.reject('MALFORMED_MESSAGE', decoded.reason)
    peer.setDialect(decoded.dialect)
    handlers.message(decoded.message)
  }

  ws.on('message', (data: RawData, isBinary: boolean) => {
    // With the default binary type of ws, every message is one Buffer.
    if (isBinary) readBinary(data as Buffer)
    else readText(data as Buffer)
  })
}
