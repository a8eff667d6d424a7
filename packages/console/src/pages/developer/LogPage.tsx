import { useMemo, useState } from 'react'
import { type AppLogEntry, useAppLog } from '../../api/app-log.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button, LinkButton } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { Pager, pageOfRows, usePager } from '../../components/Pager.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { Switch } from '../../components/Switch.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { SearchField } from '../../components/TextField.tsx'
import { formatClock, plural } from '../../format.ts'
import { containsWords } from '../../search-words.ts'
import { startFailures } from '../../start-failures.ts'
import { useUrlChoice, useUrlText } from '../../url-state.ts'
import { KIND_NAMES, nameOfEntry } from './app-log-names.ts'
import { useDeveloperApp } from './developer-app.ts'
import styles from './LogPage.module.css'

const CLOSE_CODES: Readonly<Record<string, string>> = {
  1000: 'Closed by the app or the cloud, as intended',
  1001: 'The app server went away, or did not respond',
  1005: 'Closed by the app',
  1006: 'The connection was lost',
  1008: 'Closed by the cloud: the key was revoked, or the app broke a limit',
  1009: 'Closed by the cloud: a message was too large',
}

const CONNECTIONS = { connecting: 'Connecting…', live: 'Live', lost: 'Connection lost' } as const

const KINDS = ['all', 'error', 'start', 'webhook', 'socket', 'rejected', 'wake_word', 'dropped'] as const
type Kind = (typeof KINDS)[number]
const KIND_OPTIONS = KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))

/** Rows of a page of the table. */
const PAGE_SIZE = 100

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
  const [current] = useUrlText('entry')
  const [paused, setPaused] = useState<readonly AppLogEntry[]>()
  const shown = paused ?? entries
  const matching = useMemo(
    () =>
      shown.filter(
        (entry) =>
          isOfKind(entry, kind) && containsWords(`${nameOfEntry(entry)} ${JSON.stringify(entry)}`, words),
      ),
    [shown, kind, words],
  )
  const pager = usePager(`${kind} ${words}`)
  const { items, next } = pageOfRows(matching, pager.cursor, PAGE_SIZE)
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
          <Badge tone={connection === 'live' ? 'success' : 'neutral'}>{CONNECTIONS[connection]}</Badge>{' '}
          {waiting > 0 && plural(waiting, { one: '1 new entry', other: `${waiting} new entries` })}
        </p>
        {connection === 'lost' && <Button onPress={retry}>Try again</Button>}
      </div>
      {error !== undefined && <Notice tone="danger" title={error.message} />}
      {matching.length > 0 ? (
        <Table label="Live log" columns={COLUMNS} rows={items} keyOf={({ id }) => id} current={current} />
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
      <Pager pager={pager} next={next} />
    </Card>
  )
}

function EventName({ entry }: { readonly entry: AppLogEntry }) {
  const name = nameOfEntry(entry)
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
    count !== undefined && plural(count, { one: '1 entry', other: `${count} entries` }),
  ].filter((part) => part !== false)
  const failure = stage === undefined ? undefined : startFailures[stage]
  const explanation = kind === 'socket' ? CLOSE_CODES[String(code)] : failure?.reason
  return (
    <div>
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
