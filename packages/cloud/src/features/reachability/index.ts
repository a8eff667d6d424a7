import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { GuessLimiter, GuessStore } from '../../identity/index.ts'
import type { VerificationStore } from '../auth/index.ts'
import { reachabilityEndpoints } from './endpoints.ts'
import { ReachabilityTests } from './reachability-tests.ts'

export interface ReachabilityDeps {
  readonly db: Database
  readonly secret: string
  readonly verifications: VerificationStore
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

/** Tests whether a phone reaches the cloud, under `/api/reachability-tests` (ADR 62). */
export function createReachability({ db, secret, verifications, publicUrl, now }: ReachabilityDeps): Feature {
  return {
    name: 'reachability',
    endpoints: reachabilityEndpoints({
      tests: new ReachabilityTests(verifications, now),
      guesses: new GuessLimiter(new GuessStore(db), secret, now),
      publicUrl,
    }),
  }
}
