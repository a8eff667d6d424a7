import { Card } from '../../components/Page.tsx'
import { formatClock, formatMs, plural } from '../../format.ts'
import { summarizeDelays, type Utterance } from '../../simulator/speech-delays.ts'
import { DelayChart } from './DelayChart.tsx'
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
