import { type Decoded, decode, type Message } from '@glasses-cloud/contract'
import type { RawData, WebSocket } from 'ws'
import type { Clock } from '../session/index.ts'
import type { SocketLimits } from './limits.ts'
import type { Heard, SoundReader } from './sound-reader.ts'
import { TokenBucket } from './token-bucket.ts'
import type { WsPeer } from './ws-peer.ts'

/** Where what comes in on a socket goes. */
export interface InboxHandlers {
  message(message: Message): void
  /** Absent where only text is read. */
  readonly sound?: SoundHandlers
  /** Something was refused; the socket stays open. */
  refuse(code: RefusalCode, reason: string): void
}

/** Where binary frames go. */
export interface SoundHandlers {
  /** Who reads the next one. */
  reader(): SoundReader
  heard(sound: Heard): void
}

type RefusalCode = 'MALFORMED_MESSAGE' | 'RATE_LIMITED' | 'FRAME_TOO_LARGE'

/**
 * What a binary frame costs at least of the budget, in bytes of PCM: two milliseconds. Phones send longer ones, and a
 * flood of tiny ones costs the cloud as much as its number.
 */
const SMALLEST_FRAME = 64

/** What a JSON `ping` is long at most, in bytes, its time included. */
const LONGEST_PING = 100

/**
 * Reads a socket within its limits: frames become messages of one form or are refused, sound becomes whole
 * samples. What a client can do wrong faster than 50 times a second is answered once a second.
 */
export function readInbox(
  ws: WebSocket,
  peer: WsPeer,
  handlers: InboxHandlers,
  limits: SocketLimits,
  clock: Clock,
): void {
  const messages = new TokenBucket(clock, limits.messagesPerSecond)
  // Phones send what they gathered while the link was down in one go, so the budget spans two seconds.
  const budget = new TokenBucket(clock, limits.audioBytesPerSecond, 2 * limits.audioBytesPerSecond)
  // A phone that gets no `pong` takes the connection for dead, so its pings do not wait behind what else it says.
  const pings = new TokenBucket(clock, 1)
  const saidAt = new Map<RefusalCode, number>()

  const refuseOnceASecond = (code: RefusalCode, reason: string) => {
    const now = clock.now()
    if (now - (saidAt.get(code) ?? Number.NEGATIVE_INFINITY) < 1_000) return
    saidAt.set(code, now)
    handlers.refuse(code, reason)
  }

  const binary = (data: Buffer) => {
    const { sound } = handlers
    if (!sound) return refuseOnceASecond('MALFORMED_MESSAGE', 'Only text frames are read here')
    const reader = sound.reader()
    const isTooLarge = data.byteLength > limits.binaryBytes
    if (!isTooLarge && budget.take(Math.max(reader.weight(data.byteLength), SMALLEST_FRAME)))
      return sound.heard(reader.read(data))
    reader.skip(data)
    if (isTooLarge)
      refuseOnceASecond('FRAME_TOO_LARGE', `A binary frame holds at most ${limits.binaryBytes} bytes`)
    else refuseOnceASecond('RATE_LIMITED', 'More sound than twice real time; the excess was dropped')
  }

  const mayBePing = (data: Buffer) => data.byteLength <= LONGEST_PING && data.includes('"ping"')

  const text = (data: Buffer) => {
    // To read a message costs time by its length, which all who are connected share.
    const weight = Math.max(1, Math.ceil(data.byteLength / limits.messageBytes))
    if (!messages.take(weight) && !(mayBePing(data) && pings.take()))
      return refuseOnceASecond(
        'RATE_LIMITED',
        `More than ${limits.messagesPerSecond} messages a second; the excess was dropped`,
      )
    const decoded: Decoded = decode(data.toString('utf8'), peer.dialect)
    if (!decoded.ok) return handlers.refuse('MALFORMED_MESSAGE', decoded.reason)
    peer.settle(decoded.dialect)
    handlers.message(decoded.message)
  }

  ws.on('message', (data: RawData, isBinary: boolean) => {
    // With the library's default binary type every message is one buffer.
    if (isBinary) binary(data as Buffer)
    else text(data as Buffer)
  })
}
