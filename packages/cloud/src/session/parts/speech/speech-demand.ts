import { canonicalLanguage, type Subscription, speechSource } from '@glasses-cloud/contract'
import type { Subscriptions } from '../../subscriptions.ts'
import type { SpeechOptions } from './port.ts'

/** Hints in total for one language. */
const MAX_HINTS = 20

/** What the apps require of the speech in one language. */
export interface LanguageDemand {
  /** A canonical language tag with a region, or `auto`. */
  readonly language: string
  /** The tags of the subscriptions, some of which may have no region. */
  readonly tags: readonly string[]
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
    const key = speechSource(language)
    const known = demand.get(key)
    const hints = (options.hints ?? '').split(',').flatMap((hint) => canonicalLanguage(hint) ?? [])
    const identifies = options['no-language-identification'] !== 'true'
    demand.set(key, {
      language: key,
      tags: [...new Set([...(known?.tags ?? []), language])],
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
    { language, tags: [language], hints: [], identifiesLanguage: false, targets: [] },
  ])
  return new Map([...searched, ...demand])
}

/** The options of the stream; a provider that translates delivers the first target. */
export function streamOptions({ targets, tags: _, ...demand }: LanguageDemand): SpeechOptions {
  const [translateTo] = targets
  return { ...demand, ...(translateTo === undefined ? {} : { translateTo }) }
}
