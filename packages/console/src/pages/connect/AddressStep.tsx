import { Notice } from '../../components/Notice.tsx'
import { addressKind } from './cloud-address.ts'
import { connectTexts } from './connect.texts.ts'
import { InstallAuthority } from './InstallAuthority.tsx'
import { Step } from './Step.tsx'
import { useCloudAddress } from './use-cloud-address.ts'

const texts = connectTexts.address

/** Whether the address for phones is encrypted, and one that phones can reach at all. */
export function AddressStep() {
  const address = useCloudAddress()
  const kind = addressKind(address)
  if (kind === 'loopback')
    return (
      <Step title={texts.title} state="problem">
        <Notice tone="warning" title={texts.loopback.title}>
          {texts.loopback.text}
        </Notice>
        <InstallAuthority />
      </Step>
    )
  return (
    <Step title={texts.title} state={kind === 'https' ? 'done' : 'problem'} status={texts[kind](address)}>
      <InstallAuthority />
    </Step>
  )
}
