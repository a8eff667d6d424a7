import { AUDIT_ACTIONS, AUDIT_OPERATOR } from '@glasses-cloud/contract'
import { useQuery } from '@tanstack/react-query'
import { type AuditEntry, auditQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { Pager } from '../../components/Pager.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { usePager } from '../../components/use-pager.ts'
import { formatTime } from '../../format.ts'
import { useUrlChoice } from '../../url-state.ts'
import styles from './administration.module.css'
import { auditTexts as texts } from './audit.texts.ts'

const TONES = { done: 'success', failed: 'danger', started: 'warning' } as const

const FILTERS = ['all', ...AUDIT_ACTIONS] as const
const OPTIONS = FILTERS.map((value) => ({
  value,
  label: value === 'all' ? texts.all : texts.actions[value],
}))

/** The texts of actions by their names; a newer cloud may know more. */
const ACTIONS: Readonly<Record<string, string>> = texts.actions

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    id: 'action',
    label: texts.columns.action,
    render: ({ action, target, details }) => (
      <div className={styles.stack}>
        <span>{ACTIONS[action] ?? action}</span>
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
    label: texts.columns.actor,
    render: ({ actor, actorId, address }) => (
      <div className={styles.stack}>
        <span>{actor ?? (actorId === AUDIT_OPERATOR ? texts.commandLine : texts.deletedAccount)}</span>
        {address !== '' && <span className="muted">{texts.from(address)}</span>}
      </div>
    ),
  },
  {
    id: 'at',
    label: texts.columns.at,
    render: ({ at }) => <time dateTime={at}>{formatTime(at)}</time>,
  },
  {
    id: 'outcome',
    label: texts.columns.outcome,
    render: ({ outcome }) => <Badge tone={TONES[outcome]}>{texts.outcomes[outcome]}</Badge>,
  },
]

/** Formats details on one line; lists as the number of their entries. */
function formatDetails(details: AuditEntry['details']): string {
  const values = Object.entries(details).map(([name, value]) => {
    if (Array.isArray(value)) return texts.count(value.length, name)
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
  const empty = action === undefined ? texts.empty : texts.noMatch
  return (
    <Card title={texts.title} description={texts.description}>
      <div className={styles.filter}>
        <Select label={texts.filter} options={OPTIONS} value={filter} onChange={setFilter} />
      </div>
      <QueryState query={audit} skeleton="rows">
        {({ items, next }) => (
          <>
            {items.length === 0 ? (
              <EmptyState title={empty.title}>
                <p>{empty.hint}</p>
              </EmptyState>
            ) : (
              <Table label={texts.table} rows={items} keyOf={({ id }) => id} columns={COLUMNS} />
            )}
            <Pager pager={pager} next={next} isLoading={audit.isPlaceholderData} />
          </>
        )}
      </QueryState>
    </Card>
  )
}
