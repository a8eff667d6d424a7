import type { FastifyReply, FastifyRequest } from 'fastify'
import { fault } from '../../http/fault.ts'
import type { AuthEndpointDeps } from './deps.ts'
import { toSessionUser } from './schemas.ts'
import type { SignUpPermit } from './sign-up-policy.ts'

/** What an account is created with. */
export interface NewAccount {
  /** Normalized. */
  readonly email: string
  readonly password: string
  readonly name: string
}

/**
 * Creates an account and signs in, unless the address must be verified first.
 * @throws Fault if the account exists, or if the input is invalid
 */
export async function createAccount(
  { accounts, users, now }: AuthEndpointDeps,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { email, password, name }: NewAccount,
  permit: SignUpPermit,
) {
  const adopted = permit.isFirst && (await addPassword())
  const created = adopted
    ? undefined
    : await accounts.call(request, reply, (api, headers) =>
        api.signUpEmail({ body: { email, password, name }, headers, returnHeaders: true }),
      )
  // Where addresses are verified, the result is the same for an address that has an account.
  if (created !== undefined && !permit.provesEmail)
    return { token: created.token, user: toSessionUser(created.user) }

  const user = await users.findByEmail(email)
  if (user === undefined || (created !== undefined && created.user.id !== user.id))
    throw fault('ACCOUNT_EXISTS')
  await users.setEmailVerified(user.id, now())
  if (permit.isFirst) await users.setAdministrator(user.id, true, now())
  // The account may be signed in already, with the user as it was.
  if (created?.token)
    return {
      token: created.token,
      user: { ...toSessionUser(created.user), emailVerified: true, isAdministrator: permit.isFirst },
    }
  const signedIn = await accounts.call(request, reply, (api, headers) =>
    api.signInEmail({ body: { email, password }, headers, returnHeaders: true }),
  )
  return { token: signedIn.token, user: toSessionUser(signedIn.user) }

  /** Gives the user whom the command line or a phone created a password. @returns whether there is one without */
  async function addPassword(): Promise<boolean> {
    const existing = await users.findByEmail(email)
    if (existing === undefined) return false
    const { internalAdapter, password: passwords } = await (await accounts.auth()).$context
    const methods = await internalAdapter.findAccounts(existing.id)
    if (methods.some(({ providerId }) => providerId === 'credential')) throw fault('ACCOUNT_EXISTS')
    await internalAdapter.linkAccount({
      userId: existing.id,
      providerId: 'credential',
      accountId: existing.id,
      password: await passwords.hash(password),
    })
    return true
  }
}
