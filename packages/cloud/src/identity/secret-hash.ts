import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns the hex SHA-256 of a secret with enough entropy that no slow hash is needed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Compares a secret with a stored hash in constant time. */
export function matchesHash(secret: string, storedHash: string): boolean {
  const computed = Buffer.from(hashSecret(secret))
  const stored = Buffer.from(storedHash)
  return computed.length === stored.length && timingSafeEqual(computed, stored)
}
