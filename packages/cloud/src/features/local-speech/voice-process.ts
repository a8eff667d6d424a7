import type { Clock, Timer } from '../../time/index.ts'
import type { SpeechModel } from '../speech-models/index.ts'
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
export class VoiceProcess {
  readonly model: SpeechModel
  /** A voice loads no other model. */
  readonly companions: readonly SpeechModel[] = []
  readonly #process: ModelProcess<ToVoice, FromVoice>
  readonly #clock: Clock
  readonly #waiting = new Set<Job>()
  #running: { readonly job: Job; readonly deadline: Timer } | undefined
  #speakers = 0

  constructor({ onEnd, ...options }: ModelProcessOptions) {
    this.model = options.model
    this.#clock = options.clock
    this.#process = new ModelProcess(
      {
        name: 'voice-main',
        receive: (message: FromVoice) => this.#receive(message),
        ended: (message) => this.#failAll(new Error(message)),
      },
      {
        ...options,
        // Once it speaks, what the library writes may contain the text.
        onEnd: (problem, output) => onEnd(problem, this.#speakers === 0 ? output : ''),
      },
    )
  }

  /** Resolves when the model is loaded; rejects with a sentence that says why it is not. */
  get loaded(): Promise<void> {
    return this.#process.loaded
  }

  get isReady(): boolean {
    return this.#process.isReady
  }

  get pid(): number | undefined {
    return this.#process.pid
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
    const release = this.#process.reserve()
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

  /** Ends the process; its passages fail. @param problem why */
  end(problem: string | undefined): void {
    this.#process.end(problem)
  }

  #speakNext(): void {
    const [job] = this.#waiting
    if (this.#running || !job) return
    this.#waiting.delete(job)
    const deadline = this.#clock.after(PASSAGE_TIMEOUT_MS, () => this.end('it does not speak in time'))
    this.#running = { job, deadline }
    this.#process.send({ type: 'speak', passage: job.passage })
  }

  #receive(message: FromVoice): void {
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

  #failAll(error: Error): void {
    const running = this.#endRunning()
    const jobs = [...(running ? [running] : []), ...this.#waiting]
    this.#waiting.clear()
    for (const { reject } of jobs) reject(error)
  }
}
