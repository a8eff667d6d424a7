import { normalizeEmail, type TokenScope } from '../identity/index.ts'
import { CommandError } from './command.ts'
import type { Operator } from './operator.ts'

/** Issues a token for the user of an e-mail address, who is made if there is none. */
export async function issueToken(
  operator: Operator,
  address: string,
  options: { readonly scope?: TokenScope; readonly lifeMs?: number } = {},
): Promise<string> {
  const email = normalizeEmail(address)
  if (email === undefined) throw new CommandError(`"${address}" is no e-mail address`)
  const user = await operator.users.findOrCreate(email, Date.now())
  return operator.tokens.issue(user, options)
}
