import type { CloudToApp, DataStreamFields } from '@glasses-cloud/contract'
import type { Peer } from '../peer.ts'

type QueuedMessage =
  | { readonly message: CloudToApp }
  /** A frame of a stream. */
  | { readonly envelope: DataStreamFields; readonly dataJson: string }

interface QueueEntry {
  readonly queued: QueuedMessage
  readonly characters: number
  readonly key: string | undefined
}

const MAX_ENTRIES = 200
const MAX_CHARACTERS = 256 * 1024

/**
 * Messages for an app that is reconnecting or not acknowledged yet, in order. A frame replaces an earlier one with the
 * same key, such as an interim result of the same utterance. A full queue drops the oldest message.
 */
export class OfflineQueue {
  #entries: QueueEntry[] = []
  #characters = 0
  #dropped = 0

  addMessage(message: CloudToApp): void {
    this.#add({ queued: { message }, characters: JSON.stringify(message).length, key: undefined })
  }

  addFrame(envelope: DataStreamFields, dataJson: string, replacementKey?: string): void {
    const key = replacementKey === undefined ? undefined : `${envelope.streamType} ${replacementKey}`
    if (key !== undefined) this.#remove(key)
    this.#add({ queued: { envelope, dataJson }, characters: dataJson.length, key })
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

  #remove(key: string): void {
    const index = this.#entries.findLastIndex((entry) => entry.key === key)
    if (index >= 0) this.#characters -= this.#entries.splice(index, 1)[0]?.characters ?? 0
  }

  #add(entry: QueueEntry): void {
    this.#entries.push(entry)
    this.#characters += entry.characters
    while (this.#entries.length > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#entries.shift()?.characters ?? 0
      this.#dropped += 1
    }
  }
}
