import { LinkButton } from '../../components/LinkButton.tsx'
import { Card } from '../../components/Page.tsx'

const WAYS = [
  'Even G2 by the app of their maker, and Even G1, Brilliant Frame and Halo in a browser: choose them above.',
  'Vuzix Z100, Mentra Mach 1 and Mentra Live by an own build of the open phone app: choose it above.',
] as const

/** What glasses with the app of their maker can do with this cloud. */
export function VendorAppGuide() {
  return (
    <Card title="What is possible today">
      <p>
        The present phone app of Mentra speaks another protocol, so it needs a mini app of this cloud, which
        it installs by a code; this is experimental. The apps of other makers do not reach this cloud. There
        are further ways for glasses of the following kinds:
      </p>
      <div>
        <LinkButton to="/glasses/bridge" variant="primary">
          Show the code for the Mentra app
        </LinkButton>
      </div>
      <ul>
        {WAYS.map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ul>
      <p>For all others, simulated glasses show what apps do.</p>
      <div>
        <LinkButton to="/glasses">Wear simulated glasses</LinkButton>
      </div>
    </Card>
  )
}
