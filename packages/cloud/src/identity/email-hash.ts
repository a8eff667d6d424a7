import { createHmac } from 'node:crypto'

/**
 * What is kept of a deleted user's e-mail: enough to know a token of the account again, nothing to read it from.
 * @param email normalised
 * @param secret the cloud's own, so that nobody can try addresses against the kept hashes
 */
export function hashEmail(email: string, secret: string): string {
  return createHmac('sha256', secret).update(`deleted-user:${email}`).digest('hex')
}
