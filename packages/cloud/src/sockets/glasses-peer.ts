import type { AudioFormat } from '@glasses-cloud/contract'
import type { GlassesPeer } from '../session/index.ts'
import { PcmReader } from './pcm-reader.ts'
import { type SoundReader, soundReader } from './sound-reader.ts'
import { WsPeer } from './ws-peer.ts'

/** A glasses socket as the session's peer. What its binary frames hold is a matter of this connection alone. */
export class WsGlassesPeer extends WsPeer implements GlassesPeer {
  #format: AudioFormat = { format: 'pcm' }
  #sound: SoundReader = new PcmReader()

  /** Reads the next binary frame. */
  get sound(): SoundReader {
    return this.#sound
  }

  setAudioFormat(format: AudioFormat): void {
    // Said again it is no change: a sample or a sound under way goes on.
    if (sizeOf(format) === sizeOf(this.#format)) return
    this.#format = format
    this.#sound = soundReader(format)
  }
}

/** Bytes of a frame of LC3; nothing for PCM. */
function sizeOf(format: AudioFormat): number | undefined {
  return format.format === 'lc3' ? format.frameSizeBytes : undefined
}
