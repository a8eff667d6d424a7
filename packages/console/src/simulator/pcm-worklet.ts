// Runs in the audio thread: collects samples to frames of 20 ms of 16-bit PCM.

/** The global scope of an AudioWorklet, which TypeScript's DOM library does not describe. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: typeof AudioWorkletProcessor): void

const FRAME_SAMPLES = 320

class PcmProcessor extends AudioWorkletProcessor {
  #frame = new DataView(new ArrayBuffer(FRAME_SAMPLES * 2))
  #length = 0
  #peak = 0

  process([input]: Float32Array[][]): boolean {
    for (const sample of input?.[0] ?? []) {
      const clipped = Math.min(Math.max(sample, -1), 1)
      this.#frame.setInt16(this.#length * 2, Math.round(clipped * 32_767), true)
      this.#peak = Math.max(this.#peak, Math.abs(clipped))
      this.#length += 1
      if (this.#length === FRAME_SAMPLES) this.#flush()
    }
    return true
  }

  #flush(): void {
    const pcm = this.#frame.buffer
    this.port.postMessage({ pcm, level: this.#peak }, [pcm])
    this.#frame = new DataView(new ArrayBuffer(FRAME_SAMPLES * 2))
    this.#length = 0
    this.#peak = 0
  }
}

registerProcessor('pcm', PcmProcessor)
