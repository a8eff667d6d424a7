import { Agent, type Dispatcher } from 'undici'
import type { Config } from '../../config/index.ts'
import { deepl } from './deepl.ts'
import { libreTranslate } from './libretranslate.ts'
import type { Translator } from './translator.ts'

export type { Translator } from './translator.ts'

/** Creates the configured translation provider; undefined if there is none. */
export function createTranslator(
  translation: Config['translation'],
  dispatcher: Dispatcher = new Agent(),
): Translator | undefined {
  switch (translation?.provider) {
    case undefined:
      return undefined
    case 'libretranslate':
      return libreTranslate({ ...translation, dispatcher })
    case 'deepl':
      return deepl({ ...translation, dispatcher })
  }
}
