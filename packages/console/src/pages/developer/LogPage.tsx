import { useMemo, useState } from 'react'
import { type AppLogEntry, useAppLog } from '../../api/app-log.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { Switch } from '../../components/Switch.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { common } from '../../texts/common.ts'
import { developer } from '../../texts/developer.ts'
import { formatClock } from '../../texts/format.ts'
import { startFailures } from '../../texts/start-failures.ts'
import { useDeveloperApp } from './developer-app.ts'
import styles from './LogPage.module.css'

const texts = developer.log

type Kind = keyof typeof texts.kinds
const KINDS = Object.entries(texts.kinds).map(([value, label]) => ({ value: value as Kind, label }))

/** Rows that are shown at once. */
const MAX_ROWS = 300

const COLUMNS: readonly Column<AppLogEntry>[] = [
  {
    id: 'time',
    label: texts.columns.time,
    render: ({ at }) => <time dateTime={at}>{formatClock(Date.parse(at))}</time>,
  },
  { id: 'event', label: texts.columns.event, render: (entry) => <EventName entry={entry} /> },
  { id: 'details', label: texts.columns.details, render: (entry) => <Details entry={entry} /> },
  { id: 'session', label: texts.columns.session, render: ({ session }) => <code>{session}</code> },
]

/** What happens to the app, as it happens: starts, calls of the app server, sockets and rejected messages. */
export function LogPage() {
  const { packageName } = useDeveloperApp()
  const { entries, connection, error, retry } = useAppLog(packageName)
  const [kind, setKind] = useState<Kind>('all')
  const [words, setWords] = useState('')
  const [paused, setPaused] = useState<readonly AppLogEntry[]>()
  const shown = paused ?? entries
  const matching = useMemo(
    () => shown.filter((entry) => isOfKind(entry, kind) && contains(entry, words)).slice(0, MAX_ROWS),
    [shown, kind, words],
  )
  const waiting = paused === undefined ? 0 : entries.filter(({ id }) => id > (paused[0]?.id ?? '')).length

  return (
    <Card title={texts.title} description={texts.hint}>
      <div className={styles.bar}>
        <SearchField label={texts.search} value={words} onChange={setWords} />
        <Select label={texts.filter} options={KINDS} value={kind} onChange={setKind} />
        <Switch
          isSelected={paused !== undefined}
          onChange={(pause) => setPaused(pause ? entries : undefined)}
        >
          {texts.pause}
        </Switch>
        <p role="status">
          <Badge tone={connection === 'live' ? 'success' : 'neutral'}>{texts.connections[connection]}</Badge>{' '}
          {waiting > 0 && texts.waiting(waiting)}
        </p>
        {connection === 'lost' && <Button onPress={retry}>{common.retry}</Button>}
      </div>
      {error !== undefined && <Notice tone="danger" title={error.message} />}
      {matching.length > 0 ? (
        <Table label={texts.title} columns={COLUMNS} rows={matching} keyOf={({ id }) => id} />
      ) : shown.length > 0 ? (
        <EmptyState title={texts.noMatch.title}>
          <p>{texts.noMatch.hint}</p>
        </EmptyState>
      ) : (
        <EmptyState title={texts.empty.title}>
          <p>{texts.empty.hint}</p>
          <LinkButton to="/developer/apps/$packageName/connection" params={{ packageName }}>
            {developer.parts.connection}
          </LinkButton>
        </EmptyState>
      )}
    </Card>
  )
}

function nameOf({ kind, event }: AppLogEntry): string {
  return texts.events[`${kind} ${event}`] ?? `${texts.kinds[kind]}: ${event}`
}

function EventName({ entry }: { readonly entry: AppLogEntry }) {
  const name = nameOf(entry)
  return entry.level === 'error' ? <Badge tone="danger">{name}</Badge> : name
}

/** Everything else that is known about an entry, in words. */
function Details({ entry }: { readonly entry: AppLogEntry }) {
  const { kind, attempt, status, durationMs, code, stage, count, message } = entry
  const parts = [
    attempt !== undefined && texts.attempt(attempt),
    status !== undefined && texts.status(status),
    durationMs !== undefined && texts.duration(durationMs),
    stage !== undefined && texts.stage(stage),
    code !== undefined && texts.code(code),
    count !== undefined && texts.count(count),
  ].filter((part) => part !== false)
  const failure = stage === undefined ? undefined : startFailures[stage]
  const explanation = kind === 'socket' ? texts.closeCodes[String(code)] : failure?.reason
  return (
    <div className={styles.details}>
      {parts.join(' · ')}
      {message !== undefined && <div>{message}</div>}
      {explanation !== undefined && <div className="muted">{explanation}</div>}
    </div>
  )
}

function isOfKind({ kind, level }: AppLogEntry, wanted: Kind): boolean {
  if (wanted === 'all') return true
  return wanted === 'error' ? level === 'error' : kind === wanted
}

/** Whether each word of the search occurs in the entry, in its fields or their names. */
function contains(entry: AppLogEntry, words: string): boolean {
  const text = `${nameOf(entry)} ${JSON.stringify(entry)}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
