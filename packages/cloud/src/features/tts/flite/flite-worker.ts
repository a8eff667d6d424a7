import { parentPort, workerData } from 'node:worker_threads'
import { createMp3Encoder } from 'wasm-media-encoders'
import { FliteProgram, type Passage } from './flite-program.ts'

/** What a worker is started with. */
export interface FliteWorkerData {
  /** URL of `flite.wasm`. */
  readonly program: string
}

/** The sample rate of the voices; one of them has half of it. */
const SAMPLE_RATE = 16_000

const KILOBITS_PER_SECOND = 48

/** A worker thread: receives a `Passage` and answers with its speech as MP3. */
const { program } = workerData as FliteWorkerData
const flite = new FliteProgram(new URL(program))
const encoder = await createMp3Encoder()

parentPort?.on('message', (passage: Passage) => {
  const { samples, sampleRate } = flite.synthesize(passage)
  encoder.configure({
    sampleRate,
    channels: 1,
    bitrate: KILOBITS_PER_SECOND,
    outputSampleRate: SAMPLE_RATE,
  })
  // The encoder returns its own memory.
  const start = encoder.encode([samples]).slice()
  const end = encoder.finalize()
  const mp3 = new Uint8Array(start.length + end.length)
  mp3.set(start)
  mp3.set(end, start.length)
  parentPort?.postMessage(mp3, [mp3.buffer])
})
