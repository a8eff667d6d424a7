import { type RefObject, useEffect, useRef, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { TextField } from '../../components/TextField.tsx'
import { useAction } from '../../components/use-action.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import type { SimulatorState } from '../../simulator/simulator-state.ts'
import { LiveMicrophone } from './LiveMicrophone.tsx'
import { listeningOf } from './next-step.ts'
import styles from './Say.module.css'

const LISTENING = {
  off: 'Put the glasses on to speak.',
  words: 'An app listens to words.',
  sound: 'The cloud listens to sound: use the microphone.',
  nothing: 'No app listens to speech now.',
} as const

/** A window as low as with an on-screen keyboard, in pixels. */
const LOW_PX = 600

/** Time between two recognized words. */
const WORD_MS = 120

export interface SayProps {
  readonly simulator: Simulator
  readonly state: Pick<SimulatorState, 'connection' | 'requiredData' | 'speechProblem'>
  /** BCP 47. */
  readonly language: string
  /** The height that an on-screen keyboard leaves, in pixels. */
  readonly visibleHeight: number | undefined
}

/** What the wearer says: typed words, as the phone recognizes them, or the microphone of the computer. */
export function Say({ simulator, state, language, visibleHeight }: SayProps) {
  const [words, setWords] = useState('')
  const isWorn = state.connection === 'connected' || state.connection === 'reconnecting'
  const form = useRef<HTMLFormElement>(null)
  useLensInSight(form, visibleHeight)

  const speak = useAction(
    async (text: string) => {
      const { resultsSent } = await simulator.glasses.speak(text, { wordMs: WORD_MS, language })
      if (resultsSent > 0) return
      setWords(text)
      throw new Error(
        'No app listens to words that the phone recognizes. Use the microphone or a sound file, or let the phone recognize speech.',
      )
    },
    { about: `${state.connection} ${listeningOf(state.requiredData).toWords}` },
  )

  return (
    <div className={styles.say}>
      <Form
        ref={form}
        className={styles.form ?? ''}
        onSubmit={(event) => {
          event.preventDefault()
          if (words.trim() === '' || speak.isPending) return
          speak.run(words)
          setWords('')
        }}
      >
        <TextField
          name="words"
          label="What you say"
          placeholder="Say something to your glasses"
          value={words}
          onChange={setWords}
          onFocus={showLens}
          isDisabled={!isWorn}
          autoComplete="off"
          enterKeyHint="send"
        />
        <Button type="submit" variant="primary" isDisabled={!isWorn} isPending={speak.isPending}>
          Speak
        </Button>
        <LiveMicrophone simulator={simulator} isDisabled={!isWorn} />
      </Form>
      <Listening isWorn={isWorn} requiredData={state.requiredData} />
      {state.speechProblem !== undefined && (
        <Notice tone="warning" title="The cloud does not recognize speech at the moment">
          {`${state.speechProblem}. Type what you say, or ask the operator of this cloud.`}
        </Notice>
      )}
      {speak.error !== undefined && <Notice tone="danger" title={speak.error.message} />}
    </div>
  )
}

/** Scrolls so that lens and field are in sight, where there is room for little else. */
function showLens(): void {
  const lens = document.getElementById('lens')
  if (lens === null || (window.visualViewport?.height ?? window.innerHeight) >= LOW_PX) return
  // Where the lens sticks; on wide screens it does not.
  const top = Number.parseFloat(getComputedStyle(lens).top) || 0
  window.scrollBy({ top: lens.getBoundingClientRect().top - top })
}

/** Keeps the lens in sight when an on-screen keyboard opens for the form. */
function useLensInSight(form: RefObject<HTMLFormElement | null>, visibleHeight: number | undefined): void {
  useEffect(() => {
    if (visibleHeight !== undefined && form.current?.contains(document.activeElement)) showLens()
  }, [form, visibleHeight])
}

/** Whether speech reaches an app, and in which form. */
function Listening({
  isWorn,
  requiredData,
}: {
  readonly isWorn: boolean
  readonly requiredData: readonly string[]
}) {
  const { toWords, toSound } = listeningOf(requiredData)
  const kind = !isWorn ? 'off' : toWords ? 'words' : toSound ? 'sound' : 'nothing'
  return (
    <p role="status" className={`${styles.listening} ${toWords || toSound ? styles.active : ''}`}>
      {LISTENING[kind]}
    </p>
  )
}
