import type { AudioFormat, DataStreamFields, Message } from '@glasses-cloud/contract'
import type { GlassesPeer, SharedMessage } from '../peer.ts'

/** A peer that records the messages it is sent. */
export class RecordingPeer implements GlassesPeer {
  readonly name: string
  sent: Message[] = []
  audio: Uint8Array[] = []
  /** The audio format that the session set. */
  format: AudioFormat | undefined
  closed: { code: number; reason: string } | undefined
  /** Thrown by each attempt to send. */
  sendError: Error | undefined
  /** Called when the session closes the peer. */
  onClose: (() => void) | undefined

  constructor(name = 'peer') {
    this.name = name
  }

  send(message: Message): void {
    if (this.sendError) throw this.sendError
    if (!this.closed) this.sent.push(message)
  }

  sendShared(message: SharedMessage): void {
    this.send(message.content)
  }

  sendStream(envelope: DataStreamFields, dataJson: string): void {
    if (this.sendError) throw this.sendError
    if (!this.closed) this.sent.push({ type: 'data_stream', ...envelope, data: JSON.parse(dataJson) })
  }

  async isAlive(): Promise<boolean> {
    return !this.closed
  }

  sendAudio(frame: Uint8Array): number {
    if (this.sendError) throw this.sendError
    if (!this.closed) this.audio.push(frame)
    return 0
  }

  setAudioFormat(format: AudioFormat): void {
    this.format = format
  }

  close(code: number, reason: string): void {
    if (this.closed) return
    this.closed = { code, reason }
    this.onClose?.()
  }

  messagesOfType(type: string): Message[] {
    return this.sent.filter((message) => message.type === type)
  }

  lastOfType(type: string): Message | undefined {
    return this.messagesOfType(type).at(-1)
  }

  /** Returns the recorded messages and clears the record. */
  takeMessages(): Message[] {
    return this.sent.splice(0)
  }
}
