import type { Organization, OrganizationSummary } from '@glasses-cloud/contract'
import {
  type Command,
  CommandError,
  type CommandInput,
  formatTable,
  print,
  readArguments,
  textOption,
} from '../command.ts'
import type { RemoteClient } from './client.ts'
import { remoteCommand } from './remote-command.ts'

const orgPath = (org: string) => `/orgs/${encodeURIComponent(org)}`

/** Prints a result as JSON, or as one line. */
function report(input: CommandInput, value: unknown, line: string): undefined {
  print(input, input.values.json === true ? JSON.stringify(value) : line)
}

const orgList = remoteCommand({
  name: 'org list',
  args: '',
  summary: 'List your organizations over HTTP',
  options: {},
  async run(input, client) {
    readArguments(input, [])
    const organizations = await client.data<OrganizationSummary[]>('GET', '/orgs')
    const rows = organizations.map(({ slug, name, role }) => [slug, name, role])
    return report(input, organizations, formatTable([['SLUG', 'NAME', 'ROLE'], ...rows]))
  },
})

const orgCreate = remoteCommand({
  name: 'org create',
  args: 'NAME [--slug SLUG]',
  summary: 'Create an organization over HTTP, with you as its administrator',
  details: ['--slug SLUG   default: derived from the name'],
  options: { slug: { type: 'string' } },
  async run(input, client) {
    const [name] = readArguments(input, ['NAME'])
    const slug = textOption(input, 'slug')
    const created = await client.data<Organization>('POST', '/orgs', {
      name,
      ...(slug !== undefined && { slug }),
    })
    return report(input, created, `Created ${created.slug}`)
  },
})

const orgMembers = remoteCommand({
  name: 'org members',
  args: 'ORG',
  summary: 'List the members and pending invitations of an organization over HTTP',
  options: {},
  async run(input, client) {
    const [org] = readArguments(input, ['ORG'])
    const organization = await client.data<Organization>('GET', orgPath(org))
    const rows = [
      ...organization.members.map(({ email, role }) => [email, role]),
      ...(organization.invitations ?? []).map(({ email, role }) => [email, `${role}, invited`]),
    ]
    return report(input, organization, formatTable([['EMAIL', 'ROLE'], ...rows]))
  },
})

const orgInvite = remoteCommand({
  name: 'org invite',
  args: 'ORG EMAIL [--admin]',
  summary: 'Invite a person to an organization over HTTP',
  details: ['--admin   as administrator; default: as member'],
  options: { admin: { type: 'boolean' } },
  async run(input, client) {
    const [org, email] = readArguments(input, ['ORG', 'EMAIL'])
    const role = input.values.admin === true ? 'admin' : 'member'
    const invitation = await client.data('POST', `${orgPath(org)}/members`, { email, role })
    return report(input, invitation, `Invited ${email}; the invitation is valid for 7 days`)
  },
})

const orgAccept = remoteCommand({
  name: 'org accept',
  args: 'TOKEN',
  summary: 'Accept an invitation to an organization over HTTP',
  options: {},
  async run(input, client) {
    const [token] = readArguments(input, ['TOKEN'])
    const joined = await client.data<OrganizationSummary>('POST', `/orgs/accept/${encodeURIComponent(token)}`)
    return report(input, joined, `You are ${joined.role} of ${joined.slug}`)
  },
})

const orgRole = remoteCommand({
  name: 'org role',
  args: 'ORG EMAIL ROLE',
  summary: 'Change the role of a member (admin or member) over HTTP',
  options: {},
  async run(input, client) {
    const [org, email, role] = readArguments(input, ['ORG', 'EMAIL', 'ROLE'])
    const path = `${orgPath(org)}/members/${await memberId(client, org, email)}`
    await client.request('PATCH', `/api/console${path}`, { role })
    return report(input, { email, role }, `${email} is ${role} of ${org}`)
  },
})

const orgRemove = remoteCommand({
  name: 'org remove',
  args: 'ORG EMAIL',
  summary: 'Remove a member from an organization, or leave it, over HTTP',
  options: {},
  async run(input, client) {
    const [org, email] = readArguments(input, ['ORG', 'EMAIL'])
    await client.request(
      'DELETE',
      `/api/console${orgPath(org)}/members/${await memberId(client, org, email)}`,
    )
    return report(input, { email }, `${email} is no longer a member of ${org}`)
  },
})

async function memberId(client: RemoteClient, org: string, email: string): Promise<string> {
  const { members } = await client.data<Organization>('GET', orgPath(org))
  const member = members.find((one) => one.email === email.toLowerCase())
  if (member === undefined) throw new CommandError(`${email} is not a member of ${org}`)
  return member.userId
}

export const orgCommands: readonly Command[] = [
  orgList,
  orgCreate,
  orgMembers,
  orgInvite,
  orgAccept,
  orgRole,
  orgRemove,
]
