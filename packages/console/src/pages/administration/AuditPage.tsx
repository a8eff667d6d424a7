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
    'user.demote': 'Removed an administrator',
    'user.delete': 'Deleted a user',
    'app.approve': 'Approved an app',
    'app.reject': 'Rejected an app',
    'session.end': 'Ended a session',
  } as Readonly<Record<string, string>>,
  outcomes: { done: 'Done', failed: 'Failed', started: 'Interrupted' },
} as const

const TONES = { done: 'success', failed: 'danger', started: 'warning' } as const

const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: 'at', label: 'Time', render: ({ at }) => <time dateTime={at}>{formatTime(at)}</time> },
  { id: 'actor', label: 'Administrator', render: ({ actor }) => actor ?? 'Deleted account' },
  { id: 'action', label: 'Action', render: ({ action }) => texts.actions[action] ?? action },
  { id: 'target', label: 'Target', render: ({ target }) => <code>{target}</code> },
  { id: 'details', label: 'Details', render: ({ details }) => Object.values(details).join(', ') },
  { id: 'address', label: 'From', render: ({ address }) => address },
  {
    id: 'outcome',
    label: 'Outcome',
    render: ({ outcome }) => <Badge tone={TONES[outcome]}>{texts.outcomes[outcome]}</Badge>,
  },
]

/** What administrators did. */
export function AuditPage() {
  const audit = useInfiniteQuery(auditQuery)
  return (
    <Card title="Audit log" description="What administrators did, newest first. Entries are never deleted.">
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
