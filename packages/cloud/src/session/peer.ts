import type { AudioFormat, DataStreamFields, Message } from '@glasses-cloud/contract'

/**
 * The remote end of a socket. Dialect, queue and heartbeat are up to the implementation. Sending to a closed peer does
 * nothing.
 */
export interface Peer {
  send(message: Message): void
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
