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
import { administration } from '../../texts/administration.ts'
import { formatNumber, formatTime } from '../../texts/format.ts'
import { AdministrationFrame } from './AdministrationFrame.tsx'
import { mergeSessions } from './session-rows.ts'

const texts = administration.sessions

const TONES = { connecting: 'neutral', live: 'success', lost: 'warning' } as const

const COLUMNS: readonly Column<AdminSession>[] = [
  { id: 'user', label: texts.columns.user, render: ({ email }) => email },
  { id: 'glasses', label: texts.columns.glasses, render: glassesOf },
  { id: 'microphone', label: texts.columns.microphone, render: microphoneOf },
  {
    id: 'apps',
    label: texts.columns.apps,
    render: ({ apps }) => (apps.length === 0 ? texts.noApps : apps.join(', ')),
  },
  {
    id: 'sockets',
    label: texts.columns.sockets,
    isNumeric: true,
    render: ({ connections }) => (connections === undefined ? '–' : formatNumber(connections.appSockets)),
  },
  { id: 'node', label: texts.columns.node, render: ({ node = '–' }) => node },
  {
    id: 'since',
    label: texts.columns.since,
    render: ({ startedAt }) => <time dateTime={startedAt}>{formatTime(startedAt)}</time>,
  },
  {
    id: 'actions',
    label: texts.columns.actions,
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
    <AdministrationFrame>
      <Card title={texts.title}>
        <p role="status">
          <Badge tone={TONES[connection]}>{texts.connection[connection]}</Badge>{' '}
          {sessions !== undefined && texts.total(total, rows.length)}
        </p>
        {sessions === undefined ? (
          <Loading />
        ) : rows.length === 0 ? (
          <EmptyState title={texts.empty.title}>
            <p>{texts.empty.hint}</p>
          </EmptyState>
        ) : (
          <Table label={texts.list} rows={rows} keyOf={({ userId }) => userId} columns={COLUMNS} />
        )}
        {more.error !== null && <ErrorState error={more.error} onRetry={more.refetch} />}
        {hasMore && more.error === null && (
          <div>
            <Button
              isPending={more.isLoading || more.isFetchingNextPage}
              onPress={() => (showsMore ? void more.fetchNextPage() : setShowsMore(true))}
            >
              {administration.more}
            </Button>
          </div>
        )}
      </Card>
    </AdministrationFrame>
  )
}

function glassesOf({ connections }: AdminSession): string {
  if (connections === undefined) return texts.noAnswer
  if (!connections.glasses) return texts.noGlasses
  return connections.model ?? texts.unknownModel
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
      aria-label={texts.endLabel(email)}
      title={texts.endQuestion(email)}
      description={<p>{texts.endHint}</p>}
      confirmLabel={texts.end}
      onConfirm={() => endSession(userId)}
      success={texts.ended(email)}
    >
      {texts.end}
    </ConfirmButton>
  )
}
