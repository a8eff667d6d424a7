import { type DecodeResult, decode, type Message } from '@glasses-cloud/contract'
import type { RawData } from 'ws'
import { LazyMap } from '../session/index.ts'
import type { Clock } from '../time/index.ts'
import type { AudioDecoder, DecodedAudio } from './audio-decoder.ts'
import type { SocketLimits } from './limits.ts'
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
}

type RejectionCode = 'MALFORMED_MESSAGE' | 'RATE_LIMITED' | 'FRAME_TOO_LARGE'

/** What a binary frame costs at least, in bytes of PCM (2 ms): each frame has a fixed cost, however short it is. */
const MIN_FRAME_COST_BYTES = 64

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

  const rejectOncePerInterval = (code: RejectionCode, reason: string) => {
    const now = clock.monotonicNow()
    if (now - (reportedAt.get(code) ?? Number.NEGATIVE_INFINITY) < REPORT_INTERVAL_MS) return
    reportedAt.set(code, now)
    handlers.reject(code, reason)
  }

  const readBinary = (data: Buffer) => {
    const { audio } = handlers
    if (!audio) return rejectOncePerInterval('MALFORMED_MESSAGE', 'This socket accepts text frames only')
    const decoder = audio.decoder()
    const isTooLarge = data.byteLength > limits.binaryBytes
    if (
      !isTooLarge &&
      budget().audioBytes.take(Math.max(decoder.pcmBytes(data.byteLength), MIN_FRAME_COST_BYTES))
    )
      return audio.decoded(decoder.decode(data))
    decoder.skip(data)
    if (isTooLarge)
      rejectOncePerInterval('FRAME_TOO_LARGE', `A binary frame may have at most ${limits.binaryBytes} bytes`)
    else rejectOncePerInterval('RATE_LIMITED', 'Audio exceeds twice real time; the excess was dropped')
  }

  const mayBePing = (data: Buffer) => data.byteLength <= MAX_PING_BYTES && data.includes('"ping"')

  const readText = (data: Buffer) => {
    // Parsing takes time in proportion to the length, on the event loop that all connections share.
    const cost = Math.max(1, Math.ceil(data.byteLength / limits.messageBytes))
    const { messages, pings } = budget()
    if (!messages.take(cost) && !(mayBePing(data) && pings.take()))
      return rejectOncePerInterval(
        'RATE_LIMITED',
        `More than ${limits.messagesPerSecond} messages a second; the excess was dropped`,
      )
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
