import { speak } from './browser.ts'
import type { Speak } from './platform.ts'

/**
 * Speaks with a voice of the browser what a person would read aloud of a text, as the cloud does (TTS-95); undefined without a voice.
 * For pages that can load a part of their script later: the parser is large, and few texts are spoken by the browser.
 */
export const readAloud: Speak | undefined =
  speak &&
  (async (text, options) => {
    const { spokenText } = await import('@glasses-cloud/contract/spoken-text')
    options.signal.throwIfAborted()
    await speak?.(spokenText(text), options)
  })
