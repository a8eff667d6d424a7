import { isSameLanguage, regionalLanguage, type StreamFacets } from '@glasses-cloud/contract'
import type { Clock, Timer } from '../../../time/index.ts'
import { LazyMap } from '../../lazy-collections.ts'
import type { SpeechFailure, TranslationRequest, TranslationResult } from './port.ts'
import { reasonOf, type SpeechProblem, type SpeechTopic } from './speech-status.ts'

/** Interim results are translated at most this often, in milliseconds: every translation is paid for. */
const INTERIM_INTERVAL_MS = 1_000
/** Delays before a failed translation of a final result is tried again, in milliseconds. */
const RETRY_DELAYS_MS = [500, 2_000]
/** Final results that wait for their translation; the oldest are dropped beyond it. */
const MAX_WAITING = 32

/** A recognized result that is to be translated. */
export interface TranslatableResult {
  readonly text: string
  readonly isFinal: boolean
  readonly utteranceId: string
  /** Epoch milliseconds. */
  readonly startTime: number
  readonly endTime: number
  /** When it began, in milliseconds of the monotonic clock. */
  readonly begunAt: number
  readonly speakerId?: string
  /** Undefined: to be detected. */
  readonly detectedLanguage: string | undefined
  readonly provider: string
}

/** The translation of a result. */
export interface TranslatedText {
  readonly text: string
  readonly sourceLanguage: string
}

export interface TranslationsDeps {
  readonly clock: Clock
  readonly translate:
    | ((request: TranslationRequest, done: (result: TranslationResult) => void) => void)
    | undefined
  publish(stream: string, facets: StreamFacets, data: object, replacementKey: string, begunAt: number): void
  /** @param isLasting whether the problem does not pass with the next result */
  onProblem(topic: SpeechTopic, problem: SpeechProblem, isLasting: boolean): void
  onWorking(topic: SpeechTopic): void
}

/** Translates results and publishes the translations, the final ones in order and each once. */
export class Translations {
  readonly #deps: TranslationsDeps
  readonly #queues = new LazyMap<string, TranslationQueue>()

  constructor(deps: TranslationsDeps) {
    this.#deps = deps
  }

  /** Translates a result with the translation provider. */
  add(topic: Required<SpeechTopic>, result: TranslatableResult): void {
    const { detectedLanguage } = result
    // Speech that is in the target language already has no translation.
    if (detectedLanguage !== undefined && isSameLanguage(detectedLanguage, topic.target)) return
    const { translate } = this.#deps
    if (!translate) {
      const message = `No provider translates to ${topic.target}`
      return this.#deps.onProblem(topic, { reason: 'no_translation_provider', message }, true)
    }
    const key = `${topic.language} ${topic.target}`
    let queue = this.#queues.get(key)
    if (!queue) {
      queue = new TranslationQueue(this.#deps.clock, topic, translate, {
        onTranslated: (translated, text) => this.publish(topic, translated, text),
        onFailed: ({ kind, message }, isLasting) =>
          this.#deps.onProblem(topic, { reason: reasonOf(kind), message }, isLasting),
        onWorking: () => this.#deps.onWorking(topic),
      })
      this.#queues.set(key, queue)
    }
    queue.add(result)
  }

  /** Publishes a translation. */
  publish(topic: Required<SpeechTopic>, result: TranslatableResult, translated: TranslatedText): void {
    const { language, target } = topic
    const { isFinal, utteranceId, startTime, endTime, begunAt, speakerId, provider } = result
    const facets = { source: language, target }
    const frame = {
      type: 'translation',
      text: translated.text,
      originalText: result.text,
      isFinal,
      utteranceId,
      startTime,
      endTime,
      ...(speakerId === undefined ? {} : { speakerId }),
      duration: Math.max(0, endTime - startTime),
      transcribeLanguage: translated.sourceLanguage,
      translateLanguage: target,
      didTranslate: true,
      provider,
    }
    this.#deps.publish('translation', facets, frame, utteranceId, begunAt)
  }

  /** Drops the queues of topics that are not required any more. */
  retain(isRequired: (topic: SpeechTopic) => boolean): void {
    for (const [key, queue] of this.#queues) {
      if (isRequired(queue.topic)) continue
      queue.close()
      this.#queues.delete(key)
    }
  }
}

interface QueueEvents {
  onTranslated(result: TranslatableResult, translated: TranslatedText): void
  onFailed(failure: SpeechFailure, isLasting: boolean): void
  onWorking(): void
}

/** Translates the results of one language pair, one at a time. A newer interim result replaces a waiting one. */
class TranslationQueue {
  readonly topic: Required<SpeechTopic>
  readonly #clock: Clock
  readonly #translate: (request: TranslationRequest, done: (result: TranslationResult) => void) => void
  readonly #events: QueueEvents
  #finals: TranslatableResult[] = []
  #interim: TranslatableResult | undefined
  #attempts = 0
  #nextInterimAt = 0
  #isBusy = false
  #isClosed = false
  #timer: Timer | undefined

  constructor(
    clock: Clock,
    topic: Required<SpeechTopic>,
    translate: (request: TranslationRequest, done: (result: TranslationResult) => void) => void,
    events: QueueEvents,
  ) {
    this.topic = topic
    this.#clock = clock
    this.#translate = translate
    this.#events = events
  }

  add(result: TranslatableResult): void {
    if (result.isFinal) {
      if (this.#interim?.utteranceId === result.utteranceId) this.#interim = undefined
      this.#finals.push(result)
      if (this.#finals.length > MAX_WAITING) {
        this.#finals.shift()
        this.#events.onFailed({ kind: 'retryable', message: 'Translations take too long' }, true)
      }
    } else this.#interim = result
    this.#next()
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
  }

  #next(): void {
    if (this.#isBusy || this.#isClosed) return
    const [final] = this.#finals
    if (final) return this.#run(final)
    const interim = this.#interim
    if (!interim) return
    const delay = this.#nextInterimAt - this.#clock.monotonicNow()
    this.#timer?.cancel()
    if (delay > 0) {
      this.#timer = this.#clock.after(delay, () => this.#next())
      return
    }
    this.#interim = undefined
    this.#nextInterimAt = this.#clock.monotonicNow() + INTERIM_INTERVAL_MS
    this.#run(interim)
  }

  #run(result: TranslatableResult): void {
    this.#isBusy = true
    const { target } = this.topic
    const source = result.detectedLanguage
    this.#translate({ text: result.text, target, ...(source === undefined ? {} : { source }) }, (outcome) => {
      this.#isBusy = false
      if (this.#isClosed) return
      if (outcome.ok) this.#onTranslated(result, outcome.text, source ?? outcome.detectedLanguage)
      else this.#onFailed(result, outcome.failure)
    })
  }

  #onTranslated(result: TranslatableResult, text: string, source: string | undefined): void {
    this.#finish(result)
    this.#events.onWorking()
    const sourceLanguage = toLanguageTag(source ?? this.topic.language)
    if (!isSameLanguage(sourceLanguage, this.topic.target))
      this.#events.onTranslated(result, { text, sourceLanguage })
    this.#next()
  }

  #onFailed(result: TranslatableResult, failure: SpeechFailure): void {
    const delay = RETRY_DELAYS_MS[this.#attempts]
    if (result.isFinal && failure.kind === 'retryable' && delay !== undefined) {
      this.#attempts += 1
      this.#timer?.cancel()
      this.#isBusy = true
      this.#timer = this.#clock.after(delay, () => {
        this.#isBusy = false
        this.#next()
      })
      return
    }
    this.#finish(result)
    this.#events.onFailed(failure, result.isFinal || failure.kind !== 'retryable')
    this.#next()
  }

  #finish(result: TranslatableResult): void {
    this.#attempts = 0
    if (result.isFinal) this.#finals = this.#finals.filter((waiting) => waiting !== result)
  }
}

/**
 * Completes a detected language to a tag with a region, as in subscriptions: `en` becomes the preferred tag if that is
 * English, otherwise `en-US`.
 */
export function toLanguageTag(detected: string, preferred?: string): string {
  if (preferred !== undefined && isSameLanguage(detected, preferred)) return preferred
  return regionalLanguage(detected) ?? preferred ?? detected
}
