import type { AudioFormat, DataStreamFields, Message } from '@glasses-cloud/contract'
import type { GlassesPeer } from '../peer.ts'
import type { SharedMessage } from '../shared-message.ts'

/** A peer that keeps what it is sent, for tests and simulations. */
export class RecordingPeer implements GlassesPeer {
  readonly name: string
  sent: Message[] = []
  audio: Uint8Array[] = []
  /** What it was told its binary frames hold. */
  format: AudioFormat | undefined
  closed: { code: number; reason: string } | undefined
  /** Called when the session closes it. */
  onClose: (() => void) | undefined

  constructor(name = 'peer') {
    this.name = name
  }

  send(message: Message): void {
    if (!this.closed) this.sent.push(message)
  }

  sendShared(message: SharedMessage): void {
    this.send(message.content)
  }

  sendStream(envelope: DataStreamFields, dataJson: string): void {
    if (!this.closed) this.sent.push({ type: 'data_stream', ...envelope, data: JSON.parse(dataJson) })
  }

  sendAudio(frame: Uint8Array): void {
    if (!this.closed) this.audio.push(frame)
  }

  setAudioFormat(format: AudioFormat): void {
    this.format = format
  }

  close(code: number, reason: string): void {
    if (this.closed) return
    this.closed = { code, reason }
    this.onClose?.()
  }

  /** The messages of a type, in order. */
  messagesOfType(type: string): Message[] {
    return this.sent.filter((message) => message.type === type)
  }

  /** The newest message of a type. */
  lastOfType(type: string): Message | undefined {
    return this.messagesOfType(type).at(-1)
  }

  /** Empties the record and gives what was in it. */
  takeMessages(): Message[] {
    return this.sent.splice(0)
  }
}
