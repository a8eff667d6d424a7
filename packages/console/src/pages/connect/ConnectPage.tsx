import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { liveSessionQuery } from '../../api/live-session.ts'
import { Page } from '../../components/Page.tsx'
import { useUrlText } from '../../url-state.ts'
import { InstalledApps } from '../glasses/InstalledApps.tsx'
import { useGlassesApps } from '../glasses/use-glasses-apps.ts'
import { ANSWER_TEXTS, ANSWERS, type Answer, ChooseGlasses } from './ChooseGlasses.tsx'
import { BrowserGuide, EvenG2Guide, OwnBuildGuide, SimulatedGuide, VendorAppGuide } from './Guides.tsx'

const GUIDES = {
  g2: EvenG2Guide,
  g1: BrowserGuide,
  frame: BrowserGuide,
  halo: BrowserGuide,
  vendor: VendorAppGuide,
  build: OwnBuildGuide,
  none: SimulatedGuide,
} as const satisfies Record<Answer, () => ReactNode>

/** Ways without real glasses, or without a road. */
const NOT_EXPERIMENTAL: ReadonlySet<Answer> = new Set(['vendor', 'none'])

/** Asks what the wearer has, and leads to a worn pair with words on it. */
export function ConnectPage() {
  const [inAddress, change] = useUrlText('glasses')
  const answer = ANSWERS.find((each) => each === inAddress)
  const Guide = answer && GUIDES[answer]
  return (
    <Page
      title="Connect your glasses"
      breadcrumb={[{ to: '/glasses', label: 'Glasses' }]}
      description="Choose what you have. Each step shows by itself when it is done."
    >
      <ChooseGlasses answer={answer} onChange={change} />
      {answer !== undefined && !NOT_EXPERIMENTAL.has(answer) && (
        <p className="muted">
          Experimental: proved against a simulator or a model of the glasses, not with real ones. Reports of
          wearers are welcome.
        </p>
      )}
      {Guide && (
        <section aria-labelledby="way">
          <h2 id="way" className="visually-hidden">
            {answer && ANSWER_TEXTS[answer].title}
          </h2>
          <Guide key={answer} />
        </section>
      )}
      {Guide && <Apps />}
    </Page>
  )
}

/** The apps to start, once glasses are connected. */
function Apps() {
  const { data: session } = useQuery(liveSessionQuery)
  const apps = useGlassesApps()
  const isWorn = session !== undefined && session.glasses !== null
  return isWorn ? <InstalledApps apps={apps} /> : null
}
