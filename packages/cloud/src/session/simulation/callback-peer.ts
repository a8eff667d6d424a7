import type { DataStreamFields, Message } from '@glasses-cloud/contract'
import { RecordingPeer } from '../testing/recording-peer.ts'

/**
 * A peer that calls back for each message, so that invariants are checked at the moment the message is sent. Messages
 * to a broken socket are included: the session has not detected that it is broken.
 */
export class CallbackPeer extends RecordingPeer {
  readonly #onMessage: (message: Message, peer: CallbackPeer) => void

  constructor(name: string, onMessage: (message: Message, peer: CallbackPeer) => void) {
    super(name)
    this.#onMessage = onMessage
  }

  override send(message: Message): void {
    super.send(message)
    this.#onMessage(message, this)
  }

  override sendStream(envelope: DataStreamFields, dataJson: string): void {
    super.sendStream(envelope, dataJson)
    const message = this.sent.at(-1)
    if (!this.closed && message) this.#onMessage(message, this)
  }

  override sendAudio(frame: Uint8Array): void {
    super.sendAudio(frame)
    if (!this.closed) this.#onMessage({ type: 'audio_chunk' }, this)
  }
}
