import type { FastifyReply, FastifyRequest } from 'fastify'
import { fault } from '../../http/fault.ts'
import { networkOf } from '../../http/request-origin.ts'
import type { GuessLimit, GuessLimiter } from '../../identity/index.ts'
import type { BrowserLogins } from './browser-logins.ts'

const WINDOW_MS = 15 * 60_000

/** Guesses of the secret of one account in one network, or in one browser where its user signed in before. */
const PER_SUBJECT = 10

/** Guesses from one network, at any account. */
const PER_ADDRESS = 100

/** Device sign-ins that one network may start: a few hundred networks have to do so to use up those of all (DEVS-7). */
const DEVICE_STARTS_PER_NETWORK = 30

/**
 * How often strangers may guess a secret of one account: guesses from all networks together, after which each network has
 * `slowed` guesses only, until there were `inAll`.
 */
interface StrangerLimit {
  readonly fromAll: number
  readonly slowed: number
  readonly inAll?: number
}

/** Sign-ups and passkeys. A network always has some attempts, so that strangers cannot lock the user out. */
const ATTEMPTS: StrangerLimit = { fromAll: 100, slowed: 3 }

/**
 * Passwords. One person may have thousands of networks; a user under so many guesses signs in where they did before, or
 * after a reset.
 */
const PASSWORDS: StrangerLimit = { ...ATTEMPTS, inAll: 1_000 }

/** Codes with few digits, after a password. A user under attack can still enter them where they signed in before. */
const CODES: StrangerLimit = { fromAll: 30, slowed: 0 }

/** Messages to one address. */
const LINKS: StrangerLimit = { fromAll: 15, slowed: 0 }

/** Messages to one address that confirm it, for whatever reason. */
const CONFIRMATIONS = 15

/** What is guessed, or requested, and by how many strangers. */
const STRANGERS = {
  'sign-in': PASSWORDS,
  'sign-up': ATTEMPTS,
  passkey: ATTEMPTS,
  password: CODES,
  'second-factor': CODES,
  'password-reset': LINKS,
  verification: LINKS,
} as const satisfies Record<string, StrangerLimit>

/** See {@link limitGuesses}. */
export type GuessPurpose = keyof typeof STRANGERS

/** Collaborators of {@link limitGuesses}. */
export interface GuessLimitsDeps {
  readonly guesses: GuessLimiter
  readonly browserLogins: BrowserLogins
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * Counts an attempt to guess a secret: by account and network of the client, or, in a browser where the user signed in
 * before, by account and browser, so that strangers do not use up what the user has. `X-Forwarded-For` counts only from
 * trusted proxies.
 * @param purpose what is guessed
 * @param subject whose secret it is: id or normalized e-mail address of a user, or the id of a passkey
 * @param user of the subject, if that is neither
 * @returns a function to call after a success: the count of the client starts again
 * @throws Fault `TOO_MANY_ATTEMPTS`
 */
export async function limitGuesses(
  { guesses, browserLogins }: GuessLimitsDeps,
  { request, reply }: Exchange,
  purpose: GuessPurpose,
  subject: string,
  user = subject,
): Promise<() => Promise<void>> {
  const browser = await browserLogins.knownBrowser(request, user)
  if (browser !== undefined) {
    const own = limitOf(`${purpose} in a known browser`, `${subject} ${browser}`, PER_SUBJECT)
    rejectIf(await guesses.attempt(own), reply)
    return () => guesses.succeeded(own)
  }
  const { fromAll, slowed, inAll = Number.POSITIVE_INFINITY }: StrangerLimit = STRANGERS[purpose]
  const network = networkOf(request.ip)
  const byNetwork = limitOf(purpose, `${subject} ${network}`, PER_SUBJECT)
  rejectIf(await guesses.attempt(byNetwork, limitOf('address', network, PER_ADDRESS)), reply)
  // Counted last: attempts that were rejected above must not slow others down.
  const byAll = limitOf(`${purpose} from all networks`, subject, fromAll)
  if ((await guesses.attempt(byAll)) !== undefined) {
    const waitSeconds =
      (await guesses.exceeds({ ...byNetwork, attempts: slowed })) ??
      (await guesses.exceeds({ ...byAll, attempts: inAll }))
    if (waitSeconds !== undefined) await guesses.uncount(byAll)
    rejectIf(waitSeconds, reply)
  }
  return async () => {
    await guesses.succeeded(byNetwork)
    await guesses.uncount(byAll)
  }
}

/** Counts a message that confirms an address. @returns whether it may be sent */
export async function mayConfirm(guesses: GuessLimiter, email: string): Promise<boolean> {
  return (await guesses.attempt(limitOf('confirmation', email, CONFIRMATIONS))) === undefined
}

/**
 * Counts an attempt of a user to guess the code of a device, from anywhere. Anybody can get codes of their own, so that a
 * correct one does not forget the wrong ones.
 * @returns a function that takes the attempt back, to call after a success
 * @throws Fault `TOO_MANY_ATTEMPTS`
 */
export async function limitDeviceCodes(
  guesses: GuessLimiter,
  reply: FastifyReply,
  userId: string,
): Promise<() => Promise<void>> {
  const limit = limitOf('device', userId, PER_SUBJECT)
  rejectIf(await guesses.attempt(limit), reply)
  return () => guesses.uncount(limit)
}

/**
 * Counts the start of a device sign-in, by network, so that none of them can use up those that may be in progress.
 * @throws Fault `TOO_MANY_ATTEMPTS`
 */
export async function limitDeviceStarts(guesses: GuessLimiter, { request, reply }: Exchange): Promise<void> {
  const limit = limitOf('device start', networkOf(request.ip), DEVICE_STARTS_PER_NETWORK)
  rejectIf(await guesses.attempt(limit), reply)
}

const limitOf = (purpose: string, subject: string, attempts: number): GuessLimit => ({
  purpose,
  subject,
  attempts,
  windowMs: WINDOW_MS,
})

/**
 * Counts a token of an identity provider that the provider is asked about, by network.
 * @returns a function that takes the attempt back, to call once the provider has accepted the token
 * @throws Fault `TOO_MANY_ATTEMPTS`
 */
export async function limitForeignTokens(
  guesses: GuessLimiter,
  { request, reply }: Exchange,
): Promise<() => Promise<void>> {
  const limit = limitOf('token of a provider', networkOf(request.ip), PER_ADDRESS)
  rejectIf(await guesses.attempt(limit), reply)
  return () => guesses.uncount(limit)
}

/** @throws Fault `TOO_MANY_ATTEMPTS` if the client has to wait */
function rejectIf(waitSeconds: number | undefined, reply: FastifyReply): void {
  if (waitSeconds === undefined) return
  void reply.header('retry-after', waitSeconds)
  throw fault('TOO_MANY_ATTEMPTS')
}
