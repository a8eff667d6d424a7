import { createHmac } from 'node:crypto'
import { cutText, foldText } from '@glasses-cloud/contract'
import type { User } from './user-store.ts'

/**
 * One `@` with text on both sides, without characters that are unsafe in headers, logs or paths, invisible ones, and the
 * Kelvin sign, whose lower case is the letter k: the address would be, or look like, that of somebody else.
 */
const EMAIL_PATTERN = /^[^\s@<>(),;:"\\/[\]\p{Cc}\p{DI}\u{212a}]+@[^\s@<>(),;:"\\/[\]\p{Cc}\p{DI}\u{212a}]+$/u

/** Spaces and invisible characters around a text, as copied ones have them. */
const SURROUNDINGS = /^[\s\p{DI}]+|[\s\p{DI}]+$/gu

/**
 * Trims and lower-cases an e-mail address (decision I1).
 * @returns undefined if the address is invalid
 */
export function normalizeEmail(text: string): string | undefined {
  const trimmed = text.replaceAll(SURROUNDINGS, '')
  const email = trimmed.normalize('NFC').toLowerCase()
  return email.length <= 254 && EMAIL_PATTERN.test(trimmed) ? email : undefined
}

/**
 * Reads an e-mail address in a path or query. Where it has a plus, there may be a space: clients of the ecosystem do not
 * encode the plus, or encode what it became. No address contains a space; those around it are trimmed.
 * @returns undefined if the address is invalid
 */
export function readEmailInUrl(text: string): string | undefined {
  return normalizeEmail(text.trim().replaceAll(' ', '+'))
}

/**
 * Returns the keyed hash that is stored for a deleted user, by which later tokens of the account are recognized.
 * @param email normalized
 * @param secret the cloud's secret, without which stored hashes cannot be matched to addresses
 */
export function hashEmail(email: string, secret: string): string {
  return createHmac('sha256', secret).update(`deleted-user:${email}`).digest('hex')
}

/** Maximum length of a name that others see, in characters. */
const MAX_LENGTH = 200

/**
 * Returns the name under which a user is shown to others: the display name of the profile, otherwise the name of the
 * account, on one line. A name that contains an e-mail address, or is the part of the user's own before the `@`, is never
 * shown (decision C14).
 * @returns undefined if the user has no name that may be shown
 */
export function displayNameOf({
  email,
  name,
  profile,
}: Pick<User, 'email' | 'name' | 'profile'>): string | undefined {
  const shown = [profile.displayName ?? '', name]
    .map((candidate) => candidate.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .find((candidate) => foldText(candidate) !== '' && !revealsEmail(candidate, email))
  return shown && cutText(shown, MAX_LENGTH)
}

function revealsEmail(candidate: string, email: string): boolean {
  // Other forms of the same characters, such as a full-width @, count as well.
  const plain = foldText(candidate)
  const [localPart = ''] = email.split('@')
  return /\S@\S/.test(plain) || plain === foldText(localPart)
}
