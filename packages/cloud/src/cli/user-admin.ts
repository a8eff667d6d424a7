import { normalizeEmail } from '../identity/index.ts'
import { type Command, CommandError, print, readArguments } from './command.ts'
import { withOperator } from './operator.ts'

export const userAdmin: Command = {
  name: 'user admin',
  args: 'EMAIL [--revoke]',
  summary: 'Make a user an administrator of this cloud, created if there is no such user',
  details: ['--revoke   make the user an ordinary one again'],
  options: { revoke: { type: 'boolean' } },
  async run(input) {
    const [address] = readArguments(input, ['EMAIL'])
    const email = normalizeEmail(address)
    if (email === undefined) throw new CommandError(`"${address}" is not a valid e-mail address`)
    const isAdministrator = input.values.revoke !== true
    await withOperator(input.config(), async ({ users }) => {
      const now = Date.now()
      const user = isAdministrator ? await users.findOrCreate(email, now) : await users.findByEmail(email)
      if (user === undefined) throw new CommandError(`There is no user with the e-mail address ${email}`)
      await users.setAdministrator(user.id, isAdministrator, now)
      print(input, JSON.stringify({ id: user.id, email, isAdministrator }))
    })
    return undefined
  },
}
