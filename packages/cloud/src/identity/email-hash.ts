import { createHmac } from 'node:crypto'

/**
 * Returns the keyed hash that is stored for a deleted user, by which later tokens of the account are recognized.
 * @param email normalized
 * @param secret the cloud's secret, without which stored hashes cannot be matched to addresses
 */
export function hashEmail(email: string, secret: string): string {
  return createHmac('sha256', secret).update(`deleted-user:${email}`).digest('hex')
}
