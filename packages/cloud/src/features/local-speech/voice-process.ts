import type { Clock, Timer } from '../../time/index.ts'
import type { FromVoice, ToVoice, VoicePassage } from './messages.ts'
import { ModelProcess, type ModelProcessOptions } from './model-process.ts'

/** Limit for speaking a passage, without the time that it waits for others. */
const PASSAGE_TIMEOUT_MS = 30_000

interface Job {
  readonly passage: VoicePassage
  readonly resolve: (mp3: Uint8Array) => void
  readonly reject: (reason: unknown) => void
}

/** A process that speaks with one model (`voice-main.ts`), one passage after the other. */
export class VoiceProcess extends ModelProcess<ToVoice, FromVoice> {
  readonly #clock: Clock
  readonly #waiting = new Set<Job>()
  #running: { readonly job: Job; readonly deadline: Timer } | undefined
  #speakers = 0

  constructor(options: ModelProcessOptions) {
    super('voice-main', options)
    this.#clock = options.clock
  }

  /** Number of speakers; 0 while the model is being loaded. */
  get speakers(): number {
    return this.#speakers
  }

  /** Number of passages that are being spoken or wait for that. */
  get passages(): number {
    return this.#waiting.size + (this.#running ? 1 : 0)
  }

  /**
   * Speaks a passage after those that came before, once the model is loaded. Aborting removes it; one that is being spoken ends
   * by itself, and its speech is dropped.
   * @returns MP3
   * @throws Error with a sentence, without the text and without paths; the reason of the signal
   */
  async speak(passage: VoicePassage, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted()
    if (!this.isReady) throw new Error(`${this.model.id}: its process was ended`)
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    const job = { passage, resolve, reject }
    const cancel = () => {
      this.#waiting.delete(job)
      reject(signal.reason)
    }
    const release = this.reserve()
    signal.addEventListener('abort', cancel, { once: true })
    this.#waiting.add(job)
    this.#speakNext()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', cancel)
      release()
    }
  }

  #speakNext(): void {
    const [job] = this.#waiting
    if (this.#running || !job) return
    this.#waiting.delete(job)
    const deadline = this.#clock.after(PASSAGE_TIMEOUT_MS, () => this.end('it does not speak in time'))
    this.#running = { job, deadline }
    this.send({ type: 'speak', passage: job.passage })
  }

  protected override receive(message: FromVoice): void {
    if (message.type === 'loaded') {
      this.#speakers = message.speakers
      return
    }
    const job = this.#endRunning()
    job?.resolve(message.mp3)
    this.#speakNext()
  }

  #endRunning(): Job | undefined {
    const running = this.#running
    this.#running = undefined
    running?.deadline.cancel()
    return running?.job
  }

  protected override ended(message: string): void {
    const running = this.#endRunning()
    const jobs = [...(running ? [running] : []), ...this.#waiting]
    this.#waiting.clear()
    for (const { reject } of jobs) reject(new Error(message))
  }

  /** Once it speaks, what the library writes may contain the text. */
  protected override loggable(output: string): string {
    return this.#speakers === 0 ? output : ''
  }
}
