import { argumentsOf, type Command, print, textOption, UsageError } from './command.ts'
import { parseDuration } from './duration.ts'
import { issueToken } from './issue-token.ts'
import { withOperator } from './operator.ts'

/** Prints a token and nothing else, for use in `$(…)`. */
export const token: Command = {
  name: 'token',
  args: 'EMAIL [--scope glasses] [--expires 1h]',
  summary: 'Print a token for a user, who is made if there is none',
  details: [
    '--scope glasses   opens the socket of the glasses and the gallery alone; default: core, which opens all',
    '--expires SPAN    how long it lives: 30s, 15m, 1h, 7d; default: 24h',
  ],
  options: { scope: { type: 'string' }, expires: { type: 'string' } },
  async run(input) {
    const [email] = argumentsOf(input, ['EMAIL'])
    const scope = textOption(input, 'scope') ?? 'core'
    if (scope !== 'core' && scope !== 'glasses') throw new UsageError('--scope must be core or glasses')
    const lifeMs = parseDuration(textOption(input, 'expires') ?? '24h')
    if (lifeMs === undefined) throw new UsageError('--expires must be a span like 30s, 15m, 1h or 7d')
    print(
      input,
      await withOperator(input.config(), (operator) => issueToken(operator, email, { scope, lifeMs })),
    )
    return undefined
  },
}
