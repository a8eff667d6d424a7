import { KNOWN_MODELS } from '@glasses-cloud/contract'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, useSyncExternalStore } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Page } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import type { SimulatorState } from '../../simulator/simulator-state.ts'
import styles from './GlassesPage.module.css'
import { Lens } from './Lens.tsx'
import { NextActions } from './NextActions.tsx'
import { findNextStep } from './next-step.ts'
import { Say } from './Say.tsx'
import { Tools } from './Tools.tsx'
import { useGlassesApps } from './use-glasses-apps.ts'
import { useSimulator, useToolState } from './use-simulator.ts'

const CONNECTION_STATES = {
  disconnected: 'Not worn',
  connecting: 'Connecting…',
  connected: 'Worn',
  reconnecting: 'Connection lost, reconnecting…',
} as const

/** Simulated glasses that the signed-in user wears: the lens with what to do next, the input, and the tools. */
export function GlassesPage() {
  const { simulator, state } = useSimulator()
  const apps = useGlassesApps(state)
  const [language, setLanguage] = useToolState('language', 'en-US')
  const visibleHeight = useVisibleHeight()
  const step = findNextStep(state, apps?.counts)
  return (
    <Page
      title="Glasses"
      badges={
        <>
          <span role="status">
            <Badge tone={state.connection === 'connected' ? 'success' : 'neutral'}>
              {CONNECTION_STATES[state.connection]}
            </Badge>
          </span>
          <Link to="/glasses/connect">Connect your glasses</Link>
          <Link to="/glasses/mine">My real glasses</Link>
        </>
      }
      description={
        <span className={styles.wide}>
          Simulated glasses in your browser. Apps cannot tell them from real ones.
        </span>
      }
      actions={<HeaderActions simulator={simulator} state={state} />}
    >
      <div className={styles.layout} style={heightOf(visibleHeight)}>
        <div className={styles.stage}>
          <Lens state={state} step={step}>
            <NextActions simulator={simulator} step={step} apps={apps} />
          </Lens>
          <Say simulator={simulator} state={state} language={language} visibleHeight={visibleHeight} />
          {/* Not above the lens, which says itself why the glasses are off: they would push the field out of sight. */}
          {state.connection === 'connected' && state.problem !== undefined && (
            <Notice tone="danger" title={state.problem} />
          )}
        </div>
        <Tools
          simulator={simulator}
          state={state}
          apps={apps}
          language={language}
          onLanguageChange={setLanguage}
        />
      </div>
    </Page>
  )
}

function heightOf(visibleHeight: number | undefined): CSSProperties | undefined {
  return visibleHeight === undefined
    ? undefined
    : ({ '--visible-height': `${visibleHeight}px` } as CSSProperties)
}

const MODELS = KNOWN_MODELS.map((model) => ({ value: model, label: model }))

interface HeaderActionsProps {
  readonly simulator: Simulator
  readonly state: Pick<SimulatorState, 'connection' | 'model'>
}

/** Chooses the model, and takes the glasses off. */
function HeaderActions({ simulator, state: { connection, model } }: HeaderActionsProps) {
  return (
    <>
      <Select
        label="Model"
        isLabelHidden
        options={MODELS}
        value={model}
        onChange={(chosen) => simulator.putOn(chosen)}
      />
      {connection !== 'disconnected' && <Button onPress={() => void simulator.disconnect()}>Take off</Button>}
    </>
  )
}

function subscribe(listener: () => void): () => void {
  window.visualViewport?.addEventListener('resize', listener)
  return () => window.visualViewport?.removeEventListener('resize', listener)
}

/** Returns the height that an on-screen keyboard leaves of the window, in pixels; undefined if the browser hides it. */
function useVisibleHeight(): number | undefined {
  return useSyncExternalStore(subscribe, () =>
    window.visualViewport === null ? undefined : Math.round(window.visualViewport.height),
  )
}
