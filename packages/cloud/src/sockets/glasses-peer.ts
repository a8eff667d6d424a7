import type { AudioFormat } from '@glasses-cloud/contract'
import type { GlassesPeer } from '../session/index.ts'
import { type AudioDecoder, createAudioDecoder, PcmDecoder } from './audio-decoder.ts'
import { WsPeer } from './ws-peer.ts'

/** A glasses socket as a peer of the session, with the audio format of this connection. */
export class WsGlassesPeer extends WsPeer implements GlassesPeer {
  #format: AudioFormat = { format: 'pcm' }
  #decoder: AudioDecoder = new PcmDecoder()

  /** The decoder of the next binary frame. */
  get decoder(): AudioDecoder {
    return this.#decoder
  }

  setAudioFormat(format: AudioFormat): void {
    // Setting the same format again must not reset a decoder in the middle of a sample or of a concealment.
    if (frameSizeOf(format) === frameSizeOf(this.#format)) return
    this.#format = format
    this.#decoder = createAudioDecoder(format)
  }
}

/** Returns the bytes of an LC3 frame, or undefined for PCM. */
function frameSizeOf(format: AudioFormat): number | undefined {
  return format.format === 'lc3' ? format.frameSizeBytes : undefined
}
