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
    const listed = users.map(({ id, email, name, isAdministrator, suspendedAt, createdAt }) => {
      const isSuspended = suspendedAt !== undefined
      return { id, email, name, isAdministrator, isSuspended, createdAt: new Date(createdAt).toISOString() }
    })
    if (input.values.json === true) print(input, JSON.stringify(listed))
    else {
      const rows = listed.map(({ id, email, name, createdAt, ...state }) => {
        const access = [state.isAdministrator && 'administrator', state.isSuspended && 'suspended']
        return [email, name, access.filter(Boolean).join(', '), createdAt, id]
      })
      print(input, formatTable([['EMAIL', 'NAME', 'ACCESS', 'CREATED', 'ID'], ...rows]))
    }
    return undefined
  },
}
