import { argumentsOf, type Command, print } from './command.ts'
import { withOperator } from './operator.ts'
import { table } from './table.ts'

/** Every account. */
export const userList: Command = {
  name: 'user list',
  args: '[--json]',
  summary: 'List the users',
  options: { json: { type: 'boolean' } },
  async run(input) {
    argumentsOf(input, [])
    const users = await withOperator(input.config(), (operator) => operator.users.list())
    const shown = users.map(({ id, email, name, createdAt }) => {
      return { id, email, name, createdAt: new Date(createdAt).toISOString() }
    })
    if (input.values.json === true) print(input, JSON.stringify(shown))
    else {
      const rows = shown.map(({ id, email, name, createdAt }) => [email, name, createdAt, id])
      print(input, table([['EMAIL', 'NAME', 'CREATED', 'ID'], ...rows]))
    }
    return undefined
  },
}
