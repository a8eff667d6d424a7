import {
  type AudioFormat,
  closeFrames,
  type DataStreamFields,
  type Dialect,
  encode,
  encodeDataStream,
  type Message,
  type OutgoingDialect,
} from '@glasses-cloud/contract'
import type { RawData } from 'ws'
import { type GlassesPeer, PCM_BYTES_PER_SECOND, type Peer, type SharedMessage } from '../session/index.ts'
import { type AudioDecoder, createAudioDecoder, PcmDecoder } from './audio-decoder.ts'
import { audioCostOf, type SocketLimits } from './limits.ts'

/** Receives what happens to slow readers. */
export interface PeerEvents {
  /** Queued audio frames of a slow reader were dropped. */
  audioDropped(frames: number): void
  /** The socket was closed because its client reads too slowly. */
  tooSlow(): void
  /** Whether this node may send as the owner of its sessions; absent without a cluster. */
  mayWrite?(): boolean
}

/** The part of a WebSocket that a peer uses. */
export interface FrameSocket {
  readonly readyState: number
  readonly OPEN: number
  /** Bytes that are not sent yet. */
  readonly bufferedAmount: number
  send(data: Uint8Array, sent: () => void): void
  send(data: string | Uint8Array, options: { readonly binary: boolean }, sent: () => void): void
  close(code: number, reason: string): void
}

/** The part of a WebSocket that serves a client. */
export interface ClientSocket extends FrameSocket {
  on(event: 'message', listener: (data: RawData, isBinary: boolean) => void): unknown
  on(event: 'close', listener: () => void): unknown
}

/** Adapts what is sent to the abilities of a client. */
export interface MessageFilter {
  /** Returns whether a message must not be sent. */
  withholds(message: Message): boolean
  /** Returns the payload of a stream frame as the client expects it. */
  streamData(streamType: string, dataJson: string): string
}

const TEXT_FRAME = { binary: false } as const

/**
 * A socket as a peer of the session. Encodes messages in the client's dialect. For a slow reader it queues as much audio as
 * glasses may send at once after a stall, then drops the older half of it; if state messages pile up too, it closes the
 * socket.
 */
export class WsPeer implements Peer {
  /** Called after a text frame was sent. */
  onSent: (() => void) | undefined
  readonly #ws: FrameSocket
  readonly #limits: SocketLimits
  readonly #events: PeerEvents
  #dialect: Dialect | undefined
  readonly #initialDialect: OutgoingDialect
  readonly #queuedAudio: Uint8Array[] = []
  #queuedAudioCost = 0
  #filter: MessageFilter | undefined

  /**
   * @param dialect the client's dialect, if the handshake determined it
   * @param initialDialect what to send until the dialect is known
   */
  constructor(
    ws: FrameSocket,
    limits: SocketLimits,
    events: PeerEvents,
    dialect: Dialect | undefined,
    initialDialect: OutgoingDialect,
  ) {
    this.#ws = ws
    this.#limits = limits
    this.#events = events
    this.#dialect = dialect
    this.#initialDialect = initialDialect
  }

  /** The client's dialect; undefined until it has sent a message. */
  get dialect(): Dialect | undefined {
    return this.#dialect
  }

  /** Sets the dialect unless it is already known. */
  setDialect(dialect: Dialect): void {
    this.#dialect ??= dialect
  }

  /** Sets what is left out or changed for the client. */
  setFilter(filter: MessageFilter): void {
    this.#filter = filter
  }

  send(message: Message): void {
    if (this.#filter?.withholds(message)) return
    this.#write(encode(message, this.#dialect ?? this.#initialDialect))
  }

  sendShared(message: SharedMessage): void {
    if (this.#filter?.withholds(message.content)) return
    this.#write(message.encode(this.#dialect ?? this.#initialDialect))
  }

  sendStream(envelope: DataStreamFields, dataJson: string): void {
    const json = this.#filter?.streamData(envelope.streamType, dataJson) ?? dataJson
    this.#write(encodeDataStream(envelope, json, this.#dialect ?? this.#initialDialect))
  }

  sendAudio(frame: Uint8Array): number {
    const ws = this.#ws
    if (ws.readyState !== ws.OPEN || this.#events.mayWrite?.() === false) return 0
    if (this.#queuedAudio.length > 0 || ws.bufferedAmount > this.#limits.audioBacklogBytes)
      return this.#queueAudio(frame)
    ws.send(frame, this.#sendQueuedAudio)
    return 0
  }

  close(code: number, reason: string): void {
    this.#ws.close(code, reason)
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN
  }

  /** Whether frames wait until the client has read earlier ones. */
  get hasUnsentData(): boolean {
    return this.#ws.bufferedAmount > 0
  }

  /** Writes a frame that the node of the session has encoded. That node applies the rules for slow readers. */
  relay(frame: Uint8Array, isBinary: boolean, sent: () => void): void {
    if (!this.isOpen) return
    this.#ws.send(frame, { binary: isBinary }, sent)
    this.onSent?.()
  }

  #write(text: string | Buffer): void {
    const ws = this.#ws
    if (ws.readyState !== ws.OPEN || this.#events.mayWrite?.() === false) return
    if (ws.bufferedAmount > this.#limits.stateBacklogBytes) {
      this.#events.tooSlow()
      ws.close(closeFrames.TOO_SLOW.code, closeFrames.TOO_SLOW.reason)
      return
    }
    ws.send(text, TEXT_FRAME, this.#sendQueuedAudio)
    this.onSent?.()
  }

  /** Runs after every write, since there may be no later frame that would send the queue. */
  readonly #sendQueuedAudio = (): void => {
    const ws = this.#ws
    while (ws.readyState === ws.OPEN && ws.bufferedAmount <= this.#limits.audioBacklogBytes) {
      const frame = this.#queuedAudio.shift()
      if (frame === undefined) return
      this.#queuedAudioCost -= audioCostOf(frame.byteLength)
      ws.send(frame, this.#sendQueuedAudio)
    }
  }

  /** One long gap is better than many short ones: of the queued frames, the older half is dropped at once. */
  #queueAudio(frame: Uint8Array): number {
    this.#queuedAudio.push(frame)
    this.#queuedAudioCost += audioCostOf(frame.byteLength)
    if (this.#queuedAudioCost <= (PCM_BYTES_PER_SECOND * this.#limits.stallMs) / 1_000) return 0
    const dropped = this.#queuedAudio.splice(0, Math.ceil(this.#queuedAudio.length / 2))
    this.#events.audioDropped(dropped.length)
    let bytes = 0
    for (const { byteLength } of dropped) {
      bytes += byteLength
      this.#queuedAudioCost -= audioCostOf(byteLength)
    }
    return bytes
  }
}

/** A glasses socket as a peer of the session, with the audio format of this connection. */
export class WsGlassesPeer extends WsPeer implements GlassesPeer {
  readonly userAgent: string | undefined
  readonly isAlive: () => Promise<boolean>
  #format: AudioFormat = { format: 'pcm' }
  #decoder: AudioDecoder = new PcmDecoder()

  /** @param phone its program, and whether it responds now */
  constructor(
    ws: FrameSocket,
    limits: SocketLimits,
    events: PeerEvents,
    dialect: Dialect | undefined,
    initialDialect: OutgoingDialect,
    phone: Pick<GlassesPeer, 'userAgent' | 'isAlive'> = { isAlive: async () => true },
  ) {
    super(ws, limits, events, dialect, initialDialect)
    this.userAgent = phone.userAgent
    this.isAlive = phone.isAlive
  }

  /** The decoder of the next binary frame. */
  get decoder(): AudioDecoder {
    return this.#decoder
  }

  setAudioFormat(format: AudioFormat): void {
    // Setting the same format again must not reset a decoder in the middle of a sample or of a concealment.
    if (frameSizeOf(format) === frameSizeOf(this.#format)) return
    this.#format = format
    this.#decoder = createAudioDecoder(format)
  }
}

/** Returns the bytes of an LC3 frame, or undefined for PCM. */
function frameSizeOf(format: AudioFormat): number | undefined {
  return format.format === 'lc3' ? format.frameSizeBytes : undefined
}
