import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns the hex SHA-256 of a secret with enough entropy that no slow hash is needed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Compares a secret with a stored hash in constant time. */
export function matchesHash(secret: string, storedHash: string): boolean {
  return isEqualSecret(hashSecret(secret), storedHash)
}

/** Compares two secrets in a time that depends on their length only. */
export function isEqualSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
