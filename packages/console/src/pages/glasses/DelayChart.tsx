import { type CSSProperties, useState } from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import type { summarizeDelays, Utterance } from '../../simulator/speech-delays.ts'
import styles from './Delays.module.css'
import { recordingTexts } from './recording.texts.ts'

const texts = recordingTexts.delays

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
          <span>{texts.value(max)}</span>
          <span>{texts.value(0)}</span>
        </div>
        <div className={styles.area} style={{ '--median': heightOf(median) } as CSSProperties}>
          <ListBox
            className={styles.bars ?? ''}
            aria-label={texts.chart}
            orientation="horizontal"
            layout="grid"
            items={utterances}
            dependencies={[max]}
          >
            {({ id, words, finalMs }) => (
              <ListBoxItem
                id={id}
                className={styles.slot ?? ''}
                textValue={words ?? texts.sound}
                aria-label={texts.bar(words ?? texts.sound, texts.value(finalMs))}
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
        {utterance !== undefined && texts.bar(utterance.words ?? texts.sound, texts.value(utterance.finalMs))}
      </figcaption>
    </figure>
  )
}
