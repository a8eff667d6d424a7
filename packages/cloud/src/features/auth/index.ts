import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import {
  type AccountClaims,
  createIdentityProviders,
  GuessLimiter,
  GuessStore,
  InvitationStore,
} from '../../identity/index.ts'
import type { WorkerMetrics } from '../../jobs/index.ts'
import { createMailer, type Mailer } from '../../mail/index.ts'
import type { Clock } from '../../time/index.ts'
import type { Audit } from '../audit/index.ts'
import { AccountHolders } from './account-holders.ts'
import { BrowserLogins } from './browser-logins.ts'
import { DeviceCodeStore } from './device/device-code-store.ts'
import { DeviceSignIns } from './device/device-sign-ins.ts'
import { deviceEndpoints } from './device/endpoints.ts'
import { createCleanUp, prepareSignIn } from './jobs.ts'
import { KnownBrowserStore } from './known-browser-store.ts'
import { setUpLink } from './links.ts'
import { oidcEndpoints } from './oidc/endpoints.ts'
import { OidcAccountStore } from './oidc/oidc-account-store.ts'
import { OidcAccounts } from './oidc/oidc-accounts.ts'
import { OidcClient } from './oidc/oidc-client.ts'
import { Challenges } from './passkeys/challenges.ts'
import { passkeyEndpoints } from './passkeys/endpoints.ts'
import { PasskeyStore } from './passkeys/passkey-store.ts'
import { Passkeys } from './passkeys/passkeys.ts'
import { passwordEndpoints } from './password/endpoints.ts'
import { PasswordAccounts } from './password/password-accounts.ts'
import { PasswordHasher } from './password/password-hasher.ts'
import { PasswordPolicy } from './password/password-policy.ts'
import { accountDeletion, accountSections } from './personal-data.ts'
import { secondFactorEndpoints } from './second-factor/endpoints.ts'
import { PendingSignIns } from './second-factor/pending-sign-ins.ts'
import { SecondFactorStore } from './second-factor/second-factor-store.ts'
import { SecondFactors } from './second-factor/second-factors.ts'
import { SecurityNotices } from './security-notices.ts'
import { sessionEndpoints } from './session-endpoints.ts'
import { SignInMethodStore } from './sign-in-method-store.ts'
import { signInMethodEndpoints } from './sign-in-methods.ts'
import { AccountStore } from './sign-up/account-store.ts'
import { invitationEndpoints } from './sign-up/invitation-endpoints.ts'
import { SetUpStore } from './sign-up/set-up-store.ts'
import { signUpEndpoint } from './sign-up/sign-up.ts'
import { SignUpInvitationStore } from './sign-up/sign-up-invitation-store.ts'
import { SetUp, SignUpPolicy, setUpCodeOf } from './sign-up/sign-up-policy.ts'
import { supabaseEndpoints } from './supabase/endpoints.ts'
import { type TokenEndpointDeps, tokenEndpoints } from './tokens/endpoints.ts'
import { VerificationStore } from './verification-store.ts'

export { type BrowserLogins, setUpCodeOf, type VerificationStore }

export interface AuthDeps
  extends Omit<
    TokenEndpointDeps,
    'identityProviders' | 'oidcAccounts' | 'origins' | 'browserLogins' | 'notices' | 'methods' | 'guesses'
  > {
  readonly config: Config
  readonly audit: Audit
  readonly secret: string
  readonly claims: AccountClaims
  /** The accepted secrets, the current one first. */
  readonly secrets: readonly string[]
  readonly db: Database
  readonly log: Logger
  readonly clock: Clock
  readonly publicUrl: () => URL
  readonly workers?: Pick<WorkerMetrics, 'add'>
  /** A new one by default. */
  readonly passwordPolicy?: Pick<PasswordPolicy, 'require' | 'close'> | undefined
  /** A new one by default. */
  readonly passwords?: PasswordHasher | undefined
}

/** Accounts, sign-in and tokens, under `/api/auth`. */
export function createAuth(deps: AuthDeps): Feature & {
  readonly setUp: SetUp
  /** Returns the link that sets up a new cloud; undefined once it is set up. */
  readonly setUpLink: () => Promise<string | undefined>
  readonly mailer: Mailer
  readonly browserLogins: BrowserLogins
  readonly verifications: VerificationStore
} {
  const { clock, config, secret, db, log, publicUrl, now } = deps
  const { signUp, issuers, verifyEmail } = config.auth
  const stores = {
    methods: new SignInMethodStore(db),
    verifications: new VerificationStore(db),
    invitations: new SignUpInvitationStore(db),
    passkeys: new PasskeyStore(db),
    deviceCodes: new DeviceCodeStore(db),
    guesses: new GuessStore(db),
    knownBrowsers: new KnownBrowserStore(db),
  }
  const mailer = createMailer({ ...config.mail, log, clock })
  const setUp = new SetUp(new SetUpStore(db), secret)
  const browserLogins = new BrowserLogins({ ...deps, knownBrowsers: stores.knownBrowsers })
  const common = {
    ...deps,
    mailer,
    setUp,
    signUp,
    issuers,
    verifyEmail,
    methods: stores.methods,
    verifications: stores.verifications,
    invitations: stores.invitations,
    guesses: new GuessLimiter(stores.guesses, secret, now),
    notices: new SecurityNotices({ mailer, publicUrl }),
    knownBrowsers: stores.knownBrowsers,
    browserLogins,
    holders: new AccountHolders({ ...deps, browserLogins }),
    passwords: deps.passwords ?? new PasswordHasher(),
    policy: deps.passwordPolicy ?? new PasswordPolicy(deps.workers),
  }
  const accounts = new PasswordAccounts(common)
  const oidcAccounts = new OidcAccounts({ ...common, store: new OidcAccountStore(db) })
  const pendingSignIns = new PendingSignIns(common)
  const factors = new SecondFactors({ ...deps, store: new SecondFactorStore(db) })
  const passkeys = new Passkeys({ store: stores.passkeys, now })
  const challenges = new Challenges({ ...common, store: stores.passkeys })
  const signUpPolicy = new SignUpPolicy({ ...common, organizationInvitations: new InvitationStore(db, 0) })
  return {
    name: 'auth',
    setUp,
    setUpLink: async () => {
      const code = await setUp.code()
      return code === undefined ? undefined : setUpLink(publicUrl(), code)
    },
    mailer,
    browserLogins,
    verifications: stores.verifications,
    endpoints: [
      ...sessionEndpoints(common),
      signUpEndpoint({ ...common, accounts, accountStore: new AccountStore(db), signUpPolicy }),
      ...invitationEndpoints(common),
      ...passwordEndpoints({ ...common, accounts, pendingSignIns }),
      ...secondFactorEndpoints({ ...common, accounts, factors, pendingSignIns }),
      ...passkeyEndpoints({ ...common, passkeys, challenges, store: stores.passkeys }),
      ...oidcEndpoints({
        ...common,
        clients: issuers.map((issuer) => new OidcClient(issuer, now)),
        accounts: oidcAccounts,
      }),
      ...supabaseEndpoints({ ...common, accounts, accountStore: new AccountStore(db), signUpPolicy }),
      ...signInMethodEndpoints(common),
      ...deviceEndpoints({ ...common, devices: new DeviceSignIns({ ...deps, store: stores.deviceCodes }) }),
      ...tokenEndpoints({
        ...common,
        identityProviders: createIdentityProviders({ ...config.auth, now }),
        oidcAccounts,
        origins: { publicUrl, trustedOrigins: config.http.corsOrigins },
      }),
    ],
    jobs: [prepareSignIn({ setUp, passkeys, publicUrl, log }), createCleanUp({ ...deps, ...stores })],
    exportSections: accountSections({ ...stores, ...deps }),
    deletionSteps: [accountDeletion(stores)],
    async close() {
      await common.policy.close()
      await mailer.close()
    },
  }
}
