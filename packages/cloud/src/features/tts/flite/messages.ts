/** A passage for a worker to synthesize. */
export interface Passage {
  /** ASCII. */
  readonly text: string
  readonly voice: string
  /** 1 is the normal speed of the voice. */
  readonly speed: number
}

/** What a worker is started with. */
export interface FliteWorkerData {
  /** URL of `flite.wasm`. */
  readonly program: string
}
