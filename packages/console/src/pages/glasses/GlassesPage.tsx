import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Page } from '../../components/Page.tsx'
import styles from './GlassesPage.module.css'
import { glassesTexts as texts } from './glasses.texts.ts'
import { HeaderActions } from './HeaderActions.tsx'
import { Lens } from './Lens.tsx'
import { NextActions } from './NextActions.tsx'
import { findNextStep } from './next-step.ts'
import { Say } from './Say.tsx'
import { Tools } from './Tools.tsx'
import { useGlassesApps } from './use-glasses-apps.ts'
import { useSimulator } from './use-simulator.ts'
import { useToolState } from './use-tool-state.ts'
import { useVisibleHeight } from './use-visible-height.ts'

/** Simulated glasses that the signed-in user wears: the lens with what to do next, the input, and the tools. */
export function GlassesPage() {
  const { simulator, state } = useSimulator()
  const apps = useGlassesApps(state)
  const [language, setLanguage] = useToolState('language', 'en-US')
  const visibleHeight = useVisibleHeight()
  const step = findNextStep(state, apps?.counts)
  const takeover = state.takeover === undefined ? undefined : texts.takeover[state.takeover]
  return (
    <Page
      title={texts.title}
      badges={
        <>
          <span role="status">
            <Badge tone={state.connection === 'connected' ? 'success' : 'neutral'}>
              {texts.connection[state.connection]}
            </Badge>
          </span>
          <Link to="/glasses/connect">{texts.connect}</Link>
          <Link to="/glasses/mine">{texts.real}</Link>
        </>
      }
      description={<span className={styles.wide}>{texts.description}</span>}
      actions={<HeaderActions simulator={simulator} state={state} />}
    >
      {takeover !== undefined && (
        <Notice tone="warning" title={takeover.title}>
          {takeover.text}
        </Notice>
      )}
      {state.problem !== undefined && <Notice tone="danger" title={state.problem} />}
      <div className={styles.layout} style={heightOf(visibleHeight)}>
        <div className={styles.stage}>
          <Lens state={state} step={step}>
            <NextActions simulator={simulator} step={step} apps={apps} />
          </Lens>
          <Say simulator={simulator} state={state} language={language} visibleHeight={visibleHeight} />
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
