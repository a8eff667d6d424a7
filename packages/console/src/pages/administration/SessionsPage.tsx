import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminSession, sessionsQuery, useAdministration } from '../../api/administration.ts'
import { useLiveAdministration } from '../../api/live-administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { EmptyState, ErrorState, Loading } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { formatNumber, formatTime } from '../../format.ts'
import { mergeSessions } from './session-rows.ts'

const texts = {
  connection: { connecting: 'Connecting…', live: 'Live', lost: 'Connection lost; trying again' },
  total: (total: number, shown: number) =>
    total <= shown ? `${total} live sessions` : `${total} live sessions; the first ${shown} are shown`,
  microphone: { off: 'Off', pcm: 'Sound', transcription: 'Speech as text' },
} as const

const TONES = { connecting: 'neutral', live: 'success', lost: 'warning' } as const

const COLUMNS: readonly Column<AdminSession>[] = [
  { id: 'user', label: 'User', render: ({ email }) => email },
  { id: 'glasses', label: 'Glasses', render: glassesOf },
  { id: 'microphone', label: 'Microphone', render: microphoneOf },
  {
    id: 'apps',
    label: 'Apps',
    render: ({ apps }) => (apps.length === 0 ? 'None' : apps.join(', ')),
  },
  {
    id: 'sockets',
    label: 'App sockets',
    isNumeric: true,
    render: ({ connections }) => (connections === undefined ? '–' : formatNumber(connections.appSockets)),
  },
  { id: 'node', label: 'Node', render: ({ node = '–' }) => node },
  {
    id: 'since',
    label: 'Since',
    render: ({ startedAt }) => <time dateTime={startedAt}>{formatTime(startedAt)}</time>,
  },
  {
    id: 'actions',
    label: 'Actions',
    isLabelHidden: true,
    render: (session) => <EndButton session={session} />,
  },
]

/** The live sessions of all nodes: the first ones as they change, more on request. */
export function SessionsPage() {
  const { connection, sessions } = useLiveAdministration()
  const [showsMore, setShowsMore] = useState(false)
  const more = useInfiniteQuery({ ...sessionsQuery, enabled: showsMore })
  const rows = mergeSessions(sessions?.sessions ?? [], more.data?.pages.flatMap(({ items }) => items) ?? [])
  const total = sessions?.total ?? 0
  const hasMore = showsMore ? more.isPending || more.hasNextPage : total > rows.length
  return (
    <Card title="Live sessions">
      <p role="status">
        <Badge tone={TONES[connection]}>{texts.connection[connection]}</Badge>{' '}
        {sessions !== undefined && texts.total(total, rows.length)}
      </p>
      {sessions === undefined ? (
        <Loading />
      ) : rows.length === 0 ? (
        <EmptyState title="Nobody wears glasses">
          <p>A session begins when glasses connect. Simulated ones are at Glasses in the menu.</p>
        </EmptyState>
      ) : (
        <Table label="Live sessions" rows={rows} keyOf={({ userId }) => userId} columns={COLUMNS} />
      )}
      {more.error !== null && <ErrorState error={more.error} onRetry={more.refetch} />}
      {hasMore && more.error === null && (
        <div>
          <Button
            isPending={more.isLoading || more.isFetchingNextPage}
            onPress={() => (showsMore ? void more.fetchNextPage() : setShowsMore(true))}
          >
            Show more
          </Button>
        </div>
      )}
    </Card>
  )
}

function glassesOf({ connections }: AdminSession): string {
  if (connections === undefined) return 'Waiting'
  if (!connections.glasses) return 'Not connected'
  return connections.model ?? 'Connected, unknown model'
}

function microphoneOf({ connections }: AdminSession): string {
  if (connections === undefined) return '–'
  if (connections.microphone.length === 0) return texts.microphone.off
  return connections.microphone.map((each) => texts.microphone[each]).join(', ')
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
