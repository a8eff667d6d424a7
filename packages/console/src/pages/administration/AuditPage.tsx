import { useInfiniteQuery } from '@tanstack/react-query'
import { type AuditEntry, auditQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { administration } from '../../texts/administration.ts'
import { formatTime } from '../../texts/format.ts'
import { AdministrationFrame } from './AdministrationFrame.tsx'

const texts = administration.audit

const TONES = { done: 'success', failed: 'danger', started: 'warning' } as const

const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: 'at', label: texts.columns.at, render: ({ at }) => <time dateTime={at}>{formatTime(at)}</time> },
  { id: 'actor', label: texts.columns.actor, render: ({ actor }) => actor ?? texts.deletedAccount },
  { id: 'action', label: texts.columns.action, render: ({ action }) => texts.actions[action] ?? action },
  { id: 'target', label: texts.columns.target, render: ({ target }) => <code>{target}</code> },
  { id: 'details', label: texts.columns.details, render: ({ details }) => Object.values(details).join(', ') },
  { id: 'address', label: texts.columns.address, render: ({ address }) => address },
  {
    id: 'outcome',
    label: texts.columns.outcome,
    render: ({ outcome }) => <Badge tone={TONES[outcome]}>{texts.outcomes[outcome]}</Badge>,
  },
]

/** What administrators did. */
export function AuditPage() {
  const audit = useInfiniteQuery(auditQuery)
  return (
    <AdministrationFrame>
      <Card title={texts.title} description={texts.description}>
        <QueryState query={audit}>
          {({ pages }) => {
            const rows = pages.flatMap(({ items }) => items)
            return rows.length === 0 ? (
              <EmptyState title={texts.empty.title}>
                <p>{texts.empty.hint}</p>
              </EmptyState>
            ) : (
              <Table label={texts.list} rows={rows} keyOf={({ id }) => id} columns={COLUMNS} />
            )
          }}
        </QueryState>
        {audit.hasNextPage && (
          <div>
            <Button isPending={audit.isFetchingNextPage} onPress={() => void audit.fetchNextPage()}>
              {administration.more}
            </Button>
          </div>
        )}
      </Card>
    </AdministrationFrame>
  )
}
