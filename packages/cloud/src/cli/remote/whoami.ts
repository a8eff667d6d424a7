import { print, readArguments } from '../command.ts'
import { remoteCommand } from './remote-command.ts'

interface Account {
  readonly email: string
  readonly isAdministrator: boolean
  readonly organizations: readonly { readonly slug: string; readonly role: string }[]
}

export const whoami = remoteCommand({
  name: 'whoami',
  args: '',
  summary: 'Show the signed-in user and the cloud',
  options: {},
  async run(input, client) {
    readArguments(input, [])
    const account = await client.data<Account>('GET', '/account')
    const { email, isAdministrator, organizations } = account
    if (input.values.json === true) print(input, JSON.stringify({ url: client.url, ...account }))
    else {
      print(input, `${email}${isAdministrator ? ' (administrator)' : ''} on ${client.url}`)
      for (const { slug, role } of organizations) print(input, `  ${role} of ${slug}`)
    }
    return undefined
  },
})
