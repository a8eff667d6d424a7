import { normalizeEmail, type TokenScope } from '../identity/index.ts'
import { CommandError } from './command.ts'
import type { Operator } from './operator.ts'

/** Issues a token for the user with an e-mail address, creating the user if necessary. */
export async function issueToken(
  operator: Operator,
  address: string,
  options: { readonly scope?: TokenScope; readonly lifetimeMs?: number } = {},
): Promise<string> {
  const email = normalizeEmail(address)
  if (email === undefined) throw new CommandError(`"${address}" is not a valid e-mail address`)
  const user = await operator.users.findOrCreate(email, Date.now())
  return operator.tokens.issue(user, options)
}
