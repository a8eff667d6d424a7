/** One `@` with text on both sides, without characters that are unsafe in headers, logs or paths. */
const EMAIL_PATTERN = /^[^\s@<>(),;:"\\/[\]\p{Cc}]+@[^\s@<>(),;:"\\/[\]\p{Cc}]+$/u

/**
 * Trims and lower-cases an e-mail address (decision I1).
 * @returns undefined if the address is invalid
 */
export function normalizeEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && EMAIL_PATTERN.test(email) ? email : undefined
}
