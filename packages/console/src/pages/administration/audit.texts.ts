import type { AuditAction } from '@glasses-cloud/contract'
import { plural } from '../../format.ts'

/** Texts of the audit log. */
export const auditTexts = {
  title: 'Audit log',
  description:
    'What administrators changed, and which content of users they read, newest first. Entries are never deleted.',
  table: 'What administrators did',
  filter: 'Show',
  all: 'Everything',
  columns: {
    at: 'Time',
    actor: 'Administrator',
    action: 'Action',
    outcome: 'Outcome',
  },
  actions: {
    'user.suspend': 'Suspended a user',
    'user.reinstate': 'Ended a suspension',
    'user.promote': 'Made an administrator',
    'user.confirm': 'Confirmed the e-mail address',
    'user.demote': 'Removed an administrator',
    'user.delete': 'Deleted a user',
    'app.approve': 'Approved an app',
    'app.reject': 'Rejected an app',
    'app.administer': 'Changed an app as only administrators may',
    'session.end': 'Ended a session',
    'session.list': 'Read the list of live sessions',
    'session.follow': 'Followed the live sessions',
    'invitation.create': 'Invited a person',
    'invitation.withdraw': 'Withdrew an invitation',
    'report.list': 'Read reports',
    'incident.list': 'Read incidents',
    'incident.open-file': 'Opened a file of an incident',
    'speech-model.install': 'Installed a speech model',
    'speech-model.cancel': 'Canceled the installation of a speech model',
    'speech-model.remove': 'Removed a speech model',
  } satisfies Record<AuditAction, string>,
  outcomes: { done: 'Done', failed: 'Failed', started: 'Interrupted' },
  commandLine: 'Command line',
  deletedAccount: 'Deleted account',
  from: (address: string) => `from ${address}`,
  /** Things that were read, such as 3 users. */
  count: (count: number, name: string) =>
    plural(count, { one: `1 ${name.replace(/s$/, '')}`, other: `${count} ${name}` }),
  empty: { title: 'Nothing yet', hint: 'Each act of an administrator is recorded here.' },
  noMatch: { title: 'Nothing of this kind', hint: 'Show everything to see other acts.' },
} as const
