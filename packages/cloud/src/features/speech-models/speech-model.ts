/** A speech model: what it does, and the files that it consists of. */
export interface SpeechModel {
  readonly id: string
  readonly name: string
  readonly kind: 'streaming-recognizer' | 'recognizer' | 'voice' | 'keyword-spotter' | 'punctuation' | 'speaker'
  readonly architecture: string
  readonly languages: readonly string[]
  readonly detectsLanguage: boolean
  readonly memoryBytes: number
  readonly license: { readonly name: string; readonly url: string }
  readonly source: string
  readonly files: readonly {
    readonly name: string
    readonly role: string
    readonly url?: string
    readonly bytes: number
    readonly sha256?: string
  }[]
}

export interface InstalledModels {
  list(): readonly SpeechModel[]
  onChange(listener: () => void): () => void
  folderOf(id: string): Promise<string>
}
