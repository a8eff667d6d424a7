/** How a recognized text differs from what was spoken, in words. */
export interface WordErrors {
  /** Words that were spoken. */
  readonly words: number
  readonly substitutions: number
  readonly insertions: number
  readonly deletions: number
}

export const NO_ERRORS: WordErrors = { words: 0, substitutions: 0, insertions: 0, deletions: 0 }

/**
 * A word: letters, marks and digits, with apostrophes between them. Scripts without spaces have no words to count, so each
 * of their characters is one.
 */
const WORD =
  /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}]]|[[\p{L}\p{M}\p{N}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]+(?:'[\p{L}\p{M}\p{N}]+)*/gv

/** Splits a text into the words that are compared: in lower case, without punctuation, numbers as they are written. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().replace(/[’ʼ]/g, "'").match(WORD) ?? []
}

/** Counts the fewest words that must be replaced, removed and added to turn a recognized text into the spoken one. */
export function compareWords(spoken: string, recognized: string): WordErrors {
  const heard = wordsOf(recognized)
  const words = wordsOf(spoken)
  // The errors of the words so far against the first 0, 1, 2… words that were heard (Wagner and Fischer, 1974).
  let row = [...heard, ''].map((_, column) => ({ ...NO_ERRORS, insertions: column }))
  for (const word of words) {
    const next = [deletionAfter(row[0])]
    for (const [column, other] of heard.entries()) {
      const before = row[column] ?? NO_ERRORS
      next.push(
        word === other
          ? before
          : fewest(
              { ...before, substitutions: before.substitutions + 1 },
              deletionAfter(row[column + 1]),
              insertionAfter(next[column]),
            ),
      )
    }
    row = next
  }
  return { ...(row[heard.length] ?? NO_ERRORS), words: words.length }
}

export function addErrors(a: WordErrors, b: WordErrors): WordErrors {
  return {
    words: a.words + b.words,
    substitutions: a.substitutions + b.substitutions,
    insertions: a.insertions + b.insertions,
    deletions: a.deletions + b.deletions,
  }
}

/** Returns the word error rate; 0.1 is one error in ten words. With many insertions it exceeds 1. */
export function wordErrorRate(errors: WordErrors): number {
  return errors.words === 0 ? Number.NaN : countOf(errors) / errors.words
}

function countOf({ substitutions, insertions, deletions }: WordErrors): number {
  return substitutions + insertions + deletions
}

function deletionAfter(errors = NO_ERRORS): WordErrors {
  return { ...errors, deletions: errors.deletions + 1 }
}

function insertionAfter(errors = NO_ERRORS): WordErrors {
  return { ...errors, insertions: errors.insertions + 1 }
}

/** The first one of those with the fewest errors. */
function fewest(first: WordErrors, ...others: readonly WordErrors[]): WordErrors {
  return others.reduce((best, each) => (countOf(each) < countOf(best) ? each : best), first)
}
