import { randomUUID } from 'node:crypto'
import { APIError } from 'better-auth/api'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { betterAuth } from 'better-auth/minimal'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Logger } from 'pino'
import type { Database } from '../../db/index.ts'
import { COOKIE_PREFIX } from '../../http/auth/index.ts'
import {
  deriveSecret,
  LOGIN_LIFETIME_MS,
  type LoginStore,
  secretId,
  type UserStore,
} from '../../identity/index.ts'
import { createAuthAdapter } from './auth-adapter-store.ts'
import { hashSessionTokens } from './hashed-session-tokens.ts'
import { CLIENT_ADDRESS_HEADER } from './request-headers.ts'
import { Semaphore } from './semaphore.ts'

/** Hashes computed at a time. Each takes a thread of the pool that files and name look-ups use as well. */
const MAX_CONCURRENT_HASHES = 2

const RESET_LIFETIME_SECONDS = 60 * 60
const VERIFICATION_LIFETIME_SECONDS = 24 * 60 * 60

export interface BetterAuthOptions {
  readonly db: Database
  /** The accepted values of `AUTH_SECRET`, the current one first. */
  readonly secrets: readonly string[]
  readonly publicUrl: URL
  readonly verifyEmail: boolean
  readonly users: UserStore
  readonly logins: LoginStore
  readonly log: Logger
  sendPasswordReset(email: string, token: string): void
  sendVerification(email: string, token: string): void
  passwordWasReset(email: string): Promise<void>
}

/** A configured better-auth, whose API the endpoints call. */
export type Auth = ReturnType<typeof createAuth>

/** Configures better-auth. The module is loaded with the first account request, see `Accounts`. */
export function createAuth(options: BetterAuthOptions) {
  const { db, secrets, publicUrl, verifyEmail, users, logins, log } = options
  const hashes = new Semaphore(MAX_CONCURRENT_HASHES)
  const adapter = createAuthAdapter(db)
  return betterAuth({
    appName: 'Glasses Cloud',
    baseURL: publicUrl.origin,
    basePath: '/api/auth',
    // What an earlier secret encrypted remains readable.
    secrets: secrets.map((secret) => ({
      version: Number.parseInt(secretId(secret, 'accounts').slice(0, 7), 16),
      value: deriveSecret(secret, 'accounts'),
    })),
    database: (authOptions: Parameters<typeof adapter>[0]) => hashSessionTokens(adapter(authOptions)),
    telemetry: { enabled: false },
    // The limits of the kernel and of `GuessLimiter` apply instead, which all nodes share.
    rateLimit: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message) => log.error({ component: 'better-auth' }, message),
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        profile: { type: 'string', defaultValue: '{}', input: false, returned: false },
        isAdministrator: {
          type: 'boolean',
          fieldName: 'is_administrator',
          defaultValue: false,
          input: false,
        },
      },
    },
    session: {
      modelName: 'logins',
      fields: {
        userId: 'user_id',
        token: 'token_hash',
        expiresAt: 'expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
      expiresIn: LOGIN_LIFETIME_MS / 1000,
      updateAge: 24 * 60 * 60,
    },
    account: {
      modelName: 'sign_in_methods',
      fields: {
        userId: 'user_id',
        providerId: 'provider_id',
        accountId: 'account_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
      storeIdentifier: 'hashed',
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: verifyEmail,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      resetPasswordTokenExpiresIn: RESET_LIFETIME_SECONDS,
      revokeSessionsOnPasswordReset: true,
      password: {
        hash: (password) => hashes.run(() => hashPassword(password)),
        verify: (candidate) => hashes.run(() => verifyPassword(candidate)),
      },
      sendResetPassword: async ({ user, token }) => options.sendPasswordReset(user.email, token),
      onPasswordReset: ({ user }) => options.passwordWasReset(user.email),
    },
    emailVerification: {
      sendOnSignUp: verifyEmail,
      sendOnSignIn: verifyEmail,
      autoSignInAfterVerification: false,
      expiresIn: VERIFICATION_LIFETIME_SECONDS,
      sendVerificationEmail: async ({ user, token }) => options.sendVerification(user.email, token),
    },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => {
            const user = await users.findById(userId)
            if (user?.suspendedAt !== undefined)
              throw new APIError('FORBIDDEN', {
                code: 'ACCOUNT_SUSPENDED',
                message: 'The account is suspended',
              })
          },
          after: ({ userId }) => logins.removeExcess(userId),
        },
      },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: publicUrl.protocol === 'https:',
      database: { generateId: () => randomUUID() },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    plugins: [
      twoFactor({
        issuer: 'Glasses Cloud',
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'two_factors',
            fields: {
              userId: 'user_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
    ],
  })
}
