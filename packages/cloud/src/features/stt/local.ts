import type { SpeechFailure, SpeechListener, SpeechOptions, SpeechStream } from '../../session/index.ts'
import {
  type RecognizerPlace,
  type RecognizerPool,
  RecognizersBusyError,
  SpeakerLabels,
} from '../local-speech/index.ts'
import type { SpeechToText } from './speech-to-text.ts'

/** An utterance of maximum length with a large model on a small machine. */
const FINALIZE_TIMEOUT_MS = 20_000

/** Sessions whose speakers are remembered; the one that spoke longest ago is forgotten first. */
const MAX_SESSIONS = 1_000

/** Recognizes on this machine, with the installed models (ADR 59). It supports the languages that they cover. */
export function localRecognizer(pool: RecognizerPool): SpeechToText {
  const speakers = new Map<string, SpeakerLabels>()
  const labelsOf = (session: string) => {
    const labels = speakers.get(session) ?? new SpeakerLabels()
    speakers.delete(session)
    speakers.set(session, labels)
    const [oldest] = speakers.keys()
    if (speakers.size > MAX_SESSIONS && oldest !== undefined) speakers.delete(oldest)
    return labels
  }
  return {
    name: 'local',
    translates: false,
    finalizeTimeoutMs: FINALIZE_TIMEOUT_MS,
    get isInstalled() {
      return pool.hasModels
    },
    supports: (language) => pool.supports(language),
    open: (options, listener) =>
      new LocalStream(
        pool,
        options,
        listener,
        options.session === undefined ? new SpeakerLabels() : labelsOf(options.session),
      ),
  }
}

class LocalStream implements SpeechStream {
  readonly #listener: SpeechListener
  readonly #labels: SpeakerLabels
  #place: RecognizerPlace | undefined
  #stream: SpeechStream | undefined
  #isClosed = false

  constructor(
    pool: RecognizerPool,
    { language }: SpeechOptions,
    listener: SpeechListener,
    labels: SpeakerLabels,
  ) {
    this.#listener = listener
    this.#labels = labels
    pool.place(language).then(
      (place) => this.#begin(place),
      (error: unknown) => this.#fail(failureOf(error)),
    )
  }

  push(pcm: Uint8Array): void {
    this.#stream?.push(pcm)
  }

  finalize(): void {
    this.#stream?.finalize()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stream?.close()
    this.#place?.release()
  }

  #begin(place: RecognizerPlace): void {
    if (this.#isClosed) return place.release()
    this.#place = place
    const listener: SpeechListener = {
      ready: () => {},
      segment: (segment) => this.#isClosed || this.#listener.segment(segment),
      finalized: () => this.#isClosed || this.#listener.finalized(),
      failed: (failure) => this.#fail(failure),
    }
    this.#stream = place.process.open(place.language, listener, this.#labels)
    this.#listener.ready()
  }

  #fail(failure: SpeechFailure): void {
    if (this.#isClosed) return
    this.close()
    this.#listener.failed(failure)
  }
}

function failureOf(error: unknown): SpeechFailure {
  const message = `local: ${error instanceof Error ? error.message : String(error)}`
  return { kind: error instanceof RecognizersBusyError ? 'busy' : 'retryable', message }
}
