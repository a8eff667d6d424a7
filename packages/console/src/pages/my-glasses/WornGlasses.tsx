import { Notice } from '../../components/Notice.tsx'
import type { WornG1 } from '../../real-glasses/worn-g1.ts'
import type { WornG1State } from '../../real-glasses/worn-g1-state.ts'
import { InstalledApps } from '../glasses/InstalledApps.tsx'
import { useGlassesApps } from '../glasses/use-glasses-apps.ts'
import { Brightness } from './Brightness.tsx'
import { G1Lens } from './G1Lens.tsx'
import styles from './my-glasses.module.css'
import { myGlassesTexts } from './my-glasses.texts.ts'
import { PocketMode } from './PocketMode.tsx'
import { Status } from './Status.tsx'

const texts = myGlassesTexts.link

export interface WornGlassesProps {
  readonly glasses: WornG1
  readonly state: WornG1State
}

/** Connected glasses: the lens, their state, apps, brightness and the pocket mode. */
export function WornGlasses({ glasses, state }: WornGlassesProps) {
  const apps = useGlassesApps()
  return (
    <>
      <LinkNotice state={state} />
      <div className={styles.layout}>
        <G1Lens page={state.page} />
        <InstalledApps apps={apps} />
        <Status state={state} />
        <PocketMode />
        <Brightness glasses={glasses} brightness={state.brightness} />
      </div>
    </>
  )
}

/** The loss of an arm or of both, and what becomes of it. */
function LinkNotice({ state: { link, changes } }: { readonly state: Pick<WornG1State, 'link' | 'changes'> }) {
  if (changes.length === 0 || link.state === 'connected') return null
  if (link.state !== 'impaired') {
    return (
      <Notice tone="warning" title={texts.lost.title}>
        {texts.lost.text}
      </Notice>
    )
  }
  const missing = link.parts.find(({ state }) => state !== 'connected')?.name ?? ''
  return (
    <Notice tone="warning" title={texts.impaired.title(missing)}>
      <span>{missing === 'right' ? texts.impaired.right : texts.impaired.left}</span>
      <span>{texts.impaired.mending}</span>
    </Notice>
  )
}
