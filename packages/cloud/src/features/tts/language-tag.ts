/** A language that a tag names. */
export interface TaggedLanguage {
  /** Code without region: `de` of `de-AT` and of `deu`. */
  readonly code: string
  /** English name. */
  readonly name: string
}

const LANGUAGE_TAG = /^([a-z]{2,3})([-_][a-z0-9]{1,8}){0,3}(\+[a-z0-9]+)?$/i

const FIRST_NAME = /^[A-Z][a-z]{2}$/

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Returns the language of a language tag, such as `de` or `fr-FR`; undefined for other names of voices. */
export function languageOfTag(name: string): TaggedLanguage | undefined {
  // `Sam` is a voice of another provider, although `sam` is Samaritan Aramaic.
  if (FIRST_NAME.test(name)) return undefined
  const [, tag] = LANGUAGE_TAG.exec(name) ?? []
  const language = tag === undefined ? undefined : languages.of(tag)
  if (tag === undefined || language === undefined) return undefined
  const [code = tag] = Intl.getCanonicalLocales(tag)
  return { code, name: language }
}
