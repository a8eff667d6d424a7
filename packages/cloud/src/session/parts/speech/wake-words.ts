import { foldText, type WakeWord, wakeWordLanguage } from '@glasses-cloud/contract'
import { LazyMap, LazySet } from '../../lazy-collections.ts'
import type { SessionContext } from '../part.ts'
import type { AudioFrame } from './audio-backlog.ts'
import type { WakeWordSpotter } from './port.ts'
import { WakeWordDetection } from './wake-word-detection.ts'

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * Whether a text contains a phrase as whole words, in any case and form, and with any punctuation and spaces between them. In
 * scripts without spaces between words it may be anywhere in the text.
 */
export function containsPhrase(text: string, phrase: string): boolean {
  const words = wordsOf(phrase)
  if (words.length === 0) return false
  if (UNSPACED.test(phrase)) return wordsOf(text).join('').includes(words.join(''))
  return ` ${wordsOf(text).join(' ')} `.includes(` ${words.join(' ')} `)
}

function wordsOf(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** Utterances in progress in which phrases were found, of one app and language. */
const MAX_UTTERANCES = 64

/** A result of speech recognition. */
export interface SearchableResult {
  readonly language: string
  readonly text: string
  readonly isFinal: boolean
  readonly utteranceId: string
  /** When it began, in milliseconds of the monotonic clock. */
  readonly begunAt: number
}

export interface WakeWordsDeps {
  readonly context: SessionContext
  readonly spotter: WakeWordSpotter | undefined
  /** Reserves one of the speech streams of the user; undefined if all are in use. The result releases it. */
  reserve(): (() => void) | undefined
  /** `languages` or `reserved` changed. */
  onChanged(): void
}

/** The phrases of an app in a language. */
interface Listener {
  readonly packageName: string
  readonly language: string
  readonly phrases: readonly string[]
  /** Undefined: transcripts are searched. */
  detection: WakeWordDetection | undefined
  /** The phrases that were found in utterances in progress, by utterance. */
  readonly found: Map<string, Set<string>>
}

/**
 * Sends `wake_word` to apps that subscribe to it, when the user says a phrase of their manifest. A spotter detects the phrases in the audio;
 * without a model for the language they are searched for in transcripts.
 */
export class WakeWords {
  readonly #deps: WakeWordsDeps
  readonly #listeners = new LazyMap<string, Listener>()
  /** Apps that subscribed without a phrase, so that it is logged once. */
  readonly #withoutPhrases = new LazySet<string>()

  constructor(deps: WakeWordsDeps) {
    this.#deps = deps
  }

  /**
   * Applies subscriptions, manifests and installed models.
   * @param isAudioAllowed whether audio may be processed in the cloud
   */
  update(isAudioAllowed: boolean): void {
    const required = this.#required()
    for (const [key, listener] of this.#listeners) {
      const next = required.get(key)
      if (next && next.phrases.join() === listener.phrases.join()) continue
      listener.detection?.close()
      this.#listeners.delete(key)
    }
    const { spotter } = this.#deps
    for (const [key, next] of required) {
      const listener = this.#listeners.get(key) ?? next
      this.#listeners.set(key, listener)
      const isSpotted = isAudioAllowed && spotter?.supports(listener.language) === true
      if (isSpotted && spotter) listener.detection ??= this.#detect(listener, spotter)
      else {
        listener.detection?.close()
        listener.detection = undefined
      }
    }
  }

  /** Whether audio is needed for a spotter. */
  get needsAudio(): boolean {
    for (const { detection } of this.#listeners.values()) if (detection?.needsAudio) return true
    return false
  }

  /** The speech streams that are in use. */
  get reserved(): number {
    return [...this.#listeners.values()].filter(({ detection }) => detection?.isReserved).length
  }

  /** The languages in which transcripts are searched. */
  get languages(): string[] {
    const searching = [...this.#listeners.values()].filter((listener) => searchedBy(listener).length > 0)
    return [...new Set(searching.map(({ language }) => language))]
  }

  /** The apps for which transcripts of a language are searched. */
  appsSearching(language: string): string[] {
    return [...this.#listeners.values()]
      .filter((listener) => listener.language === language && searchedBy(listener).length > 0)
      .map(({ packageName }) => packageName)
  }

  /** Handles audio that contains speech. */
  push(frame: AudioFrame): void {
    for (const { packageName, detection } of this.#listeners.values())
      if (detection && this.#isPermitted(packageName, frame.receivedAt)) detection.push(frame)
  }

  /** Handles the end of speech. */
  pause(): void {
    for (const { detection } of this.#listeners.values()) detection?.pause()
  }

  /** Searches a result for the phrases that no spotter detects, each of which is reported once in an utterance. */
  search({ language, text, isFinal, utteranceId, begunAt }: SearchableResult): void {
    for (const listener of this.#listeners.values()) {
      if (listener.language !== language || !this.#isPermitted(listener.packageName, begunAt)) continue
      const found = listener.found.get(utteranceId) ?? new Set<string>()
      for (const phrase of searchedBy(listener)) {
        if (found.has(phrase) || !containsPhrase(text, phrase)) continue
        found.add(phrase)
        this.#send(listener, phrase)
      }
      if (isFinal) listener.found.delete(utteranceId)
      else if (found.size > 0) listener.found.set(utteranceId, found)
      if (listener.found.size > MAX_UTTERANCES) listener.found.clear()
    }
  }

  close(): void {
    for (const { detection } of this.#listeners.values()) detection?.close()
    this.#listeners.clear()
  }

  /** What the subscribed apps declare, by app and language. */
  #required(): Map<string, Listener> {
    const { subscriptions, apps } = this.#deps.context
    const required = new Map<string, Listener>()
    const withoutPhrases = new Set<string>()
    subscriptions.forEach('wake_word', (packageName) => {
      const definition = apps.get(packageName)?.definition
      const wakeWords = definition?.wakeWords ?? []
      if (definition && wakeWords.length === 0) withoutPhrases.add(packageName)
      for (const [language, entries] of Map.groupBy(wakeWords, wakeWordLanguage)) {
        const phrases = entries.map(({ phrase }: WakeWord) => phrase)
        const listener = { packageName, language, phrases, detection: undefined, found: new Map() }
        required.set(`${packageName} ${language}`, listener)
      }
    })
    this.#logWithoutPhrases(withoutPhrases)
    return required
  }

  #logWithoutPhrases(apps: ReadonlySet<string>): void {
    for (const packageName of this.#withoutPhrases)
      if (!apps.has(packageName)) this.#withoutPhrases.delete(packageName)
    for (const packageName of apps) {
      if (this.#withoutPhrases.has(packageName)) continue
      this.#withoutPhrases.add(packageName)
      const message = 'The app subscribes to wake_word, and its manifest has no wakeWords'
      this.#deps.context.log('wake_word_unavailable', { packageName, message })
    }
  }

  #detect(listener: Listener, spotter: WakeWordSpotter): WakeWordDetection {
    const { context, reserve, onChanged } = this.#deps
    const { packageName, language, phrases } = listener
    return new WakeWordDetection(
      {
        clock: context.clock,
        spotter,
        reserve,
        onDetected: (phrase) => this.#send(listener, phrase),
        onUnspelled: (unspelled) => {
          const names = unspelled.map((phrase) => `"${phrase}"`).join(', ')
          const message = `The model for ${language} cannot detect ${names}: transcripts are searched instead`
          context.log('wake_word_unavailable', { packageName, message })
        },
        onChanged,
      },
      language,
      phrases,
    )
  }

  #isPermitted(packageName: string, begunAt: number): boolean {
    const app = this.#deps.context.apps.get(packageName)
    return app !== undefined && app.permittedSince('MICROPHONE') <= begunAt
  }

  #send({ packageName, language }: Listener, phrase: string): void {
    const { apps, timestamp } = this.#deps.context
    const app = apps.get(packageName)
    const now = timestamp()
    app?.sendStream(
      { sessionId: app.sessionId, streamType: 'wake_word', timestamp: now },
      JSON.stringify({ type: 'wake_word', phrase, language, timestamp: now }),
    )
  }
}

function searchedBy({ detection, phrases }: Listener): readonly string[] {
  return detection ? detection.searched : phrases
}
