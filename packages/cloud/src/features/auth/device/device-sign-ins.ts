import { randomBytes, randomInt } from 'node:crypto'
import { isUniqueViolation } from '../../../db/index.ts'
import {
  hashSecret,
  type IssuedTokens,
  type LoginOrigin,
  type LoginTokens,
  type UserStore,
} from '../../../identity/index.ts'
import type { DeviceCodeStore, DeviceSignIn } from './device-code-store.ts'

/** Letters of user codes: no vowels, so that no words appear (RFC 8628, section 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'

const USER_CODE_LENGTH = 8

export const DEVICE_CODE_LIFETIME_MS = 10 * 60_000

/** How often a device may ask for the result. */
export const POLLING_INTERVAL_MS = 5_000

/** By how much the interval grows when a device asks too often (RFC 8628, section 3.5). */
const SLOW_DOWN_MS = 5_000

/** Device sign-ins in progress at a time. */
const MAX_IN_PROGRESS = 10_000

/** The codes of a new device sign-in. */
export interface DeviceCodes {
  readonly deviceCode: string
  /** Four letters, a hyphen, four letters. */
  readonly userCode: string
}

/** The result of a poll: tokens, or an error code of RFC 8628. */
export type PollOutcome =
  | ({ readonly ok: true } & IssuedTokens)
  | {
      readonly ok: false
      readonly error:
        | 'authorization_pending'
        | 'slow_down'
        | 'access_denied'
        | 'expired_token'
        | 'invalid_grant'
    }

export interface DeviceSignInsDeps {
  readonly store: DeviceCodeStore
  readonly users: UserStore
  readonly loginTokens: LoginTokens
  readonly now: () => number
}

/** Signs in devices without a keyboard: the user approves a short code in a browser (RFC 8628). */
export class DeviceSignIns {
  readonly #deps: DeviceSignInsDeps

  constructor(deps: DeviceSignInsDeps) {
    this.#deps = deps
  }

  /** @returns the codes; undefined if too many sign-ins are in progress */
  async start(clientName: string | undefined): Promise<DeviceCodes | undefined> {
    const { store, now } = this.#deps
    if ((await store.count(now())) >= MAX_IN_PROGRESS) return undefined
    const deviceCode = randomBytes(32).toString('base64url')
    for (;;) {
      const userCode = Array.from(
        { length: USER_CODE_LENGTH },
        () => ALPHABET[randomInt(ALPHABET.length)],
      ).join('')
      try {
        await store.create({
          deviceCodeHash: hashSecret(deviceCode),
          userCode,
          clientName,
          intervalMs: POLLING_INTERVAL_MS,
          expiresAt: now() + DEVICE_CODE_LIFETIME_MS,
        })
        return { deviceCode, userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}` }
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
      }
    }
  }

  /** Finds the sign-in that a user code stands for, ignoring case and separators. */
  find(userCode: string): Promise<DeviceSignIn | undefined> {
    return this.#deps.store.findPending(normalized(userCode), this.#deps.now())
  }

  /** Approves or denies a sign-in. @returns whether it waits for a decision */
  decide(
    userCode: string,
    status: 'approved' | 'denied',
    by: Parameters<DeviceCodeStore['decide']>[2],
  ): Promise<boolean> {
    return this.#deps.store.decide(normalized(userCode), status, by, this.#deps.now())
  }

  /**
   * Returns the tokens of an approved sign-in, which belong to a login of the user who approved it; the same login again
   * until its refresh token is used, because the response may have been lost.
   */
  async poll(deviceCode: string, origin: LoginOrigin): Promise<PollOutcome> {
    const { store, users, loginTokens, now } = this.#deps
    const hash = hashSecret(deviceCode)
    const found = await store.findByDeviceCode(hash)
    if (found === undefined) return { ok: false, error: 'invalid_grant' }
    if (found.expiresAt <= now()) return { ok: false, error: 'expired_token' }
    if (found.status === 'pending') return { ok: false, error: await this.#wait(found) }
    const user = found.userId === undefined ? undefined : await users.findById(found.userId)
    if (found.status === 'denied' || user === undefined || user.suspendedAt !== undefined)
      return { ok: false, error: 'access_denied' }
    await store.redeem(found, { userId: user.id, origin, refreshHash: hash }, now())
    const tokens = await loginTokens.exchange(user, found.id, deviceCode)
    return tokens === undefined ? { ok: false, error: 'invalid_grant' } : { ok: true, ...tokens }
  }

  async #wait({
    id,
    lastPolledAt,
    intervalMs,
  }: DeviceSignIn): Promise<'authorization_pending' | 'slow_down'> {
    const { store, now } = this.#deps
    const isTooSoon = lastPolledAt !== undefined && now() - lastPolledAt < intervalMs
    await store.recordPoll(id, isTooSoon ? intervalMs + SLOW_DOWN_MS : intervalMs, now())
    return isTooSoon ? 'slow_down' : 'authorization_pending'
  }
}

const normalized = (userCode: string) => userCode.toUpperCase().replaceAll(/[^A-Z]/g, '')
