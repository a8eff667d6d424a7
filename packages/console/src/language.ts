/**
 * Returns the first English language of the browser, such as `en-GB`: the texts are English, and dates and numbers are
 * written as in its region.
 * @param languages of the browser, in order of preference
 */
export function findRegion(languages: readonly string[]): string {
  return languages.find((language) => /^en(-|$)/i.test(language)) ?? 'en'
}
