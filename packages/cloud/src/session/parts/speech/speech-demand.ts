import type { Subscription } from '@glasses-cloud/contract'
import type { Subscriptions } from '../../subscriptions.ts'
import type { SpeechOptions } from './port.ts'

/** Hints in total for one language. */
const MAX_HINTS = 20
const HINT_PATTERN = /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/

/** What the apps require of the speech in one language. */
export interface LanguageDemand {
  /** A language tag, or `auto`. */
  readonly language: string
  readonly hints: readonly string[]
  readonly identifiesLanguage: boolean
  /** Languages to translate to. */
  readonly targets: readonly string[]
}

/** Collects what the apps require, by language: all apps share the stream of a language. */
export function speechDemand(subscriptions: Subscriptions): Map<string, LanguageDemand> {
  const demand = new Map<string, LanguageDemand>()
  const add = ({ language, target, options = {} }: Subscription) => {
    if (language === undefined) return
    const key = sourceLanguage(language)
    const known = demand.get(key)
    const hints = (options.hints ?? '').split(',').filter((hint) => HINT_PATTERN.test(hint))
    const identifies = options['no-language-identification'] !== 'true'
    demand.set(key, {
      language: key,
      hints: [...new Set([...(known?.hints ?? []), ...hints])].slice(0, MAX_HINTS),
      identifiesLanguage: identifies || known?.identifiesLanguage === true,
      targets: [...new Set([...(known?.targets ?? []), ...(target === undefined ? [] : [target])])],
    })
  }
  subscriptions.forEach('transcription', (_, subscription) => add(subscription))
  subscriptions.forEach('translation', (_, subscription) => add(subscription))
  return demand
}

/** Adds languages in which transcripts are only searched for wake words. */
export function withWakeWords(
  demand: ReadonlyMap<string, LanguageDemand>,
  languages: readonly string[],
): Map<string, LanguageDemand> {
  const searched = languages.map((language): [string, LanguageDemand] => [
    language,
    { language, hints: [], identifiesLanguage: false, targets: [] },
  ])
  return new Map([...searched, ...demand])
}

/** The language to recognize for a subscription: `all` sources of a translation are detected, as with `auto`. */
export function sourceLanguage(language: string): string {
  return language === 'all' ? 'auto' : language
}

/** The options of the stream; a provider that translates delivers the first target. */
export function streamOptions({ targets, ...demand }: LanguageDemand): SpeechOptions {
  const [translateTo] = targets
  return { ...demand, ...(translateTo === undefined ? {} : { translateTo }) }
}
