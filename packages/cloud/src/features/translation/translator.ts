import type { TranslationRequest, TranslationResult } from '../../session/index.ts'

/** Translates texts. Every adapter passes `translatorSuite`. */
export interface Translator {
  readonly name: string
  /** Never rejects. Failure messages contain neither the text nor the key. */
  translate(request: TranslationRequest): Promise<TranslationResult>
  /** Returns the problem of the provider and how to solve it; undefined if it works. Translates nothing. */
  problem(): Promise<string | undefined>
  close(): Promise<void>
}
