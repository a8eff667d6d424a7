import { useMemo, useState } from 'react'
import { type AppLogEntry, useAppLog } from '../../api/app-log.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { Pager } from '../../components/Pager.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { Switch } from '../../components/Switch.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { pageOfRows, usePager } from '../../components/use-pager.ts'
import { formatClock } from '../../format.ts'
import { containsWords } from '../../search-words.ts'
import { startFailures } from '../../start-failures.ts'
import { useUrlChoice, useUrlText } from '../../url-state.ts'
import { nameOfEntry } from './app-log-names.ts'
import { useDeveloperApp } from './developer-app.ts'
import styles from './LogPage.module.css'
import { logTexts as texts } from './log.texts.ts'

const KINDS = ['all', 'error', 'start', 'webhook', 'socket', 'rejected', 'wake_word', 'dropped'] as const
type Kind = (typeof KINDS)[number]
const KIND_OPTIONS = KINDS.map((value) => ({ value, label: texts.kinds[value] }))

/** Rows of a page of the table. */
const PAGE_SIZE = 100

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
    <Card title={texts.title} description={texts.description}>
      <div className={styles.bar}>
        <SearchField label={texts.search} value={words} onChange={setWords} />
        <Select label={texts.filter} options={KIND_OPTIONS} value={kind} onChange={setKind} />
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
        {connection === 'lost' && <Button onPress={retry}>{texts.tryAgain}</Button>}
      </div>
      {error !== undefined && <Notice tone="danger" title={error.message} />}
      {matching.length > 0 ? (
        <Table label={texts.title} columns={COLUMNS} rows={items} keyOf={({ id }) => id} current={current} />
      ) : shown.length > 0 ? (
        <EmptyState title={texts.noMatch.title}>
          <p>{texts.noMatch.hint}</p>
        </EmptyState>
      ) : (
        <EmptyState title={texts.empty.title}>
          <p>{texts.empty.hint}</p>
          <LinkButton to="/developer/apps/$packageName/connection" params={{ packageName }}>
            {texts.empty.test}
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
    attempt !== undefined && texts.details.attempt(attempt),
    status !== undefined && texts.details.status(status),
    durationMs !== undefined && texts.details.duration(durationMs),
    stage !== undefined && texts.details.stage(stage),
    code !== undefined && texts.details.code(code),
    count !== undefined && texts.details.count(count),
  ].filter((part) => part !== false)
  const failure = stage === undefined ? undefined : startFailures[stage]
  const explanation = kind === 'socket' ? texts.closeCodes[String(code)] : failure?.reason
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
