import { createHmac } from 'node:crypto'

/** Secret of the clouds under test, with which the benchmarks sign tokens for their users. */
export const AUTH_SECRET = 'benchmarks-sign-their-own-tokens-with-this'

const LIFE_SECONDS = 86_400

/** Signs a token for a user; the cloud creates unknown users when it first sees their token. */
export function signToken(email: string): string {
  const now = Math.floor(Date.now() / 1_000)
  const body = [
    { alg: 'HS256', typ: 'JWT' },
    { sub: email, email, iat: now - 1, exp: now + LIFE_SECONDS },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${body}.${createHmac('sha256', AUTH_SECRET).update(body).digest('base64url')}`
}
