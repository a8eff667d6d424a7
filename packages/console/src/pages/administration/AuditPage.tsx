import { AUDIT_OPERATOR, type AuditAction } from '@glasses-cloud/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type AuditEntry, auditQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { formatTime } from '../../format.ts'

const texts = {
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
  } satisfies Record<AuditAction, string> as Readonly<Record<string, string>>,
  outcomes: { done: 'Done', failed: 'Failed', started: 'Interrupted' },
} as const

const TONES = { done: 'success', failed: 'danger', started: 'warning' } as const

const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: 'at', label: 'Time', render: ({ at }) => <time dateTime={at}>{formatTime(at)}</time> },
  {
    id: 'actor',
    label: 'Administrator',
    render: ({ actor, actorId }) =>
      actor ?? (actorId === AUDIT_OPERATOR ? 'Command line' : 'Deleted account'),
  },
  { id: 'action', label: 'Action', render: ({ action }) => texts.actions[action] ?? action },
  { id: 'target', label: 'Target', render: ({ target }) => <code>{target}</code> },
  { id: 'details', label: 'Details', render: ({ details }) => formatDetails(details) },
  { id: 'address', label: 'From', render: ({ address }) => address },
  {
    id: 'outcome',
    label: 'Outcome',
    render: ({ outcome }) => <Badge tone={TONES[outcome]}>{texts.outcomes[outcome]}</Badge>,
  },
]

/** Formats details on one line; lists as the number of their entries. */
function formatDetails(details: AuditEntry['details']): string {
  const values = Object.entries(details).map(([name, value]) =>
    Array.isArray(value)
      ? `${value.length} ${name}`
      : typeof value === 'boolean'
        ? `${name}: ${value}`
        : value,
  )
  return values.filter((value) => value !== null && value !== '').join(', ')
}

/** What administrators did. */
export function AuditPage() {
  const audit = useInfiniteQuery(auditQuery)
  return (
    <Card
      title="Audit log"
      description="What administrators changed, and which content of users they read, newest first. Entries are never deleted."
    >
      <QueryState query={audit}>
        {({ pages }) => {
          const rows = pages.flatMap(({ items }) => items)
          return rows.length === 0 ? (
            <EmptyState title="Nothing yet">
              <p>Each act of an administrator is recorded here.</p>
            </EmptyState>
          ) : (
            <Table label="What administrators did" rows={rows} keyOf={({ id }) => id} columns={COLUMNS} />
          )
        }}
      </QueryState>
      {audit.hasNextPage && (
        <div>
          <Button isPending={audit.isFetchingNextPage} onPress={() => void audit.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  )
}
