import { type Command, print, readArguments } from './command.ts'
import { withOperator } from './operator.ts'
import { formatTable } from './table.ts'

export const userList: Command = {
  name: 'user list',
  args: '[--json]',
  summary: 'List the users',
  options: { json: { type: 'boolean' } },
  async run(input) {
    readArguments(input, [])
    const users = await withOperator(input.config(), (operator) => operator.users.list())
    const listed = users.map(({ id, email, name, createdAt }) => {
      return { id, email, name, createdAt: new Date(createdAt).toISOString() }
    })
    if (input.values.json === true) print(input, JSON.stringify(listed))
    else {
      const rows = listed.map(({ id, email, name, createdAt }) => [email, name, createdAt, id])
      print(input, formatTable([['EMAIL', 'NAME', 'CREATED', 'ID'], ...rows]))
    }
    return undefined
  },
}
