import { type Command, print, readArguments, textOption, UsageError } from './command.ts'
import { parseDuration } from './duration.ts'
import { issueToken } from './issue-token.ts'
import { withOperator } from './operator.ts'

/** Prints only the token, for use in `$(…)`. */
export const token: Command = {
  name: 'token',
  args: 'EMAIL [--scope glasses] [--expires 1h]',
  summary: 'Print a token for a user, created if there is no such user',
  details: [
    '--scope glasses   restrict the token to the glasses socket, the gallery, photo uploads and /api/hardware; default: core',
    '--expires SPAN    lifetime, such as 30s, 15m, 1h or 7d; default: 24h',
  ],
  options: { scope: { type: 'string' }, expires: { type: 'string' } },
  async run(input) {
    const [email] = readArguments(input, ['EMAIL'])
    const scope = textOption(input, 'scope') ?? 'core'
    if (scope !== 'core' && scope !== 'glasses') throw new UsageError('--scope must be core or glasses')
    const lifetimeMs = parseDuration(textOption(input, 'expires') ?? '24h')
    if (lifetimeMs === undefined)
      throw new UsageError('--expires must be a duration such as 30s, 15m, 1h or 7d')
    print(
      input,
      await withOperator(input.config(), (operator) => issueToken(operator, email, { scope, lifetimeMs })),
    )
    return undefined
  },
}
