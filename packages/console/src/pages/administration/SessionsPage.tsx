import type { AdminSession } from '../../api/administration.ts'
import { useAdministration } from '../../api/administration.ts'
import { useLiveAdministration } from '../../api/live-administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { EmptyState, Loading } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import { administration } from '../../texts/administration.ts'
import { formatNumber, formatTime } from '../../texts/format.ts'
import { AdministrationFrame } from './AdministrationFrame.tsx'

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

/** The live sessions of all nodes, as they change. */
export function SessionsPage() {
  const { connection, sessions } = useLiveAdministration()
  return (
    <AdministrationFrame>
      <Card title={texts.title}>
        <p role="status">
          <Badge tone={TONES[connection]}>{texts.connection[connection]}</Badge>{' '}
          {sessions !== undefined && texts.total(sessions.total, sessions.sessions.length)}
        </p>
        {sessions === undefined ? (
          <Loading />
        ) : sessions.sessions.length === 0 ? (
          <EmptyState title={texts.empty.title}>
            <p>{texts.empty.hint}</p>
          </EmptyState>
        ) : (
          <Table
            label={texts.list}
            rows={sessions.sessions}
            keyOf={({ userId }) => userId}
            columns={COLUMNS}
          />
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
      onConfirm={async () => {
        await endSession(userId)
        reportSuccess(texts.ended(email))
      }}
    >
      {texts.end}
    </ConfirmButton>
  )
}
