import type { Logger } from 'pino'
import type { GuessStore, LoginStore } from '../../identity/index.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import type { PasskeyStore } from './passkeys/passkey-store.ts'
import type { SignInMethodStore } from './sign-in-method-store.ts'

const INTERVAL_MS = 10 * 60_000

/** Rows removed at a time. */
const BATCH = 1_000

/** Removes expired logins, verifications, device sign-ins, challenges of passkeys and counts of guesses. */
export function createCleanUp(deps: {
  readonly logins: LoginStore
  readonly guesses: GuessStore
  readonly methods: SignInMethodStore
  readonly passkeys: PasskeyStore
  readonly clock: Clock
  readonly log: Logger
}): PeriodicTask {
  const { logins, guesses, methods, passkeys, clock, log } = deps
  return new PeriodicTask({
    clock,
    everyMs: INTERVAL_MS,
    async run() {
      const now = clock.now()
      while ((await logins.removeExpired(now, BATCH)) === BATCH);
      while ((await guesses.removeExpired(now, BATCH)) === BATCH);
      await methods.removeExpired(now)
      await passkeys.removeExpiredChallenges(now)
    },
    failed: (err) => log.error({ err }, 'accounts: expired rows could not be removed'),
  })
}
