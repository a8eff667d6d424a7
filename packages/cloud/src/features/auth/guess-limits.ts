import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../http/client-address.ts'
import { fault } from '../../http/fault.ts'
import type { GuessLimit, GuessLimiter } from '../../identity/index.ts'

const WINDOW_MS = 15 * 60_000

/** Guesses of the secret of one account, from any address. */
const PER_SUBJECT = 10

/** Guesses from one address, at any account. */
const PER_ADDRESS = 100

/**
 * Counts an attempt to guess a secret, by whose secret it is and by the address of the client. `X-Forwarded-For` counts
 * only from trusted proxies.
 * @param purpose what is guessed
 * @param subject whose secret it is
 * @param options.success what a success does to the count of the subject: `forget` starts it again, `uncount` takes back
 *   the attempt only, where whoever guesses can also have successes, such as codes of their own
 * @returns a function to call after a success
 * @throws Fault if there were too many
 */
export async function limitGuesses(
  limiter: GuessLimiter,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  purpose: string,
  subject: string,
  { success = 'forget' }: { readonly success?: 'forget' | 'uncount' } = {},
): Promise<() => Promise<void>> {
  const bySubject = subjectLimit(purpose, subject)
  const byAddress: GuessLimit = {
    purpose: 'address',
    subject: networkOf(request.ip),
    attempts: PER_ADDRESS,
    windowMs: WINDOW_MS,
  }
  const waitSeconds = await limiter.attempt(bySubject, byAddress)
  if (waitSeconds !== undefined) {
    void reply.header('retry-after', waitSeconds)
    throw fault('TOO_MANY_ATTEMPTS')
  }
  return () => (success === 'forget' ? limiter.succeeded(bySubject) : limiter.uncount(bySubject))
}

/** Returns the limit of attempts to sign in with an address. */
export const signInLimit = (email: string) => subjectLimit('sign-in', email)

function subjectLimit(purpose: string, subject: string): GuessLimit {
  return { purpose, subject, attempts: PER_SUBJECT, windowMs: WINDOW_MS }
}
