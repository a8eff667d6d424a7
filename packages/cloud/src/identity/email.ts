/**
 * One `@` with text on both sides, without characters that are unsafe in headers, logs or paths, and without the Kelvin
 * sign, whose lower case is the letter k: the address would be that of somebody else.
 */
const EMAIL_PATTERN = /^[^\s@<>(),;:"\\/[\]\p{Cc}\u{212a}]+@[^\s@<>(),;:"\\/[\]\p{Cc}\u{212a}]+$/u

/**
 * Trims and lower-cases an e-mail address (decision I1).
 * @returns undefined if the address is invalid
 */
export function normalizeEmail(text: string): string | undefined {
  const trimmed = text.trim()
  const email = trimmed.toLowerCase()
  return email.length <= 254 && EMAIL_PATTERN.test(trimmed) ? email : undefined
}
