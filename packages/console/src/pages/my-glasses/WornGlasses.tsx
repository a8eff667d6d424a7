import { Notice } from '../../components/Notice.tsx'
import { partName } from '../../real-glasses/link-changes.ts'
import type { RealGlasses } from '../../real-glasses/real-glasses.ts'
import type { RealGlassesState } from '../../real-glasses/real-glasses-state.ts'
import { InstalledApps } from '../glasses/InstalledApps.tsx'
import { useGlassesApps } from '../glasses/use-glasses-apps.ts'
import { Brightness } from './Brightness.tsx'
import styles from './my-glasses.module.css'
import { PocketMode } from './PocketMode.tsx'
import { RealLens } from './RealLens.tsx'
import { Status } from './Status.tsx'

export interface WornGlassesProps {
  readonly glasses: RealGlasses
  readonly state: RealGlassesState
}

/** Connected glasses: the lens, their state, apps, brightness and the pocket mode. */
export function WornGlasses({ glasses, state }: WornGlassesProps) {
  const apps = useGlassesApps()
  const isG1 = state.chosen?.kind === 'even-g1'
  return (
    <>
      <LinkNotice state={state} />
      <div className={styles.layout}>
        <RealLens
          page={state.page}
          screen={state.screen}
          turnsByTap={isG1}
          onTurn={(direction) => glasses.turnPage(direction)}
        />
        <InstalledApps apps={apps} />
        <Status state={state} />
        <PocketMode />
        <Brightness glasses={glasses} brightness={state.brightness} adjustsItself={isG1} />
      </div>
    </>
  )
}

/** The loss of a part or of all, and what becomes of it. */
function LinkNotice({
  state: { link, changes },
}: {
  readonly state: Pick<RealGlassesState, 'link' | 'changes'>
}) {
  if (changes.length === 0 || link.state === 'connected') return null
  if (link.state !== 'impaired') {
    const { title, text } =
      link.parts.length === 0
        ? {
            title: 'The glasses are not connected',
            text: 'They are connected again by themselves, without a new choice. Keep them near and off their charger.',
          }
        : {
            title: 'Neither arm is connected',
            text: 'Both are connected again by themselves. Keep the glasses near, open and out of the case.',
          }
    return (
      <Notice tone="warning" title={title}>
        {text}
      </Notice>
    )
  }
  const missing = link.parts.find(({ state }) => state !== 'connected')?.name ?? ''
  return (
    <Notice tone="warning" title={`The ${partName(missing)} is not connected`}>
      <span>
        {missing === 'right'
          ? 'The left arm goes on showing. The microphone is in the right arm, so apps hear nothing meanwhile.'
          : 'The right arm goes on showing and listening.'}
      </span>
      <span>
        It is connected again by itself, without a new choice: keep the glasses near and out of the case.
      </span>
    </Notice>
  )
}
