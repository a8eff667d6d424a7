import type { Clock } from '../../../time/index.ts'
import { LazyMap } from '../../lazy-collections.ts'
import type { SpeechFailure, SpeechProvider } from './port.ts'

/** Delay before a failed provider is tried again, in milliseconds. The last value repeats. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000]
/** Delay after the account of a provider has reached a limit, in milliseconds. */
const QUOTA_DELAY_MS = 60_000

interface Health {
  failures: number
  retryAt: number
  readonly unsupported: Set<string>
  lastFailure?: SpeechFailure
}

/** Which providers of a session work. Failed ones are tried again after a growing delay. */
export class ProviderHealth {
  readonly #clock: Clock
  readonly #providers: readonly SpeechProvider[]
  readonly #health = new LazyMap<SpeechProvider, Health>()

  constructor(clock: Clock, providers: readonly SpeechProvider[]) {
    this.#clock = clock
    this.#providers = providers
  }

  /** The preferred provider that supports the language and can be tried now. */
  best(language: string): SpeechProvider | undefined {
    return this.#candidates(language).find((provider) => this.#retryInMs(provider) === 0)
  }

  /** Whether another provider than the given one could take over now. */
  hasAlternative(language: string, provider: SpeechProvider): boolean {
    return this.#candidates(language).some((other) => other !== provider && this.#retryInMs(other) === 0)
  }

  /** Whether providers support the language, but all of them reject their keys. */
  isRejected(language: string): boolean {
    const candidates = this.#candidates(language)
    return candidates.length > 0 && candidates.every((provider) => provider.rejectedForMs > 0)
  }

  /** Whether the first provider is preferred to the second one. */
  isPreferred(provider: SpeechProvider, to: SpeechProvider): boolean {
    return this.#providers.indexOf(provider) < this.#providers.indexOf(to)
  }

  /** Milliseconds until a provider preferred to the given one can be tried; undefined if there is none. */
  retryInMs(language: string, preferredTo?: SpeechProvider): number | undefined {
    const delays = this.#candidates(language)
      .filter((provider) => preferredTo === undefined || this.isPreferred(provider, preferredTo))
      .map((provider) => this.#retryInMs(provider))
    return delays.length === 0 ? undefined : Math.min(...delays)
  }

  /** Why no provider can be used for the language: the last failure of the preferred provider. */
  reason(language: string): SpeechFailure {
    const candidates = this.#candidates(language)
    const preferred = candidates.find((provider) => provider.rejectedForMs === 0)
    const known = preferred && this.#of(preferred).lastFailure
    if (known) return known
    if (preferred) return { kind: 'retryable', message: `${preferred.name} does not respond` }
    const [rejected] = candidates
    return rejected
      ? { kind: 'authentication', message: `${rejected.name} rejects the key` }
      : { kind: 'unsupported_language', message: `no provider supports ${language}` }
  }

  recordFailure(provider: SpeechProvider, language: string, failure: SpeechFailure): void {
    const health = this.#of(provider)
    health.lastFailure = failure
    if (failure.kind === 'expired') return
    if (failure.kind === 'unsupported_language') {
      health.unsupported.add(language)
      return
    }
    const now = this.#clock.monotonicNow()
    // A connection that broke can usually be opened again, and nothing else is available.
    const isRetriedAtOnce = health.failures === 0 && !this.hasAlternative(language, provider)
    const delay = RETRY_DELAYS_MS[Math.min(health.failures, RETRY_DELAYS_MS.length - 1)] ?? 0
    health.failures += 1
    if (failure.kind === 'quota') health.retryAt = now + QUOTA_DELAY_MS
    else health.retryAt = isRetriedAtOnce ? now : now + delay
  }

  /** Records that a provider recognized audio. */
  recordSuccess(provider: SpeechProvider): void {
    const health = this.#of(provider)
    health.failures = 0
    delete health.lastFailure
  }

  #candidates(language: string): SpeechProvider[] {
    return this.#providers.filter(
      (provider) => provider.supports(language) && !this.#of(provider).unsupported.has(language),
    )
  }

  #retryInMs(provider: SpeechProvider): number {
    const delay = this.#of(provider).retryAt - this.#clock.monotonicNow()
    return Math.max(0, delay, provider.rejectedForMs)
  }

  #of(provider: SpeechProvider): Health {
    let health = this.#health.get(provider)
    if (!health) {
      health = { failures: 0, retryAt: 0, unsupported: new Set() }
      this.#health.set(provider, health)
    }
    return health
  }
}
