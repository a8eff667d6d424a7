import { AUDIT_ACTIONS, AUDIT_OPERATOR, type AuditAction } from '@glasses-cloud/contract'
import { useQuery } from '@tanstack/react-query'
import { type AuditEntry, auditQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { Pager, usePager } from '../../components/Pager.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { formatTime, plural } from '../../format.ts'
import { useUrlChoice } from '../../url-state.ts'
import styles from './administration.module.css'

const OUTCOMES = { done: 'Done', failed: 'Failed', started: 'Interrupted' } as const

const ACTION_NAMES: Readonly<Record<AuditAction, string>> = {
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
}

const TONES = { done: 'success', failed: 'danger', started: 'warning' } as const

const FILTERS = ['all', ...AUDIT_ACTIONS] as const
const OPTIONS = FILTERS.map((value) => ({
  value,
  label: value === 'all' ? 'Everything' : ACTION_NAMES[value],
}))

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    id: 'action',
    label: 'Action',
    render: ({ action, target, details }) => (
      <div className={styles.stack}>
        <span>{(ACTION_NAMES as Readonly<Record<string, string>>)[action] ?? action}</span>
        {target !== '' && (
          <span className="muted">
            <code>{target}</code>
          </span>
        )}
        {formatDetails(details) !== '' && <span className="muted">{formatDetails(details)}</span>}
      </div>
    ),
  },
  {
    id: 'actor',
    label: 'Administrator',
    render: ({ actor, actorId, address }) => (
      <div className={styles.stack}>
        <span>{actor ?? (actorId === AUDIT_OPERATOR ? 'Command line' : 'Deleted account')}</span>
        {address !== '' && <span className="muted">from {address}</span>}
      </div>
    ),
  },
  {
    id: 'at',
    label: 'Time',
    render: ({ at }) => <time dateTime={at}>{formatTime(at)}</time>,
  },
  {
    id: 'outcome',
    label: 'Outcome',
    render: ({ outcome }) => <Badge tone={TONES[outcome]}>{OUTCOMES[outcome]}</Badge>,
  },
]

/** Formats details on one line; lists as the number of their entries. */
function formatDetails(details: AuditEntry['details']): string {
  const values = Object.entries(details).map(([name, value]) => {
    if (Array.isArray(value))
      return plural(value.length, { one: `1 ${name.replace(/s$/, '')}`, other: `${value.length} ${name}` })
    return typeof value === 'boolean' ? `${name}: ${value}` : value
  })
  return values.filter((value) => value !== null && value !== '').join(', ')
}

/** What administrators did. */
export function AuditPage() {
  const [filter, setFilter] = useUrlChoice('action', FILTERS)
  const pager = usePager(filter)
  const action = filter === 'all' ? undefined : filter
  const audit = useQuery(auditQuery({ action, cursor: pager.cursor }))
  const empty =
    action === undefined
      ? { title: 'Nothing yet', hint: 'Each act of an administrator is recorded here.' }
      : { title: 'Nothing of this kind', hint: 'Show everything to see other acts.' }
  return (
    <Card
      title="Audit log"
      description="What administrators changed, and which content of users they read, newest first. Entries are never deleted."
    >
      <div className={styles.filter}>
        <Select label="Show" options={OPTIONS} value={filter} onChange={setFilter} />
      </div>
      <QueryState query={audit} skeleton="rows">
        {({ items, next }) => (
          <>
            {items.length === 0 ? (
              <EmptyState title={empty.title}>
                <p>{empty.hint}</p>
              </EmptyState>
            ) : (
              <Table label="What administrators did" rows={items} keyOf={({ id }) => id} columns={COLUMNS} />
            )}
            <Pager pager={pager} next={next} isLoading={audit.isPlaceholderData} />
          </>
        )}
      </QueryState>
    </Card>
  )
}
