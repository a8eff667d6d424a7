import type { LedCommand } from '@glasses-cloud/phone/browser'
import type { CSSProperties, ReactNode } from 'react'
import { type Lens as LensSize, lensOf } from '../../simulator/lens-size.ts'
import type { SimulatorState } from '../../simulator/simulator-state.ts'
import styles from './Lens.module.css'
import type { NextStep } from './next-step.ts'

const NEXT_STEPS = {
  'put-on': { title: 'Put the glasses on', text: 'They connect to this cloud as your glasses.' },
  connecting: { title: 'Connecting…', text: '' },
  reconnecting: { title: 'The connection is lost', text: 'Trying to connect again…' },
  loading: { title: '', text: '' },
  'find-app': { title: 'There is no app yet', text: 'Make a first one; it takes a few minutes.' },
  'install-app': { title: 'Install an app', text: 'Apps show their content here.' },
  'start-app': { title: 'Start an app', text: 'Apps show their content here.' },
  starting: { title: 'Starting…', text: 'The app connects to the cloud.' },
  speak: { title: 'Say something', text: 'Type it below, and press Speak.' },
  'use-microphone': {
    title: 'Say something',
    text: 'The cloud recognizes speech: use the microphone, or choose to type.',
  },
  'not-listening': {
    title: 'No app listens to speech now',
    text: 'The app may react to buttons, photos or events of the phone.',
  },
} as const

const REPLACED = {
  title: 'You put on other glasses',
  text: 'A tab, a phone or other glasses took over. Put these on to take it back.',
} as const

const VIEWS = { main: 'Main view', dashboard: 'Dashboard' } as const

export interface LensProps {
  readonly state: Pick<SimulatorState, 'model' | 'display' | 'hasShown' | 'led' | 'problem' | 'wasReplaced'>
  readonly step: NextStep
  /** The buttons of the next step. */
  readonly children: ReactNode
}

/**
 * The glasses from inside: the LED on the frame, and the lens in the proportions and with the lines of the device. While
 * the lens is empty, it says what to do next.
 */
export function Lens({ state, step, children }: LensProps) {
  const { model, display, led } = state
  const lens = lensOf(model)
  const hint = <Hint state={state} step={step} hasDisplay={lens !== undefined} />
  return (
    <section id="lens" className={styles.frame} aria-label="Lens" tabIndex={-1}>
      <p className={styles.top}>
        <span>{lens === undefined ? 'These glasses have no display.' : VIEWS[display.view]}</span>
        {lens !== undefined && (
          <span className={styles.size}>
            {lens.width} × {lens.height} pixels, {lens.text.height} lines, {lens.text.width} columns
          </span>
        )}
        <Led led={led} />
      </p>
      {lens === undefined ? (
        <div className={styles.noLens} aria-live="polite">
          {hint}
        </div>
      ) : (
        <div
          className={`${styles.lens} ${lens.isColor ? styles.color : styles.green}`}
          style={sizeOf(lens)}
          aria-live="polite"
        >
          <Content display={display} lens={lens} hint={hint} />
        </div>
      )}
      <div className={styles.actions}>{children}</div>
    </section>
  )
}

function sizeOf({ width, height, text }: LensSize): CSSProperties {
  return {
    '--width': width,
    '--height': height,
    '--columns': text.width,
    '--lines': text.height,
  } as CSSProperties
}

interface ContentProps {
  readonly display: SimulatorState['display']
  readonly lens: LensSize
  readonly hint: ReactNode
}

function Content({ display, lens, hint }: ContentProps) {
  const { layout, lines } = display
  if (layout.layoutType === 'bitmap_view') {
    if (!lens.canShowPictures)
      return <p className={styles.message}>An app shows a picture. These glasses cannot.</p>
    return <Bitmap data={layout.data} label="Picture on the lens" />
  }
  if (lines.length > 0) return <pre className={styles.text}>{lines.join('\n')}</pre>
  return display.view === 'main' ? hint : <span className="visually-hidden">The lens is empty</span>
}

interface HintProps extends Pick<LensProps, 'step' | 'state'> {
  readonly hasDisplay: boolean
}

/** What to do next, in words. */
function Hint(props: HintProps) {
  const { title, text } = hintOf(props)
  return (
    <div className={styles.hint}>
      <strong>{title}</strong>
      <span>{text}</span>
    </div>
  )
}

function hintOf({ step, state: { hasShown, problem, wasReplaced }, hasDisplay }: HintProps) {
  const next = NEXT_STEPS[step]
  switch (step) {
    case 'put-on':
      if (wasReplaced) return REPLACED
      return problem === undefined ? next : { title: 'The glasses are not connected', text: problem }
    case 'install-app':
    case 'start-app':
      return hasDisplay ? next : { ...next, text: 'Apps hear, speak and take photos with these glasses.' }
    case 'speak':
    case 'use-microphone':
    case 'not-listening':
      // An app has shown something before.
      return hasShown ? { title: 'The lens is empty', text: next.title } : next
    default:
      return next
  }
}

/** The LED, which blinks as the app wants; the words say its color only. */
function Led({ led }: { readonly led: LedCommand | undefined }) {
  const style =
    led === undefined
      ? undefined
      : ({
          '--led': led.color,
          '--led-on': `${led.ontime + led.offtime}ms`,
          animationIterationCount: led.count,
        } as CSSProperties)
  const blinks = led !== undefined && led.offtime > 0
  return (
    <span role="status" className={styles.status}>
      <span
        aria-hidden
        className={`${styles.led} ${led === undefined ? '' : styles.on} ${blinks ? styles.blinking : ''}`}
        {...(style !== undefined && { style })}
      />
      {led === undefined ? 'The LED is off' : `The LED is ${led.color}`}
    </span>
  )
}

/** Bytes of a BMP file up to its height. */
const HEADER_BYTES = 26

/** A picture in the pixels of the lens. @param data a BMP file in Base64 */
function Bitmap({ data, label }: { readonly data: string; readonly label: string }) {
  const size = readSize(data)
  return (
    <div className={styles.picture}>
      <img
        src={`data:image/bmp;base64,${data}`}
        alt={label}
        style={{ '--picture-width': size?.width ?? 0 } as CSSProperties}
      />
    </div>
  )
}

/** The size in the header of a BMP file; undefined if there is no such header. */
function readSize(base64: string): { readonly width: number; readonly height: number } | undefined {
  try {
    const header = Uint8Array.from(atob(base64.slice(0, Math.ceil(HEADER_BYTES / 3) * 4)), (byte) =>
      byte.charCodeAt(0),
    )
    const view = new DataView(header.buffer)
    return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
  } catch {
    return undefined
  }
}
