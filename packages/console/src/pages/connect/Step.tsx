import type { ReactNode } from 'react'
import { CircleCheck, CircleDashed, CircleDot, TriangleAlert } from '../../components/icons.ts'
import styles from './Step.module.css'

const STATES = { done: 'Done', waiting: 'Waiting', problem: 'Attention', open: 'Not checked' } as const

/** `open`: the page cannot know whether the step is done. */
export type StepState = 'done' | 'waiting' | 'problem' | 'open'

const ICONS = { done: CircleCheck, waiting: CircleDot, problem: TriangleAlert, open: CircleDashed } as const

export interface StepProps {
  readonly title: string
  readonly state: StepState
  /** How it is, in a sentence that is read out when it changes. */
  readonly status?: string | undefined
  /** What to do. */
  readonly children?: ReactNode
}

/** A step on the way to worn glasses, and its state. */
export function Step({ title, state, status, children }: StepProps) {
  const Icon = ICONS[state]
  return (
    <li className={`${styles.step} ${styles[state]}`}>
      <Icon role="img" aria-label={STATES[state]} />
      <div className={styles.content}>
        <h3>{title}</h3>
        <p role="status">{status}</p>
        {children}
      </div>
    </li>
  )
}

/** The steps of a way, in order. */
export function Steps({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {children}
    </ol>
  )
}
