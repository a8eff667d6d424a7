import { plural } from '../../format.ts'

/** The texts of the list of organizations. */
export const organizationsTexts = {
  title: 'Organizations',
  description: 'Share apps with other developers.',
  none: {
    title: 'No organizations yet',
    text: 'Create one to own apps together, or ask a member of one to invite you.',
  },
  list: 'Your organizations',
  columns: { name: 'Organization', role: 'Your role', created: 'Made' },
  create: { title: 'Create an organization', name: 'Name', submit: 'Create' },
  created: (name: string) => `${name} is created; you are its administrator`,
} as const

export const roleTexts = { admin: 'Administrator', member: 'Member' } as const

/** The texts of the page of an organization. */
export const organizationTexts = {
  apps: { title: 'Apps', create: 'Create an app', none: 'It owns no apps yet.' },
  name: {
    title: 'Name',
    submit: 'Rename',
    renamed: (name: string) => `The organization is now called ${name}`,
  },
  deletion: {
    title: 'Delete the organization',
    description: 'Only possible while it owns no apps.',
    ownsApps: (count: number) =>
      plural(count, {
        one: 'It owns an app. Move or delete it first:',
        other: `It owns ${count} apps. Move or delete them first:`,
      }),
    question: (name: string) => `Delete ${name} for good?`,
    consequence: 'All members lose it, and pending invitations become invalid. This cannot be undone.',
    deleted: (name: string) => `${name} is deleted`,
  },
} as const

export const memberTexts = {
  title: 'Members',
  description:
    'Members change and publish apps; administrators also move and delete them, and manage members.',
  columns: { person: 'Person', role: 'Role', joined: 'Joined', actions: 'Actions' },
  you: 'You',
  roleOf: (email: string) => `Role of ${email}`,
  roleChanged: (email: string, role: string) => `${email} is now ${role}`,
  lastAdministrator:
    'An organization keeps at least one administrator. Make another member administrator first.',
  leave: 'Leave',
  leaveQuestion: (organization: string) => `Leave ${organization}?`,
  leaveConsequence: 'You lose the access to its apps. To come back, you need an invitation.',
  left: (organization: string) => `You have left ${organization}`,
  remove: 'Remove',
  removeLabel: (email: string) => `Remove ${email}`,
  removeQuestion: (email: string) => `Remove ${email}?`,
  removeConsequence: 'This person loses the access to all apps of the organization at once.',
  removed: (email: string) => `${email} is removed`,
} as const

/** The texts of the invitations to an organization. */
export const invitationTexts = {
  title: 'Invitations',
  description: 'The link of an invitation is valid for a week, for the invited address.',
  invite: 'Invite',
  email: 'E-mail address',
  role: 'Role',
  invited: (email: string) => `${email} is invited`,
  pending: 'Pending invitations',
  none: 'Nobody is invited at the moment.',
  columns: { role: 'Role', expires: 'Valid until', actions: 'Actions' },
  handed: {
    label: (email: string) => `Link for ${email}, shown once`,
    mailed: (email: string) =>
      `A message with a link is on its way to ${email}. You can hand over this link as well.`,
    notMailed: (email: string) =>
      `No message was sent, because this cloud has no mail server. Hand over this link to ${email} yourself.`,
  },
  resend: 'Send again',
  resendLabel: (email: string) => `Send again to ${email}`,
  resent: (email: string) => `A new link for ${email} is ready; the earlier one is invalid`,
  rescind: 'Rescind',
  rescindLabel: (email: string) => `Rescind the invitation of ${email}`,
  rescindQuestion: (email: string) => `Rescind the invitation of ${email}?`,
  rescindConsequence: 'Its link becomes invalid.',
  rescinded: (email: string) => `The invitation of ${email} is rescinded`,
} as const

export const joinTexts = {
  title: 'Invitation',
  incomplete: {
    title: 'This link is not complete',
    text: 'Open the link again, or ask for a new invitation.',
    link: 'Go to your organizations',
  },
  signedInAs: (email: string) =>
    `You are signed in as ${email}. An invitation can be accepted only with the address that it is for.`,
  accept: 'Accept the invitation',
  accepted: (name: string) => `You are now a member of ${name}`,
  failed: {
    403: 'Sign out, and open the link again with the account of that address.',
    404: 'It may have been replaced by a newer one. Ask an administrator of the organization to send it again.',
  },
} as const
