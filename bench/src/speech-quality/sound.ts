/** A sound whose words are known. */
export interface Sound {
  readonly name: string
  /** What is measured together, in one row of the table: a folder, a voice. */
  readonly kind: string
  /** What is spoken. */
  readonly label: string
  /**
   * Returns 16-bit mono PCM at 16 kHz.
   * @throws UnusableInputError
   */
  read(): Promise<Buffer>
}

/** Sounds that were found. */
export interface Sounds {
  readonly sounds: readonly Sound[]
  /** Sentences about what is left out. */
  readonly remarks: readonly string[]
}
