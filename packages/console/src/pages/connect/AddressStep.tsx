import { useQuery } from '@tanstack/react-query'
import { authorityQuery } from '../../api/reachability.ts'
import { BASE_PATH } from '../../base-path.ts'
import { CopyField } from '../../components/CopyField.tsx'
import { Notice } from '../../components/Notice.tsx'
import { addressKind } from './cloud-address.ts'
import { useCloudAddress } from './ReachStep.tsx'
import { Step } from './Step.tsx'

const STATUS = {
  https: (address: string) => `Phones reach this cloud at ${address}, with HTTPS.`,
  plain: (address: string) =>
    `Phones reach this cloud at ${address}, without encryption. That may do in a home network, but browsers allow Bluetooth and microphones with HTTPS only. The operator of this cloud switches it on with the setting TLS or PUBLIC_URL: see docs/https.md of Glasses Cloud.`,
}

/** Whether the address for phones is encrypted, and one that phones can reach at all. */
export function AddressStep() {
  const address = useCloudAddress()
  const kind = addressKind(address)
  if (kind === 'loopback')
    return (
      <Step title="The address of this cloud" state="problem">
        <Notice tone="warning" title="Your phone cannot reach this address">
          It works on this computer only. Start the cloud with HOST=0.0.0.0 and open the console at the
          network address of this computer, or set PUBLIC_URL to the address behind your proxy. Phones need
          HTTPS for most things: see docs/https.md of Glasses Cloud.
        </Notice>
        <InstallAuthority />
      </Step>
    )
  return (
    <Step
      title="The address of this cloud"
      state={kind === 'https' ? 'done' : 'problem'}
      status={STATUS[kind](address)}
    >
      <InstallAuthority />
    </Step>
  )
}

const STEPS = [
  'Open the page on the device and download the authority. The page is not encrypted yet: compare the fingerprint that the device shows with the one here.',
  'Android: Settings, Security, More security settings, Encryption & credentials, Install a certificate, CA certificate.',
  'iPhone and iPad: Settings, Profile downloaded, Install; then Settings, General, About, Certificate Trust Settings, and switch it on.',
] as const

/** How devices come to trust the certificate of a cloud with an authority of its own. */
function InstallAuthority() {
  const { data } = useQuery(authorityQuery)
  if (data?.fingerprint === undefined) return null
  const { fingerprint, plainPort } = data
  return (
    <section>
      <h4>Let your devices trust this cloud</h4>
      <p className="muted">
        The certificate of this cloud is from an authority of its own, which each phone and computer must know
        once.
      </p>
      {plainPort > 0 && (
        <CopyField
          label="Page to open on the device"
          value={`http://${window.location.hostname}:${plainPort}/tls`}
        />
      )}
      <CopyField label="SHA-256 fingerprint of the authority" value={fingerprint} />
      <p>
        <a href={`${BASE_PATH}/tls/authority.crt`} download>
          Download the authority
        </a>
      </p>
      <ol>
        {STEPS.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  )
}
