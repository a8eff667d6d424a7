import { useEffect, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { detectSystem, type System } from '../../real-glasses/bluetooth.ts'
import styles from './PocketMode.module.css'

const SCREEN_STATES = {
  held: 'The screen stays on.',
  waiting: 'Keeping the screen on…',
  refused:
    'The browser does not keep the screen on, perhaps to save battery. Set the phone to leave the screen on for longer.',
} as const

const DESKTOP =
  'On a computer, this page may be in the background. The connection ends when the computer sleeps, or this tab is closed.'

/** What happens to the page in the background. */
const BACKGROUND: Readonly<Record<System, string>> = {
  android:
    'Keep this page in front and the screen on. In the background, Chrome on Android stops this page after about a minute, and the glasses lose their connection until you come back.',
  ios: 'Keep this page in front and the screen on: in the background, this page is stopped, and the glasses lose their connection until you come back.',
  macos: DESKTOP,
  windows: DESKTOP,
  chromeos: DESKTOP,
  linux: DESKTOP,
  other:
    'Keep this page in front and the screen on: what a browser does with a page in the background differs.',
}

/** The way into the pocket mode, with what the browser allows in the background. */
export function PocketMode() {
  const [isOn, setOn] = useState(false)
  function enter() {
    setOn(true)
    // Without the bars of the browser, less can be touched. Not every browser has it.
    document.documentElement.requestFullscreen?.({ navigationUI: 'hide' }).catch(() => {})
  }
  function leave() {
    setOn(false)
    if (document.fullscreenElement !== null) void document.exitFullscreen()
  }
  return (
    <Card
      title="In your pocket"
      description="Pocket mode keeps the screen on, makes this page dark and ignores touches, so that the phone can be in your pocket while you wear the glasses. It takes some battery."
    >
      <p>{BACKGROUND[detectSystem(navigator)]}</p>
      <div>
        <Button onPress={enter}>Start pocket mode</Button>
      </div>
      {isOn && <DarkPage onLeave={leave} />}
    </Card>
  )
}

/** A dark page over everything, which only a slide over its whole width, or the keyboard, ends. */
function DarkPage({ onLeave }: { readonly onLeave: () => void }) {
  const screen = useWakeLock()
  const [position, setPosition] = useState(0)
  return (
    <ModalOverlay className={styles.dark ?? ''} isOpen onOpenChange={onLeave}>
      <Modal className={styles.content ?? ''}>
        <Dialog className={styles.content ?? ''} aria-label="Pocket mode">
          <p role="status">{SCREEN_STATES[screen]}</p>
          <label className={styles.exit}>
            Slide to the end to leave pocket mode
            <input
              type="range"
              min={0}
              max={100}
              value={position}
              onChange={({ target }) => {
                setPosition(target.valueAsNumber)
                if (target.valueAsNumber === 100) onLeave()
              }}
              onPointerUp={() => setPosition(0)}
              onPointerCancel={() => setPosition(0)}
            />
          </label>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Whether the browser keeps the screen on. */
type ScreenState = 'waiting' | 'held' | 'refused'

/** Keeps the screen on while the component is shown; takes the lock again when the page becomes visible again. */
function useWakeLock(): ScreenState {
  const [state, setState] = useState<ScreenState>('waiting')
  useEffect(() => {
    let isEnded = false
    let lock: WakeLockSentinel | undefined
    const request = async () => {
      if (document.hidden || (lock && !lock.released)) return
      try {
        const granted = await navigator.wakeLock.request('screen')
        if (isEnded) return void granted.release()
        lock = granted
        setState('held')
      } catch {
        // Missing, or refused to save battery.
        setState('refused')
      }
    }
    void request()
    document.addEventListener('visibilitychange', request)
    return () => {
      isEnded = true
      document.removeEventListener('visibilitychange', request)
      void lock?.release()
    }
  }, [])
  return state
}
