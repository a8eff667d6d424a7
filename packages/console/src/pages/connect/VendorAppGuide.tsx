import { LinkButton } from '../../components/LinkButton.tsx'
import { Card } from '../../components/Page.tsx'
import { connectTexts } from './connect.texts.ts'

const texts = connectTexts.vendor

/** What glasses with the app of their maker can do with this cloud. */
export function VendorAppGuide() {
  return (
    <Card title={texts.title}>
      <p>{texts.text}</p>
      <div>
        <LinkButton to="/glasses/bridge" variant="primary">
          {texts.bridge}
        </LinkButton>
      </div>
      <ul>
        {texts.ways.map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ul>
      <p>{texts.otherwise}</p>
      <div>
        <LinkButton to="/glasses">{texts.action}</LinkButton>
      </div>
    </Card>
  )
}
