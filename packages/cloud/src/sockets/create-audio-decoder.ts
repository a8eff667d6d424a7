import type { AudioFormat } from '@glasses-cloud/contract'
import type { AudioDecoder } from './audio-decoder.ts'
import { Lc3Decoder } from './lc3-decoder.ts'
import { PcmDecoder } from './pcm-decoder.ts'

export function createAudioDecoder(format: AudioFormat): AudioDecoder {
  return format.format === 'pcm' ? new PcmDecoder() : new Lc3Decoder(format.frameSizeBytes)
}
