/** One `@`, something on both sides, nothing that would break a header, a log line or an address in a path. */
const EMAIL_PATTERN = /^[^\s@<>(),;:"\\/[\]\p{Cc}]+@[^\s@<>(),;:"\\/[\]\p{Cc}]+$/u

/**
 * An e-mail address as the cloud keeps it: trimmed and in lower case (decision I1).
 * @returns nothing if the text is no e-mail address
 */
export function normalizeEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && EMAIL_PATTERN.test(email) ? email : undefined
}
