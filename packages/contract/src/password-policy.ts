import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'

/** Why a password is rejected: it is among the most used ones, contains the address of its user, or is easily guessed. */
export type PasswordProblem = 'common' | 'address' | 'guessable'

/** How a password was judged. */
export interface PasswordReview {
  /** 0 to 4; the guesses that a program needs grow by about a factor of 100 from one to the next. */
  readonly strength: number
  readonly problem: PasswordProblem | undefined
}

/** Whose password it is. */
export interface PasswordOwner {
  readonly email?: string | undefined
  readonly name?: string | undefined
}

/** Guesses that a password has to withstand: as many as eight random characters. */
const MIN_GUESSES = 1e8

/** Characters that are looked at: the time grows with the square of their number. */
const MAX_REVIEWED_LENGTH = 64

/** Parts of an address that are shorter are in too many other words. */
const MIN_PART_LENGTH = 3

/** What people would try first on this cloud. */
const KNOWN_WORDS = ['glasses', 'cloud', 'mentra']

/** Combinations of signs for letters that are tried. The default of 100 takes a second for a text of such signs. */
const MAX_SUBSTITUTIONS = 10

const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
})

/** Judges a password, the same for sign-up, reset, change and claim. Takes some milliseconds, and up to a tenth of a second. */
export function reviewPassword(
  password: string,
  { email = '', name = '' }: PasswordOwner = {},
): PasswordReview {
  const reviewed = password.normalize('NFKC').slice(0, MAX_REVIEWED_LENGTH)
  const parts = partsOf(email)
  const words = [email, ...parts, ...name.split(/\s+/), ...KNOWN_WORDS].filter((word) => word !== '')
  const { score, guesses, sequence } = estimator.check(reviewed, words)
  const [match] = sequence
  const isCommon = sequence.length === 1 && match?.dictionaryName === 'passwords-common'
  if (isCommon && guesses < MIN_GUESSES) return { strength: score, problem: 'common' }
  if (containsAddress(reviewed, email, parts)) return { strength: Math.min(score, 1), problem: 'address' }
  return { strength: score, problem: guesses < MIN_GUESSES ? 'guessable' : undefined }
}

/** Returns the parts of an address that people use in passwords: the name, and the labels of the domain but the last. */
function partsOf(email: string): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  return [local, ...local.split(/[^\p{L}\p{N}]+/u), ...domain.split('.').slice(0, -1)]
}

/** Whether a password has the address, or is weak without the parts of the address. */
function containsAddress(password: string, email: string, parts: readonly string[]): boolean {
  const lower = password.toLowerCase()
  if (email !== '' && lower.includes(email.toLowerCase())) return true
  const rest = parts
    .filter((part) => part.length >= MIN_PART_LENGTH)
    .reduce((text, part) => text.replaceAll(part, ''), lower)
  return rest !== lower && estimator.check(rest).guesses < MIN_GUESSES
}
