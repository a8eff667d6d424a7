import type { Logger } from 'pino'
import type { Counter, Histogram } from 'prom-client'
import type { Metrics } from '../../http/metrics.ts'
import type {
  SessionSpeech,
  SpeechFailure,
  SpeechListener,
  SpeechOptions,
  SpeechProvider,
  SpeechStream,
  WakeWordSpotter,
} from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import { NO_TRACING, type Tracing } from '../../tracing/index.ts'
import type { Translator } from '../translation/index.ts'
import { msOfBytes, type SpeechToText } from './speech-to-text.ts'

export interface SpeechGatewayDeps {
  /** In order of preference. */
  readonly providers: readonly SpeechToText[]
  readonly translator: Translator | undefined
  /** Detects wake words without a transcription. */
  readonly wakeWords?: WakeWordSpotter | undefined
  readonly maxStreams: number
  readonly maxStreamsPerUser: number
  /** Calls the listener when a provider or a model for wake words was installed or removed. @returns stops that */
  readonly onInstalled?: ((listener: () => void) => () => void) | undefined
  readonly metrics: Metrics
  readonly tracing?: Tracing | undefined
  readonly clock: Clock
  readonly log: Logger
}

const FAILURE_KINDS: readonly SpeechFailure['kind'][] = [
  'retryable',
  'expired',
  'authentication',
  'quota',
  'unsupported_language',
  'busy',
]

/** Connects sessions with the speech providers: limits and counts their streams, and remembers rejected keys. */
export class SpeechGateway {
  readonly #deps: SpeechGatewayDeps
  readonly #providers: readonly MeteredProvider[]
  readonly #delay: Histogram<'provider'>
  readonly #failovers: Counter<'from'>
  #streams = 0

  constructor(deps: SpeechGatewayDeps) {
    this.#deps = deps
    const { metrics } = deps
    const counters: ProviderMetrics = {
      seconds: metrics.counter(
        'speech_streamed_seconds_total',
        'Seconds of audio sent to a provider',
        ['provider'],
        deps.providers.map(({ name: provider }) => ({ provider })),
      ),
      failures: metrics.counter(
        'speech_failures_total',
        'Failed streams to a provider',
        ['provider', 'kind'],
        deps.providers.flatMap(({ name: provider }) => FAILURE_KINDS.map((kind) => ({ provider, kind }))),
      ),
      opened: 0,
    }
    this.#delay = metrics.histogram(
      'speech_delay_seconds',
      'Time from the arrival of audio to its text',
      ['provider'],
      [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
      deps.providers.map(({ name: provider }) => ({ provider })),
    )
    this.#failovers = metrics.counter(
      'speech_failovers_total',
      'Streams that another provider took over',
      ['from'],
      deps.providers.map(({ name: from }) => ({ from })),
    )
    metrics.gauge('speech_streams', 'Speech streams of sessions', () => this.#streams)
    metrics.gauge('speech_provider_connections', 'Open streams to providers', () => counters.opened)
    this.#providers = deps.providers.map((provider) => new MeteredProvider(provider, counters, deps))
  }

  /** Returns what a session uses; undefined if nothing is configured. */
  forSession(): SessionSpeech | undefined {
    const { maxStreamsPerUser, translator, wakeWords, onInstalled } = this.#deps
    if (this.#providers.length === 0 && !translator && !wakeWords) return undefined
    return {
      providers: this.#providers,
      maxStreamsPerUser,
      reserveStream: () => this.#reserve(),
      ...(wakeWords ? { wakeWords } : {}),
      ...(onInstalled ? { onInstalled } : {}),
      ...(translator ? { translate: (request, done) => void translator.translate(request).then(done) } : {}),
      recordDelay: (provider, ms) => this.#delay.observe({ provider }, ms / 1_000),
      recordFailover: (from) => this.#failovers.inc({ from }),
    }
  }

  #reserve(): (() => void) | undefined {
    if (this.#streams >= this.#deps.maxStreams) return undefined
    this.#streams += 1
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#streams -= 1
    }
  }
}

interface ProviderMetrics {
  readonly seconds: Counter<'provider'>
  readonly failures: Counter<'provider' | 'kind'>
  /** Streams that are open. */
  opened: number
}

/** Time until a rejected key is tried again. It doubles with each rejection, up to the maximum. */
const FIRST_KEY_RETRY_MS = 30_000
const MAX_KEY_RETRY_MS = 30 * 60_000
/** Time within which no other session tries the key, so that one does. */
const KEY_TRIAL_MS = 10_000

/** Counts what a provider receives. After it rejected the key, it is tried again after a growing delay. */
class MeteredProvider implements SpeechProvider {
  /** How often the key was rejected since it was last accepted. */
  #rejections = 0
  #rejectedAt = 0
  /** When the key may be tried again, on the monotonic clock. */
  #retryAt = 0
  readonly name: string
  readonly translates: boolean
  readonly finalizeTimeoutMs: number
  readonly #provider: SpeechToText
  readonly #metrics: ProviderMetrics
  readonly #clock: Clock
  readonly #log: Logger
  readonly #tracing: Tracing

  constructor(
    provider: SpeechToText,
    metrics: ProviderMetrics,
    { clock, log, tracing = NO_TRACING }: SpeechGatewayDeps,
  ) {
    this.name = provider.name
    this.translates = provider.translates
    this.finalizeTimeoutMs = provider.finalizeTimeoutMs
    this.#provider = provider
    this.#metrics = metrics
    this.#clock = clock
    this.#log = log
    this.#tracing = tracing
  }

  get rejectedForMs(): number {
    return this.#rejections === 0 ? 0 : Math.max(0, this.#retryAt - this.#clock.monotonicNow())
  }

  get isInstalled(): boolean {
    return this.#provider.isInstalled !== false
  }

  supports(language: string): boolean {
    return this.#provider.supports(language)
  }

  open(options: SpeechOptions, listener: SpeechListener): SpeechStream {
    const { name: provider } = this
    const metrics = this.#metrics
    let isOpen = true
    const onEnd = () => {
      if (isOpen) metrics.opened -= 1
      isOpen = false
    }
    metrics.opened += 1
    if (this.#rejections > 0)
      this.#retryAt = Math.max(this.#retryAt, this.#clock.monotonicNow() + KEY_TRIAL_MS)
    const utterance = this.#tracing.isOn
      ? new UtteranceTrace(this.#tracing, provider, () => this.#clock.now())
      : undefined
    const stream = this.#provider.open(options, {
      ready: () => listener.ready(),
      segment: (segment) => {
        // Some providers are ready before they check the key.
        this.#rejections = 0
        if (utterance && segment.isFinal) utterance.end(() => listener.segment(segment))
        else listener.segment(segment)
      },
      finalized: () => listener.finalized(),
      failed: (failure) => {
        onEnd()
        this.#recordFailure(failure)
        listener.failed(failure)
      },
    })
    return {
      push(pcm) {
        const ms = msOfBytes(pcm.byteLength)
        metrics.seconds.inc({ provider }, ms / 1_000)
        utterance?.heard(ms)
        stream.push(pcm)
      },
      finalize: () => stream.finalize(),
      close() {
        onEnd()
        stream.close()
      },
    }
  }

  #recordFailure({ kind, message }: SpeechFailure): void {
    const { name: provider } = this
    this.#metrics.failures.inc({ provider, kind })
    if (kind !== 'authentication') {
      this.#log.warn({ provider, kind }, `speech: ${message}`)
      return
    }
    const now = this.#clock.monotonicNow()
    // Other sessions may have tried the key at the same time.
    if (this.#rejections > 0 && now >= this.#rejectedAt && now < this.#rejectedAt + KEY_TRIAL_MS) return
    const delayMs = Math.min(FIRST_KEY_RETRY_MS * 2 ** this.#rejections, MAX_KEY_RETRY_MS)
    this.#rejections += 1
    this.#rejectedAt = now
    this.#retryAt = now + delayMs
    this.#log.error({ provider }, `speech: ${message}; it is tried again in ${delayMs / 1000} s`)
  }
}

/** Traces the utterances of one stream: one trace for each final text, none for frames or interim texts. */
class UtteranceTrace {
  readonly #tracing: Tracing
  readonly #provider: string
  readonly #now: () => number
  #startTime: number | undefined
  #audioMs = 0

  /** @param now epoch milliseconds */
  constructor(tracing: Tracing, provider: string, now: () => number) {
    this.#tracing = tracing
    this.#provider = provider
    this.#now = now
  }

  /** Records audio that is sent to the provider. */
  heard(ms: number): void {
    this.#startTime ??= this.#now()
    this.#audioMs += ms
  }

  /** Ends an utterance with its final text, which is delivered in its trace. */
  end(deliver: () => void): void {
    const attributes = { 'speech.provider': this.#provider, 'speech.audio_ms': Math.round(this.#audioMs) }
    const time = this.#startTime === undefined ? {} : { startTime: this.#startTime }
    this.#startTime = undefined
    this.#audioMs = 0
    const utterance = this.#tracing.start('utterance', { parent: undefined, attributes, ...time })
    this.#tracing.start('utterance.recognize', { parent: utterance.context, attributes, ...time }).end()
    const delivery = this.#tracing.start('utterance.deliver', { parent: utterance.context })
    this.#tracing.within(delivery.context, deliver)
    delivery.end()
    utterance.end()
  }
}
