import type { ReactNode } from 'react'
import { Notice } from '../../components/Notice.tsx'
import { detectSystem, type Obstacle } from '../../real-glasses/bluetooth.ts'
import type { GlassesKind } from '../../real-glasses/chosen-glasses.ts'
import { obstacleTexts, pairingTexts } from './bluetooth-help.texts.ts'

/** What keeps the page from using Bluetooth, and what to do on this system. */
export function ObstacleNotice({ obstacle }: { readonly obstacle: Obstacle }) {
  const { title, text } = obstacleTexts[obstacle]
  return (
    <Notice tone="warning" title={title}>
      {text(detectSystem(navigator))}
    </Notice>
  )
}

export interface PairingHelpProps {
  readonly title: string
  readonly kind: GlassesKind
  readonly children: ReactNode
}

/** What helps on this system when glasses are not listed or do not connect. */
export function PairingHelp({ title, kind, children }: PairingHelpProps) {
  const { always, system } = pairingTexts[kind]
  const steps = [...always, ...system[detectSystem(navigator)]]
  return (
    <Notice tone="warning" title={title}>
      {children}
      <ul>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </Notice>
  )
}
