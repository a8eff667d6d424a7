import { parentPort, workerData } from 'node:worker_threads'
import { createSpeechEncoder } from '../../../mp3/index.ts'
import { FliteProgram, type Passage } from './flite-program.ts'

/** What a worker is started with. */
export interface FliteWorkerData {
  /** URL of `flite.wasm`. */
  readonly program: string
}

/** The sample rate is that of the voices; one of them has half of it. */
const FORMAT = { sampleRate: 16_000, kilobitsPerSecond: 48 }

/** A worker thread: receives a `Passage` and answers with its speech as MP3. */
const { program } = workerData as FliteWorkerData
const flite = new FliteProgram(new URL(program))
const encode = await createSpeechEncoder()

parentPort?.on('message', (passage: Passage) => {
  const mp3 = encode(flite.synthesize(passage), FORMAT)
  parentPort?.postMessage(mp3, [mp3.buffer])
})
