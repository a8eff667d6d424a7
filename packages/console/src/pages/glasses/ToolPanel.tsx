import type { Simulator } from '../../simulator/simulator.ts'
import type { SimulatorState } from '../../simulator/simulator-state.ts'
import { CameraCard } from './CameraCard.tsx'
import { Controls } from './Controls.tsx'
import { Delays } from './Delays.tsx'
import { Faults } from './Faults.tsx'
import { Inspector } from './Inspector.tsx'
import { InstalledApps } from './InstalledApps.tsx'
import { Notifications } from './Notifications.tsx'
import { CalendarForm, LocationForm, PhoneSettings } from './PhoneTools.tsx'
import { Power } from './Power.tsx'
import { ReplayCard } from './ReplayCard.tsx'
import { SendMessage } from './SendMessage.tsx'
import { SoundCard } from './SoundCard.tsx'
import { Speaker } from './Speaker.tsx'
import { Starts } from './Starts.tsx'
import type { GlassesApps } from './use-glasses-apps.ts'
import { Wifi } from './Wifi.tsx'

export const TOOL_NAMES = {
  buttons: 'Buttons',
  apps: 'Apps',
  sound: 'Sound',
  camera: 'Camera',
  power: 'Power',
  phone: 'Phone',
  faults: 'Faults',
  replay: 'Replay',
  timing: 'Timing',
  inspector: 'Frames',
} as const

export type Tool = keyof typeof TOOL_NAMES

export interface ToolPanelProps {
  readonly simulator: Simulator
  readonly state: SimulatorState
  readonly apps: GlassesApps | undefined
  /** BCP 47. */
  readonly language: string
  readonly onLanguageChange: (language: string) => void
  readonly tool: Tool
}

/** Tools that need no connection. */
const ALWAYS: ReadonlySet<Tool> = new Set(['apps', 'timing', 'inspector'])

/** A tool. */
export function ToolPanel(props: ToolPanelProps) {
  const { state, tool } = props
  const isWorn = state.connection === 'connected' || state.connection === 'reconnecting'
  if (!isWorn && !ALWAYS.has(tool)) return <p className="muted">Put the glasses on to use this.</p>
  return renderTool(props)
}

function renderTool({ simulator, state, apps, language, onLanguageChange, tool }: ToolPanelProps) {
  switch (tool) {
    case 'buttons':
      return <Controls simulator={simulator} headUp={state.display.headUp} model={state.model} />
    case 'apps':
      return <InstalledApps apps={apps} />
    case 'sound':
      return (
        <>
          <SoundCard
            simulator={simulator}
            requiredData={state.requiredData}
            language={language}
            onLanguageChange={onLanguageChange}
          />
          <Speaker simulator={simulator} sounds={state.sounds} />
        </>
      )
    case 'camera':
      return <CameraCard simulator={simulator} model={state.model} photos={state.photos} />
    case 'power':
      return (
        <>
          <Power simulator={simulator} />
          <Wifi simulator={simulator} ssid={state.ssid} request={state.wifiRequest} />
        </>
      )
    case 'phone':
      return (
        <>
          <Notifications simulator={simulator} />
          <CalendarForm simulator={simulator} />
          <LocationForm simulator={simulator} />
          <PhoneSettings />
        </>
      )
    case 'faults':
      return <Faults simulator={simulator} faults={state.faults} />
    case 'replay':
      return (
        <>
          <ReplayCard simulator={simulator} state={state} />
          <SendMessage simulator={simulator} />
        </>
      )
    case 'timing':
      return (
        <>
          <Starts noticed={state.starts} />
          <Delays utterances={state.utterances} />
        </>
      )
    case 'inspector':
      return <Inspector frames={state.frames} onClear={() => simulator.clearFrames()} />
  }
}
