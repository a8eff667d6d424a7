import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { BackgroundJob, Feature } from '../../feature.ts'
import {
  createIdentityProviders,
  GuessLimiter,
  GuessStore,
  InvitationStore,
  logOutEverywhere,
} from '../../identity/index.ts'
import { createMailer, type Mailer } from '../../mail/index.ts'
import type { Clock } from '../../time/index.ts'
import { Accounts } from './accounts.ts'
import { createCleanUp } from './clean-up.ts'
import type { AuthEndpointDeps } from './deps.ts'
import { DeviceCodeStore } from './device/device-code-store.ts'
import { DeviceSignIns } from './device/device-sign-ins.ts'
import { deviceEndpoints } from './device/endpoints.ts'
import { getSession } from './get-session.ts'
import { getSignInOptions } from './get-sign-in-options.ts'
import { signInLimit } from './guess-limits.ts'
import { createInvitation, deleteInvitation, listInvitations } from './invitations.ts'
import { pageLink } from './links.ts'
import { oidcEndpoints } from './oidc/endpoints.ts'
import { OidcAccountStore } from './oidc/oidc-account-store.ts'
import { OidcClient } from './oidc/oidc-client.ts'
import { Challenges } from './passkeys/challenges.ts'
import { passkeyEndpoints } from './passkeys/endpoints.ts'
import { PasskeyStore } from './passkeys/passkey-store.ts'
import { Passkeys } from './passkeys/passkeys.ts'
import { passkeySignInEndpoints } from './passkeys/sign-in.ts'
import { passwordEndpoints } from './password/endpoints.ts'
import { signInEmail } from './password/sign-in-email.ts'
import { signUpEmail } from './password/sign-up-email.ts'
import { accountDeletion, accountSections } from './personal-data.ts'
import { redirectOldPages } from './redirect-old-pages.ts'
import { secondFactorEndpoints } from './second-factor/endpoints.ts'
import { SecurityNotices } from './security-notices.ts'
import { SetUp } from './set-up.ts'
import { SetUpStore } from './set-up-store.ts'
import { SignInMethodStore } from './sign-in-method-store.ts'
import { signInMethodEndpoints } from './sign-in-methods.ts'
import { signOut } from './sign-out.ts'
import { SignUpInvitationStore } from './sign-up-invitation-store.ts'
import { SignUpPolicy } from './sign-up-policy.ts'
import type { TokenEndpointDeps } from './tokens/deps.ts'
import { tokenEndpoints } from './tokens/endpoints.ts'
import { WebSessions } from './web-sessions.ts'

export interface AuthDeps extends Omit<TokenEndpointDeps, 'identityProviders' | 'origins'> {
  readonly config: Config
  readonly secret: string
  readonly secrets: readonly string[]
  readonly db: Database
  readonly log: Logger
  readonly clock: Clock
  readonly publicUrl: () => URL
}

/** Accounts, sign-in and tokens, under `/api/auth`. */
export function createAuth(deps: AuthDeps): Feature & { readonly setUp: SetUp; readonly mailer: Mailer } {
  const { config, secret, db, users, logins, log, now } = deps
  const mailer = createMailer({ ...config.mail, log })
  const invitations = new SignUpInvitationStore(db)
  const methods = new SignInMethodStore(db)
  const passkeyStore = new PasskeyStore(db)
  const guessStore = new GuessStore(db)
  const cleanUp = createCleanUp({ ...deps, guesses: guessStore, methods, passkeys: passkeyStore })
  const guesses = new GuessLimiter(guessStore, secret, now)
  const setUp = new SetUp(new SetUpStore(db), config, secret)
  const notices = new SecurityNotices({ mailer, publicUrl: deps.publicUrl })
  const { signUp, issuers, verifyEmail } = config.auth
  const accounts = new Accounts(() => ({
    ...deps,
    verifyEmail,
    publicUrl: deps.publicUrl(),
    sendPasswordReset: (to, token) =>
      mailer.send({
        to,
        subject: 'Reset your password',
        text: `A new password was requested for your account at ${deps.publicUrl().host}. The link is valid for an hour; ignore this message if you did not ask for it.`,
        link: pageLink(deps.publicUrl(), '/reset-password', { token }),
      }),
    sendVerification: (to, token) =>
      mailer.send({
        to,
        subject: 'Confirm your e-mail address',
        text: `An account was created with this address at ${deps.publicUrl().host}. The link is valid for a day.`,
        link: pageLink(deps.publicUrl(), '/verify-email', { token }),
      }),
    async passwordWasReset(email) {
      const user = await users.findByEmail(email)
      if (user === undefined) return
      // The link was sent to the address: whoever created the account without owning it loses access.
      await users.claimEmail(user.id, now(), { keepPassword: true })
      await methods.removePending(user.id)
      await logOutEverywhere(deps, user)
      await guesses.succeeded(signInLimit(email))
      notices.passwordChanged(email)
    },
  }))
  const endpointDeps: AuthEndpointDeps = {
    ...deps,
    accounts,
    mailer,
    notices,
    invitations,
    setUp,
    guesses,
    signUpPolicy: new SignUpPolicy({
      signUp,
      setUp,
      invitations,
      organizationInvitations: new InvitationStore(db, 0),
      now,
    }),
  }
  const sessions = new WebSessions(deps)
  const passkeys = new Passkeys({ store: passkeyStore, now })
  const challenges = new Challenges({ ...deps, store: passkeyStore, sessions })
  const devices = new DeviceSignIns({ ...deps, store: new DeviceCodeStore(db) })
  return {
    name: 'auth',
    setUp,
    mailer,
    endpoints: [
      getSignInOptions({ setUp, signUp, issuers, publicUrl: deps.publicUrl }),
      signUpEmail(endpointDeps),
      signInEmail(endpointDeps),
      signOut(endpointDeps),
      getSession(endpointDeps),
      createInvitation(endpointDeps),
      listInvitations(endpointDeps),
      deleteInvitation(endpointDeps),
      ...passwordEndpoints(endpointDeps),
      ...secondFactorEndpoints(endpointDeps),
      ...oidcEndpoints({
        ...deps,
        clients: issuers.map((issuer) => new OidcClient(issuer)),
        store: new OidcAccountStore(db),
        sessions,
        signUp,
        notices,
      }),
      ...signInMethodEndpoints({ methods, issuers }),
      ...passkeyEndpoints({ ...deps, passkeys, store: passkeyStore, challenges, notices }),
      ...passkeySignInEndpoints({ ...deps, passkeys, challenges, sessions, guesses, verifyEmail }),
      redirectOldPages(),
      ...deviceEndpoints({ ...endpointDeps, devices }),
      ...tokenEndpoints({
        ...deps,
        identityProviders: createIdentityProviders(config.auth),
        origins: { publicUrl: deps.publicUrl, trustedOrigins: config.http.corsOrigins },
      }),
    ],
    jobs: [prepareSignIn({ setUp, accounts, passkeys, log }), cleanUp],
    exportSections: accountSections({ methods, passkeys: passkeyStore, logins, now }),
    deletionSteps: [accountDeletion(methods)],
    close: () => mailer.close(),
  }
}

/**
 * Prepares for sign-ins: writes the set-up code to the log while the first account requires it, and loads the libraries
 * before requests need them where there are accounts, since loading blocks the event loop.
 */
function prepareSignIn({
  setUp,
  accounts,
  passkeys,
  log,
}: {
  readonly setUp: SetUp
  readonly accounts: Accounts
  readonly passkeys: Passkeys
  readonly log: Logger
}): BackgroundJob {
  let preparing: Promise<void> | undefined
  const prepare = async () => {
    const setUpCode = await setUp.code()
    if (setUpCode !== undefined)
      log.warn({ setUpCode }, 'accounts: the first account, the administrator, needs this code')
    if (await setUp.store.isPending()) return
    await accounts.auth()
    await passkeys.load()
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
