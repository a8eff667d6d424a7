import { useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { detectSystem } from '../../real-glasses/bluetooth.ts'
import styles from './PocketMode.module.css'
import { pocketTexts as texts } from './pocket.texts.ts'
import { useWakeLock } from './use-wake-lock.ts'

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
    <Card title={texts.title} description={texts.description}>
      <p>{texts.background[detectSystem(navigator)]}</p>
      <div>
        <Button onPress={enter}>{texts.enter}</Button>
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
        <Dialog className={styles.content ?? ''} aria-label={texts.dialog}>
          <p role="status">{texts.screen[screen]}</p>
          <label className={styles.exit}>
            {texts.leave}
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
