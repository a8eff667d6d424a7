import {
  canonicalLanguage,
  type GlassesToCloud,
  isSameLanguage,
  matchesLanguage,
  type PhoneSettings,
} from '@glasses-cloud/contract'
import type { Timer } from '../../../time/index.ts'
import { LazyMap, LazySet } from '../../lazy-collections.ts'
import type { SpeechRecognition } from '../../microphone.ts'
import { AudioInput } from '../audio-input.ts'
import type { GlassesHandlers, SessionContext, SessionPart } from '../part.ts'
import { Transcription } from '../transcription.ts'
import type { AudioFrame } from './audio-backlog.ts'
import type { SessionSpeech, SpeechOptions } from './port.ts'
import { ProviderHealth } from './provider-health.ts'
import { RecognitionStream, type RecognizedSegment } from './recognition-stream.ts'
import { type LanguageDemand, speechDemand, streamOptions, withWakeWords } from './speech-demand.ts'
import { reasonOf, type SpeechProblem, SpeechStatus, type SpeechTopic } from './speech-status.ts'
import { Translations, toLanguageTag } from './translations.ts'
import { UnrecognizedSpeech } from './unrecognized-speech.ts'
import { VoiceGate } from './voice-gate.ts'
import { WakeWords } from './wake-words.ts'

/** How long a stream stays open after the last subscription to its language, in milliseconds. */
const LINGER_MS = 3_000
/** Interval at which a stream is requested again while the process has no free one, in milliseconds. */
const RESERVE_RETRY_MS = 10_000
/** Language of speech that no provider identifies. */
const DEFAULT_LANGUAGE = 'en-US'

const PHONE_NOT_TRANSCRIBING: SpeechProblem = {
  reason: 'phone_not_transcribing',
  message:
    'The phone sends speech but no transcription of it. Use a phone that recognizes speech, or recognize it in the cloud: install a speech model or set STT_PROVIDERS, and turn off enforce_local_transcription and offline_mode',
}

interface OpenStream {
  readonly stream: RecognitionStream
  readonly release: () => void
  /** Closes the stream, once nothing is subscribed to its language. */
  lingering: Timer | undefined
}

/**
 * Recognizes the speech of the user in the languages that apps are subscribed to, with one stream for each language
 * (`RecognitionStream`). Results of the phone count while no provider recognizes, so that nothing is reported twice. Also detects the wake
 * words of apps.
 */
export class Speech implements SessionPart {
  static readonly glassesHandlers: GlassesHandlers<Speech> = {
    local_transcription: (part, message) => part.#fromPhone(message),
    VAD: (part, message) => part.#onVoiceActivity(message),
    vad: (part, message) => part.#onVoiceActivity(message),
  }

  readonly #context: SessionContext
  readonly #audio: AudioInput
  readonly #transcription: Transcription
  readonly #speech: SessionSpeech | undefined
  readonly #health: ProviderHealth
  readonly #status: SpeechStatus
  readonly #translations: Translations
  readonly #wakeWords: WakeWords
  readonly #gate: VoiceGate
  readonly #unrecognized: UnrecognizedSpeech
  readonly #streams = new LazyMap<string, OpenStream>()
  /** What the subscriptions to transcriptions and translations require, by language. */
  #subscribed = new Map<string, LanguageDemand>()
  /** The same with the languages in which transcripts are searched for wake words. */
  #demand = new Map<string, LanguageDemand>()
  /** The languages that the phone recognized since it connected. It may recognize several in turn. */
  readonly #recognizedByPhone = new LazySet<string>()
  /** The languages for which there is no stream left. */
  readonly #refused = new LazySet<string>()
  #settings: PhoneSettings
  #recognition: SpeechRecognition
  #retryTimer: Timer | undefined
  readonly #stopWatchingProviders: (() => void) | undefined

  constructor(context: SessionContext) {
    this.#context = context
    this.#audio = context.part(AudioInput)
    this.#transcription = context.part(Transcription)
    this.#settings = context.phoneSettings
    const { clock, ports } = context
    const { speech } = ports
    this.#speech = speech
    this.#health = new ProviderHealth(clock, speech?.providers ?? [])
    this.#wakeWords = new WakeWords({
      context,
      spotter: speech?.wakeWords,
      reserve: () => (this.#hasFreeStream ? speech?.reserveStream() : undefined),
      onChanged: () => this.#updateStreams(),
    })
    this.#status = new SpeechStatus(context, (language) => this.#wakeWords.appsSearching(language))
    this.#translations = new Translations({
      clock,
      translate: speech?.translate,
      publish: context.publish,
      onProblem: (topic, problem, isLasting) => this.#status.set(topic, problem, isLasting),
      onWorking: (topic) => this.#status.clear(topic),
    })
    this.#gate = new VoiceGate(clock, {
      onAudio: (frame) => {
        this.#forEachDemanded((stream) => stream.push(frame))
        this.#wakeWords.push(frame)
      },
      onPause: () => {
        this.#forEachDemanded((stream) => stream.pause())
        this.#wakeWords.pause()
      },
    })
    this.#unrecognized = new UnrecognizedSpeech({
      clock,
      limitMs: context.timing.unrecognizedSpeechMs,
      isPhoneConnected: () => context.isGlassesSocketOpen(),
      onLimit: () => this.#reportPhone(),
    })
    this.#recognition = this.#hasProviders ? 'cloud' : 'phone'
    if (this.#hasProviders) this.#audio.setRecognition(this.#recognition)
    this.#stopWatchingProviders = speech?.onInstalled?.(() => this.#updateStreams())
  }

  /** Handles PCM from the glasses. Nothing is kept or sent while nothing is subscribed to speech. */
  receiveAudio(pcm: Uint8Array): void {
    if (!this.#isEnabled) this.#unrecognized.push(pcm)
    if (!this.#isListening) return
    const { clock } = this.#context
    // A copy, because the frame is a part of a larger buffer, which would be kept with it.
    const frame: AudioFrame = {
      pcm: Uint8Array.from(pcm),
      arrivedAt: clock.now(),
      receivedAt: clock.monotonicNow(),
    }
    this.#gate.push(frame)
  }

  onSubscriptionsChanged(): void {
    this.#subscribed = speechDemand(this.#context.subscriptions)
    this.#updateStreams()
    this.#status.informNewSubscribers()
  }

  onPhoneSettingsChanged(settings: PhoneSettings): void {
    this.#settings = settings
    this.#updateStreams()
  }

  onGlassesConnected(): void {
    this.#gate.reset()
    this.#recognizedByPhone.clear()
    this.#unrecognized.reconnected()
    this.#status.informPhone()
  }

  onSessionEnded(): void {
    this.#stopWatchingProviders?.()
    this.#translations.retain(() => false)
    this.#unrecognized.setRequired(false)
    this.#wakeWords.close()
    for (const language of [...this.#streams.keys()]) this.#close(language)
  }

  get #hasProviders(): boolean {
    return this.#speech?.providers.some(({ isInstalled }) => isInstalled !== false) === true
  }

  /** Whether the cloud may recognize speech: there are providers, and the user does not require the phone. */
  get #isEnabled(): boolean {
    return this.#hasProviders && this.#isAudioAllowed
  }

  /** Whether the user lets the cloud process speech. */
  get #isAudioAllowed(): boolean {
    const { os, offlineMode } = this.#settings
    return os.enforceLocalTranscription !== true && !offlineMode
  }

  /** Whether audio of the glasses is processed. */
  get #isListening(): boolean {
    return (this.#streams.size > 0 && this.#demand.size > 0) || this.#wakeWords.needsAudio
  }

  /** Whether the user may have another stream. */
  get #hasFreeStream(): boolean {
    const used = this.#streams.size + this.#wakeWords.reserved
    return used < (this.#speech?.maxStreamsPerUser ?? 0)
  }

  #updateStreams(): void {
    this.#wakeWords.update(this.#isAudioAllowed)
    const { languages } = this.#wakeWords
    this.#demand = withWakeWords(this.#subscribed, languages)
    this.#audio.setWakeWordNeeds({ audio: this.#wakeWords.needsAudio, speech: languages.length > 0 })
    const isRequired = ({ language, target }: SpeechTopic) => {
      const demand = this.#demand.get(language)
      return demand !== undefined && (target === undefined || demand.targets.includes(target))
    }
    this.#status.retain(isRequired)
    this.#translations.retain(isRequired)
    for (const [language, open] of this.#streams) {
      if (!this.#isEnabled) this.#close(language)
      else if (!this.#demand.has(language))
        open.lingering ??= this.#context.clock.after(LINGER_MS, () => this.#close(language))
    }
    this.#refused.clear()
    this.#retryTimer?.cancel()
    this.#retryTimer = undefined
    if (this.#isEnabled) for (const demand of this.#demand.values()) this.#ensureStream(demand)
    if (!this.#isListening) this.#gate.stop()
    this.#updateRecognition()
    this.#unrecognized.setRequired(!this.#isEnabled && this.#demand.size > 0)
    this.#reportPhone()
  }

  /** Reports for the required languages whether the phone transcribes. */
  #reportPhone(): void {
    if (!this.#unrecognized.isOverLimit) return this.#status.clearReason(PHONE_NOT_TRANSCRIBING.reason)
    for (const language of this.#demand.keys()) this.#status.set({ language }, PHONE_NOT_TRANSCRIBING, true)
  }

  #ensureStream(demand: LanguageDemand): void {
    const { language } = demand
    const open = this.#streams.get(language)
    if (open) {
      open.lingering?.cancel()
      open.lingering = undefined
      open.stream.setOptions(this.#optionsOf(demand))
    } else this.#open(demand)
  }

  #open(demand: LanguageDemand): void {
    const speech = this.#speech
    if (!speech) return
    const { language } = demand
    this.#closeLingering()
    if (!this.#hasFreeStream)
      return this.#refuse(language, `A user has at most ${speech.maxStreamsPerUser} speech streams`)
    const release = speech.reserveStream()
    if (!release) {
      this.#retryTimer ??= this.#context.clock.after(RESERVE_RETRY_MS, () => this.#updateStreams())
      return this.#refuse(language, 'All speech streams of the server are in use')
    }
    const stream = new RecognitionStream(
      {
        clock: this.#context.clock,
        health: this.#health,
        isSpeaking: () => this.#gate.isOpen,
        quietMs: () => this.#gate.quietMs,
        onSegment: (segment) => this.#onSegment(stream, segment),
        onStateChanged: () => this.#updateRecognition(),
        recordDelay: (provider, ms) => speech.recordDelay(provider, ms),
        recordFailover: (from) => {
          this.#context.log('speech_failover', { from })
          speech.recordFailover(from)
        },
        onAudioDropped: () => this.#context.log('speech_audio_dropped'),
      },
      this.#optionsOf(demand),
    )
    this.#streams.set(language, { stream, release, lingering: undefined })
    this.#status.clear({ language })
  }

  #optionsOf(demand: LanguageDemand): SpeechOptions {
    return { ...streamOptions(demand), session: this.#context.userSessionId }
  }

  #refuse(language: string, message: string): void {
    this.#refused.add(language)
    this.#status.set({ language }, { reason: 'too_many_streams', message }, true)
  }

  /** Closes streams that are kept for a returning subscription, to make room for one that is needed now. */
  #closeLingering(): void {
    for (const [language, { lingering }] of this.#streams)
      if (lingering && !this.#hasFreeStream) this.#close(language)
  }

  #close(language: string): void {
    const open = this.#streams.get(language)
    if (!open) return
    this.#streams.delete(language)
    open.lingering?.cancel()
    open.stream.close()
    open.release()
  }

  #forEachDemanded(task: (stream: RecognitionStream) => void): void {
    for (const [language, { stream }] of this.#streams) if (this.#demand.has(language)) task(stream)
  }

  /** Requests from the phone what recognition needs, and reports the languages that are not recognized. */
  #updateRecognition(): void {
    let isAvailable = true
    for (const language of this.#demand.keys()) {
      const stream = this.#streams.get(language)?.stream
      if (this.#refused.has(language)) isAvailable = false
      if (!stream || this.#refused.has(language)) continue
      if (stream.state === 'down') isAvailable = false
      if (stream.state === 'down' && stream.failure && !stream.isServedByPhone) {
        const { kind, message } = stream.failure
        this.#status.set(
          { language },
          { reason: reasonOf(kind), message },
          kind !== 'retryable' && kind !== 'busy',
        )
      } else if (stream.state === 'ready' || stream.isServedByPhone) this.#status.clear({ language })
    }
    const recognition = !this.#hasProviders ? 'phone' : isAvailable ? 'cloud' : 'cloud-unavailable'
    if (recognition === this.#recognition) return
    this.#recognition = recognition
    this.#audio.setRecognition(recognition)
  }

  #onSegment({ language, translatesTo }: RecognitionStream, segment: RecognizedSegment): void {
    const { text, isFinal, startTime, endTime, provider, confidence, speakerId, translation } = segment
    const speaker = speakerId === undefined ? {} : { speakerId }
    const isAuto = language === 'auto'
    const preferred = isAuto ? undefined : language
    const detected = segment.language === undefined ? preferred : toLanguageTag(segment.language, preferred)
    const known = detected ?? this.#demand.get('auto')?.hints[0] ?? DEFAULT_LANGUAGE
    // The stream of a language has its own results, which must not be in the transcript twice.
    const transcript = isAuto ? (this.#streams.has(known) ? undefined : known) : this.#transcriptOf(language)
    const times =
      text === ''
        ? {
            utteranceId: segment.utteranceId,
            startTime,
            endTime,
            begunAt: this.#transcription.toMonotonic(startTime),
          }
        : this.#transcription.addResult(
            {
              language: preferred ?? known,
              detectedLanguage: known,
              text,
              isFinal,
              startTime,
              endTime,
              begunAt: startTime,
              provider,
              ...speaker,
              ...(confidence === undefined ? {} : { confidence }),
            },
            { facets: [{ source: language }], transcript },
          )
    if (text !== '') this.#wakeWords.search({ language, text, isFinal, ...times })
    for (const target of this.#demand.get(language)?.targets ?? []) {
      const result = { text, isFinal, ...times, ...speaker, detectedLanguage: detected, provider }
      if (target !== translatesTo) {
        if (text !== '') this.#translations.add({ language, target }, result)
      } else if (translation !== undefined && !isSameLanguage(known, target)) {
        this.#translations.publish({ language, target }, result, { text: translation, sourceLanguage: known })
      }
    }
  }

  #onVoiceActivity(message: Extract<GlassesToCloud, { type: 'VAD' | 'vad' }>): void {
    const isSpeaking = String(message.status) === 'true'
    this.#gate.report(isSpeaking)
    this.#unrecognized.report(isSpeaking)
    this.#context.publish('VAD', {}, { ...message, type: 'VAD' })
  }

  /** Adds a result of the phone, unless a provider recognizes the same speech. */
  #fromPhone(message: Extract<GlassesToCloud, { type: 'local_transcription' }>): void {
    const { text, isFinal, startTime, endTime, speakerId } = message
    // Android phones send `language` (glasses-socket.md §7).
    const tag = message.transcribeLanguage || message.language || DEFAULT_LANGUAGE
    const language = canonicalLanguage(tag) ?? tag
    const demanded = [...this.#demand.values()].filter(
      ({ language: source, tags }) =>
        source === 'auto' || tags.some((each) => matchesLanguage(each, language)),
    )
    if (text.trim() !== '') {
      this.#unrecognized.recognized()
      this.#reportPhone()
      this.#reportLanguage(language, demanded)
    }
    const sources = demanded
      .map((demand) => demand.language)
      .filter((source) => this.#acceptsFromPhone(source, isFinal))
    const provider = message.provider ?? 'phone'
    const speaker = speakerId === undefined ? {} : { speakerId: String(speakerId) }
    const languages = sources.filter((source) => source !== 'auto')
    const isKept = demanded.some((demand) => demand.language !== 'auto')
      ? languages.some((source) => this.#transcriptOf(source) !== undefined)
      : !this.#isRecognizing('auto')
    if (sources.length === 0 && !isKept) return
    const times = this.#transcription.addResult(
      {
        language,
        text,
        isFinal,
        provider,
        ...(startTime === undefined ? {} : { startTime }),
        ...(endTime === undefined ? {} : { endTime }),
        ...speaker,
      },
      { facets: sources.map((source) => ({ source, language })), transcript: isKept ? language : undefined },
    )
    for (const source of languages) this.#wakeWords.search({ language: source, text, isFinal, ...times })
    for (const source of sources) {
      for (const target of this.#demand.get(source)?.targets ?? []) {
        const result = { text, isFinal, ...times, ...speaker, detectedLanguage: language, provider }
        this.#translations.add({ language: source, target }, result)
      }
    }
  }

  /** Reports for the languages that only the phone can recognize whether it recognizes another one. */
  #reportLanguage(spoken: string, demanded: readonly LanguageDemand[]): void {
    for (const language of [...this.#recognizedByPhone])
      if (!this.#demand.has(language)) this.#recognizedByPhone.delete(language)
    for (const { language } of demanded) this.#recognizedByPhone.add(language)
    for (const language of this.#demand.keys()) {
      if (this.#streams.has(language)) continue
      if (this.#recognizedByPhone.has(language)) this.#status.clear({ language })
      else if (language !== 'auto') {
        const message = `The phone recognizes ${spoken}, and not ${language}`
        this.#status.set({ language }, { reason: 'unsupported_language', message }, false)
      }
    }
  }

  /** The transcript that results are added to; none if they are only searched for wake words. */
  #transcriptOf(language: string): string | undefined {
    return this.#demand.has(language) && !this.#subscribed.has(language) ? undefined : language
  }

  /** Whether results of the phone count for the subscribers of a language. */
  #acceptsFromPhone(language: string, isFinal: boolean): boolean {
    const stream = this.#streams.get(language)?.stream
    if (stream && this.#demand.has(language)) {
      const isAccepted = stream.acceptPhoneResult(isFinal)
      if (isAccepted) this.#updateRecognition()
      return isAccepted
    }
    // The detection of the language covers every language.
    return language === 'auto' || this.#refused.has(language) || !this.#isRecognizing('auto')
  }

  #isRecognizing(language: string): boolean {
    const stream = this.#streams.get(language)?.stream
    return stream !== undefined && this.#demand.has(language) && stream.state !== 'down'
  }
}
