/**
 * Makes an identifier of 128 random bits, in hexadecimal. Browsers have `crypto.randomUUID` only at https addresses and
 * `localhost`.
 */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
