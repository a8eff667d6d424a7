import { normalizeEmail } from '../../identity/index.ts'
import { type GuessLimitsDeps, type GuessPurpose, limitGuesses } from './guess-limits.ts'
import { uniformTime } from './uniform-time.ts'

/**
 * Sends a link to an address, if it has such an account. It takes a similar time if it does not.
 * @throws Fault `TOO_MANY_ATTEMPTS`
 */
export async function sendLink(
  deps: GuessLimitsDeps,
  exchange: Parameters<typeof limitGuesses>[1],
  link: {
    readonly email: string
    readonly purpose: GuessPurpose
    readonly send: (email: string) => Promise<void>
  },
): Promise<void> {
  const email = normalizeEmail(link.email)
  if (email === undefined) return
  await limitGuesses(deps, exchange, link.purpose, email)
  const uniform = uniformTime()
  await link.send(email)
  await uniform
}
