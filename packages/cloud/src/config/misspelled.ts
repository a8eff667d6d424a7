import { SETTING_GROUPS } from './settings/index.ts'

const NAMES: ReadonlySet<string> = new Set(SETTING_GROUPS.flatMap(({ settings }) => Object.keys(settings)))

/** Whether a variable names the file with the value of a setting. */
export function isFileOfSetting(name: string): boolean {
  return name.endsWith('_FILE') && NAMES.has(name.slice(0, -'_FILE'.length))
}

/** Returns a sentence for each name that is no setting, but differs from one in a few letters. */
export function findMisspelled(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const isOther = /^(?!OTEL_)\w+$/.test(name) && !NAMES.has(name) && !isFileOfSetting(name)
    const meant = isOther ? findMeant(lettersOf(name)) : undefined
    return meant === undefined ? [] : [`${name} is no setting and has no effect; ${meant} is one`]
  })
}

function findMeant(letters: string): string | undefined {
  const allowed = letters.length < 5 ? 0 : letters.length < 8 ? 1 : 2
  return [...NAMES].find((setting) => {
    const wanted = lettersOf(setting)
    // A wrong first letter is rare, and comparing takes time.
    if (letters[0] !== wanted[0] || Math.abs(letters.length - wanted.length) > allowed) return false
    return distance(letters, wanted) <= allowed
  })
}

const lettersOf = (name: string) => name.toUpperCase().replace(/[^A-Z\d]/g, '')

/** Letters to insert, remove or replace to get from one text to another. */
function distance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
