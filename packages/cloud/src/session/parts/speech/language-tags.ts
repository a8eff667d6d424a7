/** Returns the language of a tag without its region. */
function baseLanguage(tag: string): string {
  const [base = tag] = tag.split(/[-_]/, 1)
  return base.toLowerCase()
}

/** Whether two tags name the same language, in any region. */
export function isSameLanguage(first: string, second: string): boolean {
  return baseLanguage(first) === baseLanguage(second)
}

/**
 * Completes a detected language to a tag with a region, as in subscriptions: `en` becomes the preferred tag if that is
 * English, otherwise `en-US`.
 */
export function toLanguageTag(detected: string, preferred?: string): string {
  if (preferred !== undefined && isSameLanguage(detected, preferred)) return preferred
  try {
    const { language, region } = new Intl.Locale(detected.replaceAll('_', '-')).maximize()
    return region === undefined ? language : `${language}-${region}`
  } catch {
    return preferred ?? detected
  }
}
