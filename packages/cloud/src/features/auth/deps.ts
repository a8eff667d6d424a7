import type { Database } from '../../db/index.ts'
import type { GuessLimiter, LoginStore, UserStore } from '../../identity/index.ts'
import type { Mailer } from '../../mail/index.ts'
import type { Accounts } from './accounts.ts'
import type { SecurityNotices } from './security-notices.ts'
import type { SetUp } from './set-up.ts'
import type { SignUpInvitationStore } from './sign-up-invitation-store.ts'
import type { SignUpPolicy } from './sign-up-policy.ts'

export interface AuthEndpointDeps {
  readonly accounts: Accounts
  readonly db: Database
  readonly users: UserStore
  readonly logins: LoginStore
  readonly guesses: GuessLimiter
  readonly invitations: SignUpInvitationStore
  readonly setUp: SetUp
  readonly signUpPolicy: SignUpPolicy
  readonly mailer: Mailer
  readonly notices: SecurityNotices
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}
