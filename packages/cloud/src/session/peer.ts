import type { AudioFormat, DataStreamFields, Message } from '@glasses-cloud/contract'
import type { SharedMessage } from './shared-message.ts'

/**
 * The remote end of a socket. Dialect, queue and heartbeat are up to the implementation. Sending to a closed peer does
 * nothing.
 */
export interface Peer {
  send(message: Message): void
  /** Sends a message that other peers receive, too, without encoding it again. */
  sendShared(message: SharedMessage): void
  /** Sends a `data_stream` frame with a payload that was encoded once for all subscribers. */
  sendStream(envelope: DataStreamFields, dataJson: string): void
  /** Sends PCM audio. The frame is dropped when the reader is slow. */
  sendAudio(frame: Uint8Array): void
  close(code: number, reason: string): void
}

/** The remote end of a glasses socket. */
export interface GlassesPeer extends Peer {
  /** Sets the format of its binary frames; PCM until it is set. The session receives PCM in any case. */
  setAudioFormat(format: AudioFormat): void
}
