import { type Clock, delay } from '../clock.ts'
import type { PostJson } from './post-json.ts'

/** The tokens of a login. */
export interface Tokens {
  readonly coreToken: string
  readonly refreshToken: string
  /** Epoch ms: half of the lifetime of the core token is over. */
  readonly renewAt: number
}

/** A code for the user to approve (RFC 8628). */
export interface DeviceCode {
  readonly userCode: string
  /** The page where it is entered. */
  readonly address: string
  readonly deviceCode: string
  /** Epoch ms. */
  readonly expiresAt: number
  readonly intervalMs: number
}

/** The user denied the sign-in. */
export class SignInDenied extends Error {
  override name = 'SignInDenied'
}

const SLOW_DOWN_MS = 5_000

interface Deps {
  readonly post: PostJson
  readonly clock: Clock
}

/** Gets a code. @throws {Error} if the cloud cannot be reached, or gives none */
export async function startDeviceSignIn({ post, clock }: Deps, clientName: string): Promise<DeviceCode> {
  const { status, body } = await post('/api/auth/device', { client_name: clientName })
  if (status === 429)
    throw new Error('Too many sign-ins were started from this network. Wait a few minutes and try again.')
  if (status !== 200) throw new Error(`The cloud gave no code (status ${status}).`)
  return {
    userCode: String(body.user_code),
    address: String(body.verification_uri),
    deviceCode: String(body.device_code),
    expiresAt: clock.now() + Number(body.expires_in) * 1000,
    intervalMs: Number(body.interval) * 1000,
  }
}

/**
 * Waits until the user has approved a code.
 * @returns the tokens; undefined if the code has expired
 * @throws {SignInDenied}
 */
export async function awaitApproval(
  { post, clock }: Deps,
  { deviceCode, expiresAt, intervalMs: firstIntervalMs }: DeviceCode,
  signal: AbortSignal,
): Promise<Tokens | undefined> {
  let intervalMs = firstIntervalMs
  while (clock.now() < expiresAt) {
    await delay(clock, intervalMs)
    signal.throwIfAborted()
    // A cloud that is out of reach for a while is asked again.
    const answer = await post('/api/auth/device/token', { device_code: deviceCode }).catch(() => undefined)
    const { access_token: coreToken, refresh_token: refreshToken, expires_in: expiresIn } = answer?.body ?? {}
    const tokens = readTokens({ coreToken, refreshToken, expiresIn }, clock.now())
    if (tokens) return tokens
    const error = answer?.body.error
    if (error === 'access_denied') throw new SignInDenied('The sign-in was denied.')
    if (error === 'expired_token' || error === 'invalid_grant') return undefined
    if (error === 'slow_down') intervalMs += SLOW_DOWN_MS
  }
  return undefined
}

/** Reads the tokens of a response; undefined if it has none, such as that of a network's own sign-in page. */
export function readTokens(
  { coreToken, refreshToken, expiresIn }: Readonly<Record<string, unknown>>,
  now: number,
): Tokens | undefined {
  if (typeof coreToken !== 'string' || typeof refreshToken !== 'string') return undefined
  return { coreToken, refreshToken, renewAt: now + (Number(expiresIn) * 1000) / 2 }
}
