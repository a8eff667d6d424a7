import { setTimeout as delay } from 'node:timers/promises'
import { basePathOf } from '../../http/request-origin.ts'
import { normalizeEmail } from '../../identity/index.ts'
import { type GuessLimitsDeps, type GuessPurpose, limitGuesses } from './guess-limits.ts'

const UNIFORM_TIME_MS = 250

/**
 * Starts the time that a response must at least take which must not reveal whether an account exists: longer than the
 * writes that only one of its cases has. Start it after work that all cases have, such as hashing a password.
 */
export function uniformTime(): Promise<void> {
  return delay(UNIFORM_TIME_MS)
}

/** Returns the page that sets up the cloud. The console removes the code from the address when it has read it. */
export function setUpLink(publicUrl: URL, code: string): string {
  const url = new URL(pageLink(publicUrl, '/'))
  url.searchParams.set('setup', code)
  return url.href
}

/** Returns the page where an invited person creates an account. */
export function signUpLink(publicUrl: URL, invitation: string, email: string | undefined): string {
  return pageLink(publicUrl, '/sign-up', { invitation, ...(email === undefined ? {} : { email }) })
}

/**
 * Returns the URL of a page below the public URL. Parameters are in the fragment, which browsers send to no server, so
 * that no log contains them.
 */
export function pageLink(
  publicUrl: URL,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const url = new URL(`${basePathOf(publicUrl)}${path}`, publicUrl)
  const fragment = new URLSearchParams(parameters).toString()
  url.hash = fragment === '' ? url.hash : fragment
  return url.href
}

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
