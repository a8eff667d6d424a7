import { type CloudToGlasses, type Subscription, speechSource } from '@glasses-cloud/contract'
import type { Timer } from '../../../time/index.ts'
import { LazyMap } from '../../lazy-collections.ts'
import type { SessionContext } from '../part.ts'
import type { SpeechFailureKind } from './port.ts'

type StatusMessage = Extract<CloudToGlasses, { type: 'transcription_status' }>
type StatusFields = Omit<StatusMessage, 'type' | 'timestamp'>

export type SpeechProblemReason = NonNullable<StatusMessage['reason']>

/** Why speech is not recognized or translated. */
export interface SpeechProblem {
  readonly reason: SpeechProblemReason
  /** A sentence for developers; contains no secrets. */
  readonly message: string
}

/** What a problem affects: the speech in a language, or its translation to another one. */
export interface SpeechTopic {
  /** A language tag, or `auto`. */
  readonly language: string
  readonly target?: string
}

/** Time after which a problem that may pass is reported, in milliseconds. */
const REPORT_DELAY_MS = 3_000

const REASONS: Record<SpeechFailureKind, SpeechProblemReason> = {
  retryable: 'provider_unavailable',
  expired: 'provider_unavailable',
  authentication: 'key_rejected',
  quota: 'quota_exceeded',
  unsupported_language: 'unsupported_language',
  busy: 'too_many_streams',
}

export function reasonOf(kind: SpeechFailureKind): SpeechProblemReason {
  return REASONS[kind]
}

interface ReportedProblem {
  readonly topic: SpeechTopic
  problem: SpeechProblem
  isReported: boolean
  /** The apps that received the report. */
  readonly informed: Set<string>
  timer: Timer | undefined
}

/**
 * Reports to the phone and to the affected apps that speech cannot be recognized, and that it can be again. Apps receive
 * it as a stream of its own, which the app SDK ignores unless the app handles it.
 */
export class SpeechStatus {
  readonly #context: SessionContext
  readonly #appsSearching: (language: string) => readonly string[]
  readonly #problems = new LazyMap<string, ReportedProblem>()

  /** @param appsSearching the apps for which transcripts of a language are searched for wake words */
  constructor(context: SessionContext, appsSearching: (language: string) => readonly string[]) {
    this.#context = context
    this.#appsSearching = appsSearching
  }

  /** Sets the problem of a topic. @param isLasting whether it is reported immediately */
  set(topic: SpeechTopic, problem: SpeechProblem, isLasting: boolean): void {
    const key = keyOf(topic)
    const known = this.#problems.get(key)
    const hasChanged = known?.problem.reason !== problem.reason
    const entry: ReportedProblem = known ?? {
      topic,
      problem,
      isReported: false,
      informed: new Set(),
      timer: undefined,
    }
    entry.problem = problem
    this.#problems.set(key, entry)
    if (entry.isReported && hasChanged) this.#report(entry)
    else if (!entry.isReported && isLasting) this.#report(entry)
    else if (!entry.isReported)
      entry.timer ??= this.#context.clock.after(REPORT_DELAY_MS, () => this.#report(entry))
  }

  /** Clears the problem of a topic, and reports that if the problem was reported. */
  clear(topic: SpeechTopic): void {
    const key = keyOf(topic)
    const entry = this.#problems.get(key)
    if (!entry) return
    this.#problems.delete(key)
    entry.timer?.cancel()
    if (!entry.isReported) return
    const fields: StatusFields = { status: 'available', stream: streamOf(topic), language: topic.language }
    this.#sendToPhone(fields)
    for (const packageName of entry.informed) this.#sendToApp(packageName, fields)
  }

  /** Clears all problems with a reason. */
  clearReason(reason: SpeechProblemReason): void {
    for (const { topic, problem } of [...this.#problems.values()])
      if (problem.reason === reason) this.clear(topic)
  }

  /** Forgets the problems of topics that are not required any more. */
  retain(isRequired: (topic: SpeechTopic) => boolean): void {
    for (const [key, { topic, timer }] of this.#problems) {
      if (isRequired(topic)) continue
      timer?.cancel()
      this.#problems.delete(key)
    }
  }

  /** Sends reported problems to apps that subscribed since. */
  informNewSubscribers(): void {
    for (const entry of this.#problems.values()) if (entry.isReported) this.#informApps(entry)
  }

  /** Sends reported problems to a phone that connected. */
  informPhone(): void {
    for (const entry of this.#problems.values()) if (entry.isReported) this.#sendToPhone(fieldsOf(entry))
  }

  #report(entry: ReportedProblem): void {
    entry.timer?.cancel()
    entry.timer = undefined
    entry.isReported = true
    entry.informed.clear()
    this.#context.log('speech_unavailable', { reason: entry.problem.reason, language: entry.topic.language })
    this.#sendToPhone(fieldsOf(entry))
    this.#informApps(entry)
  }

  #informApps(entry: ReportedProblem): void {
    const { subscriptions } = this.#context
    const { topic, informed } = entry
    const inform = (packageName: string) => {
      if (informed.has(packageName)) return
      informed.add(packageName)
      this.#sendToApp(packageName, fieldsOf(entry))
    }
    const informAffected = (packageName: string, subscription: Subscription) => {
      if (affects(topic, subscription)) inform(packageName)
    }
    subscriptions.forEach('transcription', informAffected)
    subscriptions.forEach('translation', informAffected)
    if (topic.target === undefined) this.#appsSearching(topic.language).forEach(inform)
  }

  #sendToApp(packageName: string, fields: StatusFields): void {
    const app = this.#context.apps.get(packageName)
    app?.sendStream(
      {
        sessionId: app.sessionId,
        streamType: 'transcription_status',
        timestamp: this.#context.timestamp(),
      },
      JSON.stringify({ type: 'transcription_status', ...fields }),
    )
  }

  #sendToPhone(fields: StatusFields): void {
    const timestamp = this.#context.timestamp()
    this.#context.sendToGlasses({ type: 'transcription_status', ...fields, timestamp })
  }
}

function fieldsOf({ topic, problem }: ReportedProblem): StatusFields {
  return { status: 'unavailable', stream: streamOf(topic), language: topic.language, ...problem }
}

function affects({ language, target }: SpeechTopic, subscription: Subscription): boolean {
  if (subscription.language === undefined || speechSource(subscription.language) !== language) return false
  return target === undefined || subscription.target === target
}

/** The stream of a topic, as in subscriptions. */
function streamOf({ language, target }: SpeechTopic): string {
  if (target === undefined) return `transcription:${language}`
  return `translation:${language === 'auto' ? 'all' : language}-to-${target}`
}

const keyOf = streamOf
