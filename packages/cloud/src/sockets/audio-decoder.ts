/** The result of decoding one binary frame. */
export interface DecodedAudio {
  /** Whole samples; absent if there are none. */
  readonly pcm?: Buffer
  /** Number of codec frames that could not be decoded. */
  readonly undecodable: number
}

/** Decodes the binary frames of one glasses socket, in order, to PCM: 16 bit, 16 kHz, mono. */
export interface AudioDecoder {
  /** Returns how many bytes of PCM a frame of this many bytes decodes to. */
  pcmBytes(frameBytes: number): number
  decode(frame: Buffer): DecodedAudio
  /** Accounts for a frame that was dropped without being decoded. */
  skip(frame: Buffer): void
}
