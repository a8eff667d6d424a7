import { randomBytes } from 'node:crypto'
import type { VerificationStore } from '../auth/index.ts'

/** How long a code can be reported, and after that its result be read. */
const CODE_LIFETIME_MS = 10 * 60_000

/** 128 bits: not to be guessed, and a QR code that any camera reads. */
const CODE_BYTES = 16

/** A test that was started. */
export interface ReachabilityTest {
  readonly code: string
  /** Epoch ms. */
  readonly expiresAt: number
}

/** `ended`: unknown, expired, or of another user. */
export type ReachabilityState = 'waiting' | 'reached' | 'ended'

/** Tests of a user whether a phone reaches the cloud: the phone reports the code that it was given, once. Rows are shared by all nodes. */
export class ReachabilityTests {
  readonly #verifications: VerificationStore
  readonly #now: () => number

  constructor(verifications: VerificationStore, now: () => number) {
    this.#verifications = verifications
    this.#now = now
  }

  async start(userId: string): Promise<ReachabilityTest> {
    const code = randomBytes(CODE_BYTES).toString('base64url')
    const now = this.#now()
    const expiresAt = now + CODE_LIFETIME_MS
    await this.#verifications.add('reachability', code, userId, expiresAt, now)
    return { code, expiresAt }
  }

  /** Records that a phone reached the cloud. @returns whether the code was valid, for one of several concurrent callers */
  report(code: string): Promise<boolean> {
    const now = this.#now()
    const reached = { purpose: 'reached', secret: code, expiresAt: now + CODE_LIFETIME_MS } as const
    return this.#verifications.replace({ purpose: 'reachability', secret: code }, reached, now)
  }

  /** Returns the state of a test of a user. */
  async state(code: string, userId: string): Promise<ReachabilityState> {
    const now = this.#now()
    // In this order, so that a report between the two reads is not taken for an end.
    if ((await this.#verifications.find('reachability', code, now)) === userId) return 'waiting'
    return (await this.#verifications.find('reached', code, now)) === userId ? 'reached' : 'ended'
  }
}
