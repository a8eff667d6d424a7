import { SLUG_PATTERN } from '@glasses-cloud/contract'
import { normalizeEmail } from '../identity/index.ts'
import { argumentsOf, type Command, print, textOption, UsageError } from './command.ts'
import { withOperator } from './operator.ts'

interface Member {
  readonly email: string
  readonly role: 'admin' | 'member'
}

/** Makes an organization, or adds to one. */
export const orgAdd: Command = {
  name: 'org add',
  args: 'SLUG [--name NAME] [--member EMAIL[:admin]]…',
  summary: 'Make an organization, or rename it and add members',
  details: [
    '--name NAME              what people call it; default: the slug',
    '--member EMAIL[:admin]   a member, who is made a user if there is none; may be given again',
  ],
  options: { name: { type: 'string' }, member: { type: 'string', multiple: true } },
  async run(input) {
    const [slug] = argumentsOf(input, ['SLUG'])
    if (!new RegExp(SLUG_PATTERN).test(slug)) {
      throw new UsageError(`"${slug}" is no slug: lower case letters, digits and hyphens`)
    }
    const name = textOption(input, 'name')
    const members = [input.values.member ?? []].flat().map(String).map(memberOf)
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

function memberOf(text: string): Member {
  const [address = '', role = 'member', ...more] = text.split(':')
  const email = normalizeEmail(address)
  if (email === undefined || more.length > 0 || (role !== 'admin' && role !== 'member')) {
    throw new UsageError(`--member must be EMAIL or EMAIL:admin, not "${text}"`)
  }
  return { email, role }
}
