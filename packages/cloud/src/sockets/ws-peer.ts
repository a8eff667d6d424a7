import {
  type Dialect,
  encode,
  encodeStream,
  type Message,
  type OutgoingDialect,
  type StreamEnvelope,
} from '@glasses-cloud/contract'
import type { WebSocket } from 'ws'
import type { Peer } from '../session/index.ts'
import { closeCodes } from './close-codes.ts'
import type { SocketLimits } from './limits.ts'

/** What a peer tells of itself. */
export interface PeerEvents {
  /** Frames of sound were dropped because the reader is slow. */
  audioDropped(frames: number): void
  /** The reader is so slow that it was closed. */
  tooSlow(): void
}

/** Frames of sound kept for a slow reader: about a second of it. */
const HELD_AUDIO = 50

/**
 * A socket as the session's peer. Writes the client's dialect, holds sound back from a slow reader (a second of it,
 * the oldest goes first) and gives a reader up that is slower than its state messages.
 */
export class WsPeer implements Peer {
  readonly #ws: WebSocket
  readonly #limits: SocketLimits
  readonly #events: PeerEvents
  #dialect: Dialect | undefined
  readonly #unsettled: OutgoingDialect
  readonly #held: Uint8Array[] = []

  /** @param unsettled what to write while the client's dialect is not known */
  constructor(
    ws: WebSocket,
    limits: SocketLimits,
    events: PeerEvents,
    settled: Dialect | undefined,
    unsettled: OutgoingDialect,
  ) {
    this.#ws = ws
    this.#limits = limits
    this.#events = events
    this.#dialect = settled
    this.#unsettled = unsettled
  }

  /** The dialect the client has settled on, if it has spoken. */
  get dialect(): Dialect | undefined {
    return this.#dialect
  }

  /** Settles the dialect; the first word counts. */
  settle(dialect: Dialect): void {
    this.#dialect ??= dialect
  }

  send(message: Message): void {
    this.#write(encode(message, this.#dialect ?? this.#unsettled))
  }

  sendStream(envelope: StreamEnvelope, dataJson: string): void {
    this.#write(encodeStream(envelope, dataJson, this.#dialect ?? this.#unsettled))
  }

  sendAudio(frame: Uint8Array): void {
    const ws = this.#ws
    if (ws.readyState !== ws.OPEN) return
    if (this.#held.length > 0 || ws.bufferedAmount > this.#limits.audioBacklogBytes) return this.#hold(frame)
    ws.send(frame, this.#catchUp)
  }

  close(code: number, reason: string): void {
    this.#ws.close(code, reason)
  }

  #write(text: string): void {
    const ws = this.#ws
    if (ws.readyState !== ws.OPEN) return
    if (ws.bufferedAmount > this.#limits.stateBacklogBytes) {
      this.#events.tooSlow()
      ws.close(closeCodes.TOO_SLOW, 'Too slow: reconnect for a full snapshot')
      return
    }
    ws.send(text, this.#catchUp)
  }

  /** Something went out: what was held back may follow, though no more may ever come. */
  readonly #catchUp = (): void => {
    const ws = this.#ws
    while (ws.readyState === ws.OPEN && ws.bufferedAmount <= this.#limits.audioBacklogBytes) {
      const frame = this.#held.shift()
      if (frame === undefined) return
      ws.send(frame, this.#catchUp)
    }
  }

  #hold(frame: Uint8Array): void {
    this.#held.push(frame)
    if (this.#held.length <= HELD_AUDIO) return
    this.#held.shift()
    this.#events.audioDropped(1)
  }
}
