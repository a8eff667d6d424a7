import type { Logger } from 'pino'
import type { BackgroundJob } from '../../feature.ts'
import type { GuessStore, LoginStore } from '../../identity/index.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import type { DeviceCodeStore } from './device/device-code-store.ts'
import type { KnownBrowserStore } from './known-browser-store.ts'
import { setUpLink } from './links.ts'
import type { PasskeyStore } from './passkeys/passkey-store.ts'
import type { Passkeys } from './passkeys/passkeys.ts'
import type { SetUp } from './sign-up/sign-up-policy.ts'
import type { VerificationStore } from './verification-store.ts'

const INTERVAL_MS = 10 * 60_000

/** Rows removed at a time. */
const BATCH = 1_000

/** Removes expired logins, verifications, device sign-ins, challenges of passkeys, counts of guesses and known browsers. */
export function createCleanUp({
  clock,
  log,
  logins,
  guesses,
  verifications,
  deviceCodes,
  passkeys,
  knownBrowsers,
}: {
  readonly clock: Clock
  readonly log: Logger
  readonly logins: LoginStore
  readonly guesses: GuessStore
  readonly verifications: VerificationStore
  readonly deviceCodes: DeviceCodeStore
  readonly passkeys: PasskeyStore
  readonly knownBrowsers: KnownBrowserStore
}): PeriodicTask {
  return new PeriodicTask({
    clock,
    everyMs: INTERVAL_MS,
    async run() {
      const now = clock.now()
      while ((await logins.removeExpired(now, BATCH)) === BATCH);
      while ((await guesses.removeExpired(now, BATCH)) === BATCH);
      await verifications.removeExpired(now)
      await deviceCodes.removeExpired(now)
      await passkeys.removeExpiredChallenges(now)
      await knownBrowsers.removeExpired(now)
    },
    failed: (err) => log.error({ err }, 'accounts: expired rows could not be removed'),
  })
}

/**
 * Prepares for sign-ins: writes the link of the set-up to the log while the first account is missing, and loads the library of
 * passkeys before requests need it where there are accounts, since loading blocks the event loop.
 */
export function prepareSignIn({
  setUp,
  passkeys,
  publicUrl,
  log,
}: {
  readonly setUp: SetUp
  readonly passkeys: Passkeys
  readonly publicUrl: () => URL
  readonly log: Logger
}): BackgroundJob {
  let preparing: Promise<void> | undefined
  const prepare = async () => {
    const setUpCode = await setUp.code()
    if (setUpCode !== undefined)
      log.warn(
        { setUpCode, setUpLink: setUpLink(publicUrl(), setUpCode) },
        'accounts: the first account, the administrator, needs this code; the link contains it',
      )
    if (!(await setUp.store.isPending())) await passkeys.load()
  }
  return {
    start: () => {
      preparing = prepare().catch((err: unknown) =>
        log.error({ err }, 'accounts: sign-ins could not be prepared'),
      )
    },
    stop: async () => preparing,
  }
}
