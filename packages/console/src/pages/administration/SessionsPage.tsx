import { useQuery } from '@tanstack/react-query'
import { type AdminSession, PAGE_SIZE, sessionsQuery, useAdministration } from '../../api/administration.ts'
import { useLiveAdministration } from '../../api/live-administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { Pager } from '../../components/Pager.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { EmptyState, ErrorState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { usePager } from '../../components/use-pager.ts'
import { formatList, formatTime } from '../../format.ts'
import { useUrlText } from '../../url-state.ts'
import styles from './administration.module.css'
import { sessionsTexts as texts } from './sessions.texts.ts'

const TONES = { connecting: 'neutral', live: 'success', lost: 'warning' } as const

const COLUMNS: readonly Column<AdminSession>[] = [
  {
    id: 'user',
    label: texts.columns.user,
    render: ({ email, startedAt }) => (
      <div className={styles.stack}>
        <span>{email}</span>
        <time className={`muted ${styles.oneLine}`} dateTime={startedAt}>
          {texts.since(formatTime(startedAt))}
        </time>
      </div>
    ),
  },
  { id: 'glasses', label: texts.columns.glasses, render: (session) => <Glasses session={session} /> },
  {
    id: 'apps',
    label: texts.columns.apps,
    render: ({ apps, connections }) => (
      <div className={styles.stack}>
        <span>{apps.length === 0 ? texts.noApps : formatList(apps)}</span>
        {connections !== undefined && apps.length > 0 && (
          <span className="muted">{texts.sockets(connections.appSockets)}</span>
        )}
      </div>
    ),
  },
  {
    id: 'node',
    label: texts.columns.node,
    render: ({ node = texts.unknown }) => <span className={styles.oneLine}>{node}</span>,
  },
  {
    id: 'actions',
    label: texts.columns.actions,
    isLabelHidden: true,
    render: (session) => <EndButton session={session} />,
  },
]

/** The live sessions of all nodes: the first page as it changes, further ones and searches a few seconds later. */
export function SessionsPage() {
  const { connection, sessions: live } = useLiveAdministration()
  const [search, setSearch] = useUrlText('q')
  const q = search.trim()
  const pager = usePager(q)
  const isLive = q === '' && pager.cursor === undefined
  const total = live?.total ?? 0
  // Of the live page, only the cursor of the next one is needed.
  const stored = useQuery({
    ...sessionsQuery({ q, cursor: pager.cursor }),
    enabled: !isLive || total > PAGE_SIZE,
    ...(isLive && { refetchInterval: false }),
  })
  const rows = isLive ? live?.sessions.slice(0, PAGE_SIZE) : stored.data?.items
  return (
    <Card title={texts.title}>
      <div className={styles.controls}>
        <SearchField label={texts.search} value={search} onChange={setSearch} />
        <p role="status" className={styles.status}>
          <Badge tone={TONES[connection]}>{texts.connection[connection]}</Badge>{' '}
          {live !== undefined && texts.total(total)}
        </p>
      </div>
      {stored.error !== null && !isLive && <ErrorState error={stored.error} onRetry={stored.refetch} />}
      {rows === undefined ? (
        stored.error === null && <Skeleton shape="rows" />
      ) : rows.length > 0 ? (
        <Table label={texts.title} rows={rows} keyOf={({ userId }) => userId} columns={COLUMNS} />
      ) : (
        <EmptyState title={(q === '' ? texts.empty : texts.noMatch).title}>
          <p>{(q === '' ? texts.empty : texts.noMatch).hint}</p>
        </EmptyState>
      )}
      <Pager
        pager={pager}
        next={isLive && total <= PAGE_SIZE ? undefined : stored.data?.next}
        isLoading={stored.isPlaceholderData}
      />
    </Card>
  )
}

function Glasses({ session: { connections } }: { readonly session: AdminSession }) {
  if (connections === undefined) return texts.glasses.waiting
  if (!connections.glasses) return texts.glasses.none
  const { microphone, model = texts.glasses.unknown } = connections
  const uses = microphone.map((use) => texts.microphoneUses[use])
  return (
    <div className={styles.stack}>
      <span className={styles.oneLine}>{model}</span>
      <span className="muted">
        {texts.microphone(uses.length === 0 ? texts.microphoneUses.off : formatList(uses))}
      </span>
    </div>
  )
}

function EndButton({ session: { userId, email } }: { readonly session: AdminSession }) {
  const { endSession } = useAdministration()
  return (
    <ConfirmButton
      variant="secondary"
      aria-label={texts.end.label(email)}
      title={texts.end.question(email)}
      description={<p>{texts.end.hint}</p>}
      confirmLabel={texts.end.button}
      onConfirm={() => endSession(userId)}
      success={texts.end.done(email)}
    >
      {texts.end.button}
    </ConfirmButton>
  )
}
