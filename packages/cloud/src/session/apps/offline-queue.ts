import type { CloudToApp, DataStreamFields } from '@glasses-cloud/contract'
import type { Peer } from '../peer.ts'

type QueuedMessage =
  | { readonly message: CloudToApp }
  /** A frame of a stream. */
  | { readonly envelope: DataStreamFields; readonly dataJson: string }

const MAX_ENTRIES = 200
const MAX_CHARACTERS = 256 * 1024

/** Messages for an app that is reconnecting or not acknowledged yet, in order. A full queue drops the oldest message. */
export class OfflineQueue {
  #entries: { readonly queued: QueuedMessage; readonly characters: number }[] = []
  #characters = 0
  #dropped = 0

  addMessage(message: CloudToApp): void {
    this.#add({ message }, JSON.stringify(message).length)
  }

  addFrame(envelope: DataStreamFields, dataJson: string): void {
    this.#add({ envelope, dataJson }, dataJson.length)
  }

  /** Keeps only the frames of streams that `isPermitted` accepts, and every other message. */
  filterStreams(isPermitted: (streamType: string) => boolean): void {
    this.#entries = this.#entries.filter(
      ({ queued }) => 'message' in queued || isPermitted(queued.envelope.streamType),
    )
    this.#characters = this.#entries.reduce((sum, { characters }) => sum + characters, 0)
  }

  /**
   * Sends and removes everything.
   * @returns how many messages were dropped before because the queue was full
   */
  flush(peer: Peer): number {
    const entries = this.#entries
    const dropped = this.#dropped
    this.#entries = []
    this.#characters = 0
    this.#dropped = 0
    for (const { queued } of entries) {
      if ('message' in queued) peer.send(queued.message)
      else peer.sendStream(queued.envelope, queued.dataJson)
    }
    return dropped
  }

  #add(queued: QueuedMessage, characters: number): void {
    this.#entries.push({ queued, characters })
    this.#characters += characters
    while (this.#entries.length > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#entries.shift()?.characters ?? 0
      this.#dropped += 1
    }
  }
}
