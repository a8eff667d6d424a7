import { Card } from '../../components/Page.tsx'
import { formatClock } from '../../format.ts'
import { summarizeDelays, type Utterance } from '../../simulator/speech-delays.ts'
import { DelayChart } from './DelayChart.tsx'
import styles from './Delays.module.css'
import { recordingTexts } from './recording.texts.ts'

const texts = recordingTexts.delays

/** How long words take to the lens: in words, as a chart, and as a table with the same numbers. */
export function Delays({ utterances }: { readonly utterances: readonly Utterance[] }) {
  const delays = utterances.flatMap(({ finalMs }) => (finalMs === undefined ? [] : [finalMs]))
  const summary = summarizeDelays(delays)
  return (
    <Card title={texts.title} description={texts.description}>
      {utterances.length === 0 ? (
        <p className="muted">{texts.none}</p>
      ) : (
        <>
          <p role="status">
            {summary === undefined
              ? texts.unanswered
              : texts.summary(delays.length, summary.median, summary.max)}
          </p>
          {summary !== undefined && <DelayChart utterances={utterances} summary={summary} />}
          <DelayTable utterances={utterances} />
        </>
      )}
    </Card>
  )
}

function DelayTable({ utterances }: { readonly utterances: readonly Utterance[] }) {
  const { at, words, interim, final } = texts.columns
  return (
    <table className={styles.table} aria-label={texts.table}>
      <thead>
        <tr>
          {[at, words, interim, final].map((column) => (
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
            <td>{utterance.words ?? texts.sound}</td>
            <td>{texts.value(utterance.interimMs)}</td>
            <td>{texts.value(utterance.finalMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
