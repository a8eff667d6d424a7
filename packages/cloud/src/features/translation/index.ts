import type { Config } from '../../config/index.ts'
import { deepl } from './deepl.ts'
import { libreTranslate } from './libretranslate.ts'
import type { Translator } from './translator.ts'

export type { Translator } from './translator.ts'

/** Creates the configured translation provider; undefined if there is none. */
export async function createTranslator(translation: Config['translation']): Promise<Translator | undefined> {
  if (translation === undefined) return undefined
  const { Agent } = await import('undici')
  const dispatcher = new Agent()
  switch (translation.provider) {
    case 'libretranslate':
      return libreTranslate({ ...translation, dispatcher })
    case 'deepl':
      return deepl({ ...translation, dispatcher })
  }
}
