// Language tags (BCP 47) as phones, apps and providers write them: `en-US`, `en_US`, `EN-us`, `zh-Hans-CN`, `iw`.

/** What a tag names; what it does not name is undefined. */
interface LanguageTag {
  readonly language: string
  readonly script: string | undefined
  readonly region: string | undefined
  /** The usual script and region of what it names. */
  readonly likely: { readonly script: string | undefined; readonly region: string | undefined }
}

/** Tags that were read; reading one takes longer than all comparisons of it. */
const known = new Map<string, LanguageTag | undefined>()
const MAX_KNOWN = 1_000

/** Codes that providers use, where CLDR has another one for the same language. */
const USUAL_CODES: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl' }

/** Codes of no language, and the word of subscriptions for all of them. */
const NO_LANGUAGE = ['mul', 'mis', 'zxx', 'all']

/** The longest tag that is read, in characters. */
const MAX_LENGTH = 100

/**
 * Returns the form in which tags of one meaning are equal: `en-US` of `en_us`, `zh-CN` of `cmn-Hans-CN`, `he` of `iw`.
 * @returns undefined for text that is no tag, or names no language
 */
export function canonicalLanguage(tag: string): string | undefined {
  const parts = readTag(tag)
  return parts && formatTag(parts)
}

/** Completes a tag to one with a region, usually the one with most speakers: `en-US` of `en`, `zh-TW` of `zh-Hant`. */
export function regionalLanguage(tag: string): string | undefined {
  const parts = readTag(tag)
  return (
    parts &&
    formatTag({
      ...parts,
      script: parts.script ?? parts.likely.script,
      region: parts.region ?? parts.likely.region,
    })
  )
}

/** Returns the code of the language of a tag, which is its ISO 639-1 code if it has one: `zh` of `cmn-Hans-CN`. */
export function languageCode(tag: string): string {
  return readTag(tag)?.language ?? tag.toLowerCase()
}

/** Whether two tags name the same language in scripts that do not differ, in any regions. */
export function isSameLanguage(one: string, other: string): boolean {
  const [a, b] = [readTag(one), readTag(other)]
  if (a === undefined || b === undefined) return one.toLowerCase() === other.toLowerCase()
  const scripts = [scriptOf(a), scriptOf(b)]
  return a.language === b.language && (scripts[0] === scripts[1] || scripts.includes(undefined))
}

/** Whether what is tagged with one may be what the other asks for: nothing that both name differs. */
export function matchesLanguage(one: string, other: string): boolean {
  const [a, b] = [readTag(one)?.region, readTag(other)?.region]
  return isSameLanguage(one, other) && (a === undefined || b === undefined || a === b)
}

/**
 * Returns the tag to use for a language, of those that somebody knows: the one of the same script and region, otherwise
 * the nearest one of the same language.
 * @param tags preferred ones first
 * @returns one of the tags, as it is written there; undefined if none is of the language
 */
export function findLanguage(tag: string, tags: readonly string[]): string | undefined {
  let best: { readonly tag: string; readonly score: number } | undefined
  for (const candidate of tags) {
    const score = isSameLanguage(tag, candidate) ? similarity(readTag(tag), readTag(candidate)) : undefined
    if (score !== undefined && score > (best?.score ?? -1)) best = { tag: candidate, score }
  }
  return best?.tag
}

function similarity(wanted: LanguageTag | undefined, candidate: LanguageTag | undefined): number {
  if (wanted === undefined || candidate === undefined) return 0
  const usual = readTag(candidate.language)?.likely.region
  return (
    (formatTag(wanted) === formatTag(candidate) ? 16 : 0) +
    (wanted.likely.script === candidate.likely.script ? 8 : 0) +
    (wanted.likely.region === candidate.likely.region ? 4 : 0) +
    (candidate.region === undefined ? 2 : 0) +
    (candidate.likely.region === usual ? 1 : 0)
  )
}

/** The script that a tag names or implies; a language alone may be written in any. */
function scriptOf({ script, region, likely }: LanguageTag): string | undefined {
  return script ?? (region === undefined ? undefined : likely.script)
}

function formatTag({ language, script, region }: LanguageTag): string {
  const isImplied =
    region !== undefined && script === new Intl.Locale(`${language}-${region}`).maximize().script
  return [language, isImplied ? undefined : script, region].filter((part) => part !== undefined).join('-')
}

function readTag(tag: string): LanguageTag | undefined {
  if (known.has(tag)) return known.get(tag)
  if (tag.length > MAX_LENGTH) return undefined
  if (known.size >= MAX_KNOWN) known.clear()
  const parts = parseTag(tag)
  known.set(tag, parts)
  return parts
}

function parseTag(tag: string): LanguageTag | undefined {
  // POSIX adds an encoding, iOS keywords; older tags name a language of Chinese after `zh`.
  const name = tag
    .trim()
    .replace(/[.@].*$/, '')
    .replaceAll('_', '-')
    .replace(/^zh-([a-z]{3})(?=-|$)/i, '$1')
  if (!/^[a-z]{2,3}(-|$)/i.test(name)) return undefined
  try {
    const locale = new Intl.Locale(name)
    // That of `und` is undefined.
    if (!locale.language || NO_LANGUAGE.includes(locale.language)) return undefined
    const { script, region } = locale.maximize()
    return {
      language: USUAL_CODES[locale.language] ?? locale.language,
      script: locale.script,
      region: locale.region,
      likely: { script, region },
    }
  } catch {
    return undefined
  }
}
