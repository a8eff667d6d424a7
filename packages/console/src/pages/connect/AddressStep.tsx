import { Notice } from '../../components/Notice.tsx'
import { addressKind } from './cloud-address.ts'
import { InstallAuthority } from './InstallAuthority.tsx'
import { Step } from './Step.tsx'
import { useCloudAddress } from './use-cloud-address.ts'

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
