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
import { formatClock } from '../../format.ts'
import { startFailures } from '../../start-failures.ts'
import { useUrlChoice, useUrlText } from '../../url-state.ts'
import { useDeveloperApp } from './developer-app.ts'
import styles from './LogPage.module.css'

const texts = {
  kinds: {
    all: 'Everything',
    error: 'Errors only',
    start: 'Starts',
    webhook: 'Webhook calls',
    socket: 'Sockets',
    rejected: 'Rejected messages',
    dropped: 'Left out',
  },
  waiting: (count: number) => (count === 1 ? '1 new entry' : `${count} new entries`),
  connections: { connecting: 'Connecting…', live: 'Live', lost: 'Connection lost' },
  events: {
    'start requested': 'Start requested',
    'start running': 'Running',
    'start failed': 'Start failed',
    'start given_up': 'Start given up',
    'start stopped': 'Stopped',
    'webhook session_request': 'Webhook: start',
    'webhook stop_request': 'Webhook: stop',
    'socket opened': 'Socket opened',
    'socket closed': 'Socket closed',
    'dropped dropped': 'Entries left out',
  } as Readonly<Record<string, string>>,
  closeCodes: {
    1000: 'Closed by the app or the cloud, as intended',
    1001: 'The app server went away, or did not respond',
    1005: 'Closed by the app',
    1006: 'The connection was lost',
    1008: 'Closed by the cloud: the key was revoked, or the app broke a limit',
    1009: 'Closed by the cloud: a message was too large',
  } as Readonly<Record<string, string>>,
} as const

const KINDS = ['all', 'error', 'start', 'webhook', 'socket', 'rejected', 'dropped'] as const
type Kind = (typeof KINDS)[number]
const KIND_OPTIONS = KINDS.map((value) => ({ value, label: texts.kinds[value] }))

/** Rows that are shown at once. */
const MAX_ROWS = 300

const COLUMNS: readonly Column<AppLogEntry>[] = [
  {
    id: 'time',
    label: 'Time',
    render: ({ at }) => <time dateTime={at}>{formatClock(Date.parse(at))}</time>,
  },
  { id: 'event', label: 'Event', render: (entry) => <EventName entry={entry} /> },
  { id: 'details', label: 'Details', render: (entry) => <Details entry={entry} /> },
  { id: 'session', label: 'Session', render: ({ session }) => <code>{session}</code> },
]

/** What happens to the app, as it happens: starts, calls of the app server, sockets and rejected messages. */
export function LogPage() {
  const { packageName } = useDeveloperApp()
  const { entries, connection, error, retry } = useAppLog(packageName)
  const [kind, setKind] = useUrlChoice('kind', KINDS)
  const [words, setWords] = useUrlText('q')
  const [paused, setPaused] = useState<readonly AppLogEntry[]>()
  const shown = paused ?? entries
  const matching = useMemo(
    () => shown.filter((entry) => isOfKind(entry, kind) && contains(entry, words)).slice(0, MAX_ROWS),
    [shown, kind, words],
  )
  const waiting = paused === undefined ? 0 : entries.filter(({ id }) => id > (paused[0]?.id ?? '')).length

  return (
    <Card
      title="Live log"
      description="What happens to the app, as it happens. Entries are kept for a day and contain nothing that wearers say or see."
    >
      <div className={styles.bar}>
        <SearchField label="Search" value={words} onChange={setWords} />
        <Select label="Show" options={KIND_OPTIONS} value={kind} onChange={setKind} />
        <Switch
          isSelected={paused !== undefined}
          onChange={(pause) => setPaused(pause ? entries : undefined)}
        >
          Pause
        </Switch>
        <p role="status">
          <Badge tone={connection === 'live' ? 'success' : 'neutral'}>{texts.connections[connection]}</Badge>{' '}
          {waiting > 0 && texts.waiting(waiting)}
        </p>
        {connection === 'lost' && <Button onPress={retry}>Try again</Button>}
      </div>
      {error !== undefined && <Notice tone="danger" title={error.message} />}
      {matching.length > 0 ? (
        <Table label="Live log" columns={COLUMNS} rows={matching} keyOf={({ id }) => id} />
      ) : shown.length > 0 ? (
        <EmptyState title="No entry matches">
          <p>Change the search or the filter.</p>
        </EmptyState>
      ) : (
        <EmptyState title="Nothing has happened in the last day">
          <p>Start the app on glasses, or test its connection.</p>
          <LinkButton to="/developer/apps/$packageName/connection" params={{ packageName }}>
            Test connection
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
    attempt !== undefined && `attempt ${attempt}`,
    status !== undefined && `status ${status}`,
    durationMs !== undefined && `${durationMs} ms`,
    stage !== undefined && `stage ${stage}`,
    code !== undefined && `code ${code}`,
    count !== undefined && `${count} entries`,
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
