import { CopyField } from '../../components/CopyField.tsx'
import { Card } from '../../components/Page.tsx'
import { QrCode } from '../../components/QrCode.tsx'
import styles from './ConnectPhone.module.css'
import { welcomeTexts } from './welcome.texts.ts'

const texts = welcomeTexts.evenG2

/** The page that the Even app opens, as a code to scan. */
export function ConnectEvenG2() {
  const address = `${window.location.origin}/glasses/even`
  return (
    <div id="even-g2">
      <Card title={texts.title} description={texts.description}>
        <div className={styles.address}>
          <QrCode label={texts.qrCode} content={address} />
          <div className={styles.steps}>
            <CopyField label={texts.address} value={address} />
            <ol>
              {texts.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </div>
        </div>
      </Card>
    </div>
  )
}
