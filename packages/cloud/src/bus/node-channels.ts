import type { Clock } from '../time/index.ts'
import { type BatchHeader, decodeBatch, encodeBatch, type Frame } from './batch.ts'
import { BusError } from './bus.ts'

/** Unsent bytes above which the bus counts as stalled: about one second of a busy node. */
const MAX_UNSENT_BYTES = 32 * 1024 * 1024

/** Time after which frames are followed by a batch without frames, so that the loss of the last ones is detected. */
const CONFIRM_MS = 1_000

/** The number of the first batch of a stream. */
const FIRST_SEQUENCE = 1
/** The number of the first batch of a stream that begins because the sender lost the receiver. */
const LOSS_SEQUENCE = 0

export interface NodeChannelsDeps {
  readonly nodeId: string
  readonly clock: Clock
  /** Sends a batch. @returns the number of receivers, if known */
  publish(channel: string, batch: Buffer): Promise<number | undefined>
  received(from: string, kind: number, payload: Buffer): void
  /** Called when a node does not receive, or what it sent may have been lost. */
  lost(nodeId: string, error: BusError): void
  /** Called when frames cannot be sent as fast as they are produced. */
  stalled(): void
  /** Runs a task once the current events are processed. */
  defer(task: () => void): void
}

interface Outgoing {
  readonly stream: number
  /** The number of the last batch. */
  sequence: number
  frames: Frame[]
}

interface Incoming {
  readonly stream: number
  readonly sequence: number
  /** Whether this node discarded what depends on the stream, so that a gap is no loss. */
  readonly isDiscarded: boolean
}

/**
 * The channels of single nodes. Frames that are sent while events are processed leave as one batch per node. The batches
 * of a stream are numbered, so that the receiver detects lost and repeated ones.
 *
 * Two nodes lose each other together: a node that discards what depends on another begins a new stream to it, and tells
 * it so at once. To the receiver a new stream means that the sender lost it.
 */
export class NodeChannels {
  readonly #deps: NodeChannelsDeps
  /** By node; nodes that do not listen are removed. */
  readonly #outgoing = new Map<string, Outgoing>()
  readonly #incoming = new Map<string, Incoming>()
  readonly #unflushed = new Set<string>()
  /** Nodes to which frames were sent lately. */
  readonly #unconfirmed = new Set<string>()
  #lastStream = 0
  #unsentBytes = 0

  constructor(deps: NodeChannelsDeps) {
    this.#deps = deps
  }

  send(nodeId: string, frame: Frame): void {
    const outgoing = this.#outgoing.get(nodeId) ?? this.#begin(nodeId, FIRST_SEQUENCE)
    outgoing.frames.push(frame)
    this.#unsentBytes += frame.payload.byteLength
    this.#flushLater(nodeId)
  }

  receive(batch: Buffer): void {
    let from = ''
    decodeBatch(
      batch,
      (header) => {
        from = header.sender
        return this.#accept(header)
      },
      (kind, payload) => this.#deps.received(from, kind, payload),
    )
  }

  /** Tells a node that this one discarded what depends on it. */
  renew(nodeId: string): void {
    this.#begin(nodeId, LOSS_SEQUENCE)
    this.#flushLater(nodeId)
  }

  /** Tells all nodes that this one discarded what depends on them, because the connection was lost and is restored. */
  renewAll(): void {
    for (const nodeId of new Set([...this.#outgoing.keys(), ...this.#incoming.keys()])) this.renew(nodeId)
  }

  /** Discards unsent frames, because the connection was lost. */
  reset(): void {
    for (const outgoing of this.#outgoing.values()) outgoing.frames = []
    for (const [nodeId, incoming] of this.#incoming)
      this.#incoming.set(nodeId, { ...incoming, isDiscarded: true })
    this.#unflushed.clear()
    this.#unsentBytes = 0
  }

  /** @returns false for a repeated batch */
  #accept({ sender, stream, sequence }: BatchHeader): boolean {
    const last = this.#incoming.get(sender)
    if (last && (stream < last.stream || (stream === last.stream && sequence <= last.sequence))) return false
    this.#incoming.set(sender, { stream, sequence, isDiscarded: false })
    const isNext = last
      ? stream === last.stream && sequence === last.sequence + 1
      : sequence === FIRST_SEQUENCE
    if (isNext || last?.isDiscarded) return true
    const isKnownToSender = sequence === LOSS_SEQUENCE || (last !== undefined && stream > last.stream)
    if (!isKnownToSender) this.renew(sender)
    this.#deps.lost(sender, new BusError('LOST', 'Messages from the other node were lost'))
    return true
  }

  /** Begins a new stream, with the frames that are not sent yet. */
  #begin(nodeId: string, sequence: number): Outgoing {
    this.#lastStream += 1
    const frames = this.#outgoing.get(nodeId)?.frames ?? []
    const outgoing = { stream: this.#lastStream, sequence: sequence - 1, frames }
    this.#outgoing.set(nodeId, outgoing)
    return outgoing
  }

  #flushLater(nodeId: string): void {
    if (this.#unflushed.size === 0) this.#deps.defer(() => this.#flush())
    this.#unflushed.add(nodeId)
  }

  #flush(): void {
    for (const nodeId of this.#unflushed) {
      const outgoing = this.#outgoing.get(nodeId)
      if (outgoing) this.#sendBatch(nodeId, outgoing)
    }
    this.#unflushed.clear()
    if (this.#unsentBytes > MAX_UNSENT_BYTES) this.#deps.stalled()
  }

  #sendBatch(nodeId: string, outgoing: Outgoing): void {
    const { nodeId: sender, publish } = this.#deps
    const { stream, frames } = outgoing
    const sequence = outgoing.sequence + 1
    outgoing.frames = []
    outgoing.sequence = sequence
    if (frames.length > 0 || sequence === LOSS_SEQUENCE) this.#confirmLater(nodeId)
    const batch = encodeBatch({ sender, stream, sequence }, frames)
    const bytes = frames.reduce((sum, { payload }) => sum + payload.byteLength, 0)
    const sent = () => {
      this.#unsentBytes = Math.max(0, this.#unsentBytes - bytes)
    }
    publish(nodeChannel(nodeId), batch).then((receivers) => {
      sent()
      if (receivers === 0) this.#unreachable(nodeId, outgoing, sequence, frames.length === 0)
    }, sent)
  }

  #confirmLater(nodeId: string): void {
    if (this.#unconfirmed.size === 0) this.#deps.clock.after(CONFIRM_MS, () => this.#confirm())
    this.#unconfirmed.add(nodeId)
  }

  #confirm(): void {
    const nodes = [...this.#unconfirmed]
    this.#unconfirmed.clear()
    for (const nodeId of nodes) if (this.#outgoing.has(nodeId)) this.#flushLater(nodeId)
  }

  #unreachable(nodeId: string, outgoing: Outgoing, sequence: number, wasEmpty: boolean): void {
    // A newer stream has told the node already.
    if (this.#outgoing.get(nodeId) !== outgoing) return
    // A node that listens again meanwhile must learn of the loss; one that does not is forgotten.
    if (wasEmpty && outgoing.sequence === sequence && outgoing.frames.length === 0) {
      this.#outgoing.delete(nodeId)
      this.#incoming.delete(nodeId)
    } else this.renew(nodeId)
    this.#deps.lost(nodeId, new BusError('UNREACHABLE', 'The other node does not listen'))
  }
}

/** The channel that one node listens on. */
export function nodeChannel(nodeId: string): string {
  return `node:${nodeId}`
}
