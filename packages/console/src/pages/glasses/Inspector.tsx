import { foldText } from '@glasses-cloud/contract'
import { useMemo, useState } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { Switch } from '../../components/Switch.tsx'
import { SearchField } from '../../components/TextField.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatBytes, formatClock, plural } from '../../format.ts'
import { saveFile } from '../../save-file.ts'
import { type LoggedFrame, parse } from '../../simulator/frame-log.ts'
import { toJsonLines } from '../../simulator/recording.ts'
import { FrameTree } from './FrameTree.tsx'
import styles from './Inspector.module.css'
import { useToolState } from './use-simulator.ts'

const DIRECTIONS = { sent: 'to the cloud', received: 'from the cloud' } as const

const CHECKS = { valid: 'Valid', invalid: 'Invalid', unknown: 'Unknown type' } as const

/** Rows that are shown at once; older ones are still exported. */
const MAX_ROWS = 200

const SHOWS = [
  { value: 'all', label: 'All frames' },
  { value: 'sent', label: 'To the cloud' },
  { value: 'received', label: 'From the cloud' },
  { value: 'suspicious', label: 'Invalid or unknown' },
] as const
type Show = (typeof SHOWS)[number]['value']

const TONES = { valid: 'success', invalid: 'danger', unknown: 'warning' } as const

export interface InspectorProps {
  readonly frames: readonly LoggedFrame[]
  readonly onClear: () => void
}

/** Every frame in both directions, newest first, checked, with filter, pause and export. */
export function Inspector({ frames, onClear }: InspectorProps) {
  const [filter, setFilter] = useToolState('inspector.filter', '')
  const [show, setShow] = useToolState<Show>('inspector.show', 'all')
  const [paused, setPaused] = useToolState<readonly LoggedFrame[] | undefined>('inspector.paused', undefined)
  const all = paused ?? frames
  const matching = useMemo(() => all.filter((frame) => matches(frame, filter, show)), [all, filter, show])

  return (
    <Card
      title="Inspector"
      description="Every frame between these glasses and the cloud, checked against the schema of its message."
    >
      <div className={styles.bar}>
        <SearchField label="Filter by type or content" value={filter} onChange={setFilter} />
        <Select label="Frames to show" options={SHOWS} value={show} onChange={setShow} />
        <Switch isSelected={paused !== undefined} onChange={(pause) => setPaused(pause ? frames : undefined)}>
          Pause
        </Switch>
        <Button onPress={onClear}>Clear</Button>
        <Button
          onPress={() => saveFile('frames.jsonl', toJsonLines(matching), 'application/jsonl')}
          isDisabled={matching.length === 0}
        >
          Export
        </Button>
      </div>
      {matching.length === 0 ? (
        <p className="muted">{all.length === 0 ? 'No frames yet' : 'No frame matches'}</p>
      ) : (
        <>
          <p className="muted">
            {matching.length} of {all.length} frames
          </p>
          <ol className={styles.frames} reversed>
            {matching
              .slice(-MAX_ROWS)
              .reverse()
              .map((frame) => (
                <li key={frame.id}>
                  <FrameRow frame={frame} />
                </li>
              ))}
          </ol>
        </>
      )}
    </Card>
  )
}

function matches({ direction, type, content }: LoggedFrame, filter: string, show: Show): boolean {
  if (show === 'suspicious' && (content === undefined || content.check.result === 'valid')) return false
  if ((show === 'sent' || show === 'received') && direction !== show) return false
  return foldText(`${type} ${content?.text ?? ''}`).includes(foldText(filter))
}

function FrameRow({ frame }: { readonly frame: LoggedFrame }) {
  const { at, direction, type, bytes, count, content } = frame
  const [isOpen, setOpen] = useState(false)
  const summary = (
    <>
      <strong>
        {content === undefined
          ? `audio, ${plural(count, { one: '1 frame', other: `${count} frames` })}`
          : type}
      </strong>
      <span>
        {content !== undefined && (
          <Badge tone={TONES[content.check.result]}>{CHECKS[content.check.result]}</Badge>
        )}
      </span>
      <span className={styles.facts}>
        <time>{formatClock(at)}</time>
        <span className={direction === 'sent' ? styles.sent : styles.received}>{DIRECTIONS[direction]}</span>
        <span>{formatBytes(bytes)}</span>
      </span>
    </>
  )
  if (content === undefined) return <div className={styles.row}>{summary}</div>
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.row}>{summary}</summary>
      {isOpen && <FrameContent type={type} content={content} />}
    </details>
  )
}

interface FrameContentProps {
  readonly type: string
  readonly content: NonNullable<LoggedFrame['content']>
}

function FrameContent({ type, content: { text, check } }: FrameContentProps) {
  const copy = useAction(() => navigator.clipboard.writeText(text), {
    success: 'Copied',
    onFailure: reportFailure,
  })
  return (
    <div className={styles.content}>
      {check.result === 'invalid' && <p>{check.reason}</p>}
      <FrameTree label={`Content of ${type}`} value={parse(text)} />
      <div>
        <Button variant="quiet" onPress={() => copy.run()}>
          Copy
        </Button>
      </div>
    </div>
  )
}
