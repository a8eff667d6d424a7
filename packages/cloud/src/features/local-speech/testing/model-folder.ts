import { EventEmitter } from 'node:events'
import type { InstalledModels, SpeechModel } from '../../speech-models/index.ts'

/** Models in folders of the test, which can be installed and removed. */
export class ModelFolder implements InstalledModels {
  readonly #installed = new Map<string, { readonly model: SpeechModel; readonly folder: string }>()
  readonly #events = new EventEmitter<{ change: [] }>()
  /** Runs before a folder is returned. */
  beforeFolder: () => Promise<void> = async () => {}

  install(entry: { readonly model: SpeechModel; readonly folder: string }): void {
    this.#installed.set(entry.model.id, entry)
    this.#events.emit('change')
  }

  remove(id: string): void {
    this.#installed.delete(id)
    this.#events.emit('change')
  }

  list(): readonly SpeechModel[] {
    return [...this.#installed.values()].map(({ model }) => model)
  }

  onChange(listener: () => void): () => void {
    this.#events.on('change', listener)
    return () => this.#events.off('change', listener)
  }

  async folderOf(id: string): Promise<string> {
    await this.beforeFolder()
    const entry = this.#installed.get(id)
    if (!entry) throw new Error(`${id} is not installed`)
    return entry.folder
  }
}
