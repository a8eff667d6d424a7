import type { DataStreamFields, Message } from '@glasses-cloud/contract'
import { RecordingPeer } from '../testing/recording-peer.ts'

/**
 * A peer that says what it is sent at that moment, so that it is judged by what holds then. Messages into a broken
 * socket are told, too: whoever sent them does not know.
 */
export class HeardPeer extends RecordingPeer {
  readonly #heard: (message: Message, peer: HeardPeer) => void

  constructor(name: string, heard: (message: Message, peer: HeardPeer) => void) {
    super(name)
    this.#heard = heard
  }

  override send(message: Message): void {
    super.send(message)
    this.#heard(message, this)
  }

  override sendStream(envelope: DataStreamFields, dataJson: string): void {
    super.sendStream(envelope, dataJson)
    const message = this.sent.at(-1)
    if (!this.closed && message) this.#heard(message, this)
  }

  override sendAudio(frame: Uint8Array): void {
    super.sendAudio(frame)
    if (!this.closed) this.#heard({ type: 'audio_chunk' }, this)
  }
}
