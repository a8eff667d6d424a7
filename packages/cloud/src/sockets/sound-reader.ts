import type { AudioFormat } from '@glasses-cloud/contract'
import { Lc3Reader } from './lc3-reader.ts'
import { PcmReader } from './pcm-reader.ts'

/** What became of a binary frame. */
export interface Heard {
  /** Whole samples; absent if there are none. */
  readonly pcm?: Buffer
  /** How many frames of the format could not be decoded. */
  readonly undecodable: number
}

/** Reads the binary frames of one glasses socket, in order. All sound leaves it as PCM: 16 bit, 16 kHz, mono. */
export interface SoundReader {
  /** How many bytes of PCM so many bytes of a frame stand for. */
  weight(bytes: number): number
  read(frame: Buffer): Heard
  /** A frame was refused unread. */
  skip(frame: Buffer): void
}

/** Makes the reader of a format. */
export function soundReader(format: AudioFormat): SoundReader {
  return format.format === 'pcm' ? new PcmReader() : new Lc3Reader(format.frameSizeBytes)
}
