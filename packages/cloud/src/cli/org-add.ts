import { SLUG_PATTERN } from '@glasses-cloud/contract'
import { normalizeEmail } from '../identity/index.ts'
import { type Command, print, readArguments, textOption, UsageError } from './command.ts'
import { withOperator } from './operator.ts'

interface Member {
  readonly email: string
  readonly role: 'admin' | 'member'
}

export const orgAdd: Command = {
  name: 'org add',
  args: 'SLUG [--name NAME] [--member EMAIL[:admin]]…',
  summary: 'Create an organization, or rename it and add members',
  details: [
    '--name NAME              display name; default: the slug',
    '--member EMAIL[:admin]   member to add, created if there is no such user; may be repeated',
  ],
  options: { name: { type: 'string' }, member: { type: 'string', multiple: true } },
  async run(input) {
    const [slug] = readArguments(input, ['SLUG'])
    if (!new RegExp(SLUG_PATTERN).test(slug)) {
      throw new UsageError(`Invalid slug "${slug}": use lower-case letters, digits and hyphens`)
    }
    const name = textOption(input, 'name')
    const members = [input.values.member ?? []].flat().map(String).map(parseMember)
    await withOperator(input.config(), async ({ organizations, users }) => {
      const now = Date.now()
      const { id } = await organizations.ensure(slug, { name }, now)
      for (const { email, role } of members) {
        const user = await users.findOrCreate(email, now)
        await organizations.addMember(id, user.id, role, now)
      }
      print(input, JSON.stringify({ id, slug, members }))
    })
    return undefined
  },
}

function parseMember(text: string): Member {
  const [address = '', role = 'member', ...more] = text.split(':')
  const email = normalizeEmail(address)
  if (email === undefined || more.length > 0 || (role !== 'admin' && role !== 'member')) {
    throw new UsageError(`--member must be EMAIL or EMAIL:admin (got "${text}")`)
  }
  return { email, role }
}
