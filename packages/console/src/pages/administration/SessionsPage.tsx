import { useQuery } from '@tanstack/react-query'
import { type AdminSession, PAGE_SIZE, sessionsQuery, useAdministration } from '../../api/administration.ts'
import { useLiveAdministration } from '../../api/live-administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { Pager, usePager } from '../../components/Pager.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { EmptyState, ErrorState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { SearchField } from '../../components/TextField.tsx'
import { formatList, formatNumber, formatTime, plural } from '../../format.ts'
import { useUrlText } from '../../url-state.ts'
import styles from './administration.module.css'

const MICROPHONE_USES = { off: 'off', pcm: 'sound', transcription: 'speech as text' }

const CONNECTION_STATES = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost; trying again',
} as const

const TONES = { connecting: 'neutral', live: 'success', lost: 'warning' } as const

const COLUMNS: readonly Column<AdminSession>[] = [
  {
    id: 'user',
    label: 'User',
    render: ({ email, startedAt }) => (
      <div className={styles.stack}>
        <span>{email}</span>
        <time className={`muted ${styles.oneLine}`} dateTime={startedAt}>
          Since {formatTime(startedAt)}
        </time>
      </div>
    ),
  },
  { id: 'glasses', label: 'Glasses', render: (session) => <Glasses session={session} /> },
  {
    id: 'apps',
    label: 'Apps',
    render: ({ apps, connections }) => (
      <div className={styles.stack}>
        <span>{apps.length === 0 ? 'None' : formatList(apps)}</span>
        {connections !== undefined && apps.length > 0 && (
          <span className="muted">
            {plural(connections.appSockets, {
              one: '1 app connected',
              other: `${formatNumber(connections.appSockets)} apps connected`,
            })}
          </span>
        )}
      </div>
    ),
  },
  {
    id: 'node',
    label: 'Node',
    render: ({ node = '–' }) => <span className={styles.oneLine}>{node}</span>,
  },
  {
    id: 'actions',
    label: 'Actions',
    isLabelHidden: true,
    render: (session) => <EndButton session={session} />,
  },
]

function Empty({ isSearch }: { readonly isSearch: boolean }) {
  return isSearch ? (
    <EmptyState title="No session matches">
      <p>Search for a part of another word.</p>
    </EmptyState>
  ) : (
    <EmptyState title="Nobody wears glasses">
      <p>A session begins when glasses connect. Simulated ones are at Glasses in the menu.</p>
    </EmptyState>
  )
}

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
    <Card title="Live sessions">
      <div className={styles.controls}>
        <SearchField label="Search by user, glasses, app or node" value={search} onChange={setSearch} />
        <p role="status" className={styles.status}>
          <Badge tone={TONES[connection]}>{CONNECTION_STATES[connection]}</Badge>{' '}
          {live !== undefined &&
            plural(total, { one: '1 live session', other: `${formatNumber(total)} live sessions` })}
        </p>
      </div>
      {stored.error !== null && !isLive && <ErrorState error={stored.error} onRetry={stored.refetch} />}
      {rows === undefined ? (
        stored.error === null && <Skeleton shape="rows" />
      ) : rows.length > 0 ? (
        <Table label="Live sessions" rows={rows} keyOf={({ userId }) => userId} columns={COLUMNS} />
      ) : (
        <Empty isSearch={q !== ''} />
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
  if (connections === undefined) return 'Waiting'
  if (!connections.glasses) return 'Not connected'
  const { microphone, model = 'Connected, unknown model' } = connections
  const uses = microphone.map((use) => MICROPHONE_USES[use])
  return (
    <div className={styles.stack}>
      <span className={styles.oneLine}>{model}</span>
      <span className="muted">Microphone: {uses.length === 0 ? 'off' : formatList(uses)}</span>
    </div>
  )
}

function EndButton({ session: { userId, email } }: { readonly session: AdminSession }) {
  const { endSession } = useAdministration()
  return (
    <ConfirmButton
      variant="secondary"
      aria-label={`End the session of ${email}`}
      title={`End the session of ${email}?`}
      description={<p>Its apps stop and the glasses are disconnected. They may connect again.</p>}
      confirmLabel="End"
      onConfirm={() => endSession(userId)}
      success={`The session of ${email} has ended`}
    >
      End
    </ConfirmButton>
  )
}
