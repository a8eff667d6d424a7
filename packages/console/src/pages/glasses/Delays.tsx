import { type CSSProperties, useState } from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Card } from '../../components/Page.tsx'
import { formatClock, formatMs, plural } from '../../format.ts'
import { summarizeDelays, type Utterance } from '../../simulator/speech-delays.ts'
import styles from './Delays.module.css'

/** How long words take to the lens: in words, as a chart, and as a table with the same numbers. */
export function Delays({ utterances }: { readonly utterances: readonly Utterance[] }) {
  const delays = utterances.flatMap(({ finalMs }) => (finalMs === undefined ? [] : [finalMs]))
  const summary = summarizeDelays(delays)
  return (
    <Card
      title="Speech to lens"
      description="Time from the words that the phone recognized, or from the sound of the microphone, to the next content on the lens, measured in this browser."
    >
      {utterances.length === 0 ? (
        <p className="muted">Say something while an app listens.</p>
      ) : (
        <>
          <p role="status">
            {summary === undefined
              ? 'Nothing has been shown after these words yet.'
              : `${plural(delays.length, { one: '1 utterance', other: `${delays.length} utterances` })}: half were on the lens within ${formatMs(summary.median)}, the slowest took ${formatMs(summary.max)}.`}
          </p>
          {summary !== undefined && <DelayChart utterances={utterances} summary={summary} />}
          <DelayTable utterances={utterances} />
        </>
      )}
    </Card>
  )
}

function DelayTable({ utterances }: { readonly utterances: readonly Utterance[] }) {
  return (
    <table className={styles.table} aria-label="Delay by utterance">
      <thead>
        <tr>
          {['Time', 'Words', 'From first', 'From last'].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {utterances.toReversed().map((utterance) => (
          <tr key={utterance.id}>
            <td>{formatClock(utterance.at)}</td>
            <td>{utterance.words ?? 'Sound of the microphone'}</td>
            <td>{utterance.interimMs === undefined ? 'not shown' : formatMs(utterance.interimMs)}</td>
            <td>{utterance.finalMs === undefined ? 'not shown' : formatMs(utterance.finalMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface DelayChartProps {
  readonly utterances: readonly Utterance[]
  readonly summary: NonNullable<ReturnType<typeof summarizeDelays>>
}

/** A bar for each utterance, up to the slowest one. The pointer and the arrow keys show the words of a bar. */
function DelayChart({ utterances, summary: { median, max } }: DelayChartProps) {
  const [shown, setShown] = useState<number>()
  const utterance = utterances.find(({ id }) => id === shown) ?? utterances.at(-1)
  const heightOf = (ms: number) => `${(ms / Math.max(1, max)) * 100}%`
  return (
    <figure className={styles.chart}>
      <div className={styles.plot}>
        <div className={styles.scale} aria-hidden>
          <span>{formatMs(max)}</span>
          <span>{formatMs(0)}</span>
        </div>
        <div className={styles.area} style={{ '--median': heightOf(median) } as CSSProperties}>
          <ListBox
            className={styles.bars ?? ''}
            aria-label="Delay of each utterance"
            orientation="horizontal"
            layout="grid"
            items={utterances}
            dependencies={[max]}
          >
            {({ id, words, finalMs }) => (
              <ListBoxItem
                id={id}
                className={styles.slot ?? ''}
                textValue={words ?? 'Sound of the microphone'}
                aria-label={`${words ?? 'Sound of the microphone'}: ${finalMs === undefined ? 'not shown' : formatMs(finalMs)}`}
                onHoverStart={() => setShown(id)}
                onFocus={() => setShown(id)}
              >
                <span className={styles.bar} style={{ height: heightOf(finalMs ?? 0) }} />
              </ListBoxItem>
            )}
          </ListBox>
        </div>
      </div>
      <figcaption aria-hidden>
        {utterance !== undefined &&
          `${utterance.words ?? 'Sound of the microphone'}: ${utterance.finalMs === undefined ? 'not shown' : formatMs(utterance.finalMs)}`}
      </figcaption>
    </figure>
  )
}
