import styles from './ChooseGlasses.module.css'

export const ANSWER_TEXTS = {
  g2: { title: 'Even G2', text: 'through the Even app of a phone' },
  g1: { title: 'Even G1', text: 'over Bluetooth, in Chrome or Edge' },
  frame: { title: 'Brilliant Frame', text: 'over Bluetooth, in Chrome or Edge' },
  halo: { title: 'Brilliant Halo', text: 'over Bluetooth, in Chrome or Edge' },
  vendor: { title: 'Other glasses', text: 'with the app of their maker' },
  build: { title: 'An own build', text: 'of the open phone app' },
  none: { title: 'No glasses', text: 'simulated ones, in this browser' },
} as const

/** What a wearer may have. */
export type Answer = keyof typeof ANSWER_TEXTS

export const ANSWERS: readonly Answer[] = ['g2', 'g1', 'frame', 'halo', 'vendor', 'build', 'none']

export interface ChooseGlassesProps {
  readonly answer: Answer | undefined
  readonly onChange: (answer: Answer) => void
}

/** Asks what the wearer has. */
export function ChooseGlasses({ answer, onChange }: ChooseGlassesProps) {
  return (
    <fieldset className={styles.question}>
      <legend>What do you have?</legend>
      <div className={styles.answers}>
        {ANSWERS.map((each) => (
          <label key={each} className={styles.answer}>
            <input type="radio" name="glasses" checked={each === answer} onChange={() => onChange(each)} />
            <strong>{ANSWER_TEXTS[each].title}</strong>
            <span className={styles.text}>{ANSWER_TEXTS[each].text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
