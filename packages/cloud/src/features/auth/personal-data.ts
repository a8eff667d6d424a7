import { type LoginStore, lastUseView } from '../../identity/index.ts'
import type { DeletionStep, ExportSection } from '../../personal-data.ts'
import type { KnownBrowserStore } from './known-browser-store.ts'
import type { PasskeyStore } from './passkeys/passkey-store.ts'
import type { SignInMethodStore } from './sign-in-method-store.ts'
import type { SignUpInvitationStore } from './sign-up/sign-up-invitation-store.ts'
import type { VerificationStore } from './verification-store.ts'

/** Exports how and where the user signed in, without secrets. */
export function accountSections(deps: {
  readonly methods: SignInMethodStore
  readonly passkeys: PasskeyStore
  readonly logins: LoginStore
  readonly knownBrowsers: KnownBrowserStore
  readonly now: () => number
}): ExportSection[] {
  const { methods, passkeys, logins, knownBrowsers, now } = deps
  return [
    {
      name: 'signInMethods',
      tables: ['sign_in_methods', 'two_factors'],
      async *facts({ id: userId }) {
        for (const { id, kind, name, requiresCode, createdAt } of await methods.list(userId)) {
          const value = {
            kind,
            name: name ?? null,
            requiresCode,
            createdAt: new Date(createdAt).toISOString(),
          }
          yield { key: id, value, updatedAt: createdAt }
        }
      },
    },
    {
      name: 'passkeys',
      tables: ['passkeys'],
      async *facts({ id: userId }) {
        for (const { id, name, transports, createdAt, lastUsedAt } of await passkeys.list(userId)) {
          const value = {
            name,
            transports,
            createdAt: new Date(createdAt).toISOString(),
            lastUsedAt: lastUsedAt === undefined ? null : new Date(lastUsedAt).toISOString(),
          }
          yield { key: id, value, updatedAt: createdAt }
        }
      },
    },
    {
      name: 'knownBrowsers',
      tables: ['known_browsers'],
      async *facts({ id: userId }) {
        for (const [index, expiresAt] of (await knownBrowsers.list(userId)).entries()) {
          const value = { expiresAt: new Date(expiresAt).toISOString() }
          yield { key: String(index + 1), value, updatedAt: now() }
        }
      },
    },
    {
      name: 'logins',
      tables: ['logins'],
      async *facts({ id: userId }) {
        for (const { id, ipAddress, userAgent, createdAt, lastUse, expiresAt } of await logins.list(
          userId,
          now(),
        ))
          yield {
            key: id,
            value: {
              ipAddress: ipAddress ?? null,
              userAgent: userAgent ?? null,
              createdAt: new Date(createdAt).toISOString(),
              expiresAt: new Date(expiresAt).toISOString(),
              ...lastUseView(lastUse),
            },
            updatedAt: lastUse.at,
          }
      },
    },
  ]
}

/** Deletes verifications and invitations, which do not go with the user's row. */
export function accountDeletion({
  verifications,
  invitations,
}: {
  readonly verifications: VerificationStore
  readonly invitations: SignUpInvitationStore
}): DeletionStep {
  return {
    name: 'accounts',
    phase: 'content',
    tables: ['sign_up_invitations', 'verifications'],
    async run({ id, email, ownsAddress }) {
      await verifications.removeFor(id)
      if (ownsAddress) await invitations.removeFor(email)
    },
  }
}
