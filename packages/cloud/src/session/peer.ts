import type { AudioFormat, DataStreamFields, Message } from '@glasses-cloud/contract'

/**
 * The other end of a socket, as far as the session needs to know: no dialect, no queue, no heartbeat. Sending to
 * a peer that is gone does nothing.
 */
export interface Peer {
  send(message: Message): void
  /** Sends a `data_stream` frame around a payload that was encoded once for all its readers. */
  sendStream(envelope: DataStreamFields, dataJson: string): void
  /** Sends PCM; may be dropped when the reader is slow. */
  sendAudio(frame: Uint8Array): void
  close(code: number, reason: string): void
}

/** The other end of a glasses socket. */
export interface GlassesPeer extends Peer {
  /** What its binary frames hold from now on; until it is said, PCM. What reaches the session is PCM in any case. */
  setAudioFormat(format: AudioFormat): void
}
