import { type CSSProperties, useState } from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { formatMs } from '../../format.ts'
import type { summarizeDelays, Utterance } from '../../simulator/speech-delays.ts'
import styles from './Delays.module.css'

export interface DelayChartProps {
  readonly utterances: readonly Utterance[]
  readonly summary: NonNullable<ReturnType<typeof summarizeDelays>>
}

/** A bar for each utterance, up to the slowest one. The pointer and the arrow keys show the words of a bar. */
export function DelayChart({ utterances, summary: { median, max } }: DelayChartProps) {
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
