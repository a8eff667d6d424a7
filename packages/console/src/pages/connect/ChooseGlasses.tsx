import styles from './ChooseGlasses.module.css'
import { connectTexts } from './connect.texts.ts'

/** What a wearer may have. */
export type Answer = keyof typeof connectTexts.answers

export const ANSWERS: readonly Answer[] = ['g2', 'g1', 'frame', 'halo', 'vendor', 'build', 'none']

export interface ChooseGlassesProps {
  readonly answer: Answer | undefined
  readonly onChange: (answer: Answer) => void
}

/** Asks what the wearer has. */
export function ChooseGlasses({ answer, onChange }: ChooseGlassesProps) {
  return (
    <fieldset className={styles.question}>
      <legend>{connectTexts.question}</legend>
      <div className={styles.answers}>
        {ANSWERS.map((each) => (
          <label key={each} className={styles.answer}>
            <input type="radio" name="glasses" checked={each === answer} onChange={() => onChange(each)} />
            <strong>{connectTexts.answers[each].title}</strong>
            <span className={styles.text}>{connectTexts.answers[each].text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
