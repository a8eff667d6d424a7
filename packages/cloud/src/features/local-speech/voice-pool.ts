import type { Metrics } from '../../http/metrics.ts'
import type { InstalledModels, SpeechModel } from '../speech-models/index.ts'
import type { VoicePassage } from './messages.ts'
import { ModelProcesses, type ModelProcessesDeps } from './model-processes.ts'
import { VoiceProcess } from './voice-process.ts'

/** What runs, for measurement. */
export interface VoiceState {
  readonly model: string
  /** Passages that are being spoken or wait for that. */
  readonly passages: number
}

/** The voice processes of this node: one for each model in use. Each is started with the first text. */
export class VoicePool {
  readonly models: InstalledModels
  readonly #processes: ModelProcesses<VoiceProcess>

  constructor(deps: ModelProcessesDeps) {
    this.models = deps.models
    this.#processes = new ModelProcesses(deps, 'local voice', (options) => new VoiceProcess(options))
  }

  /**
   * Returns the process of a voice, and starts it if necessary.
   * @throws Error with a sentence, without paths, if the model cannot be loaded
   */
  async open(model: SpeechModel): Promise<VoiceProcess> {
    for (;;) {
      const ready = this.#processes.of(model).find(({ isReady }) => isReady)
      if (ready) return ready
      await this.#processes.load(model)
    }
  }

  /** Speaks a passage. Errors are those of `open` and of `VoiceProcess.speak`. */
  async speak(model: SpeechModel, passage: VoicePassage, signal: AbortSignal): Promise<Uint8Array> {
    const voice = await this.open(model)
    return voice.speak(passage, signal)
  }

  list(): VoiceState[] {
    return this.#processes.all.map(({ model, passages }) => ({ model: model.id, passages }))
  }

  /** Process ids, for tests that end them. */
  pids(): number[] {
    return this.#processes.pids()
  }

  /** Measures the voices in use. */
  addMetrics(metrics: Pick<Metrics, 'gauges'>): void {
    metrics.gauges(
      'local_voice_passages',
      'Passages that a local voice speaks, or that wait for it; one line for each voice that is loaded',
      ['model'],
      () => this.list().map(({ model, passages }) => [{ model }, passages] as const),
    )
  }

  close(): void {
    this.#processes.close()
  }
}
