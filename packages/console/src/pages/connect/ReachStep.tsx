import { useQuery } from '@tanstack/react-query'
import { reachabilityStateQuery, reachabilityTestQuery } from '../../api/reachability.ts'
import { cloudUrl } from '../../base-path.ts'
import { Button } from '../../components/Button.tsx'
import { ErrorState } from '../../components/States.tsx'
import { cloudAddress } from './cloud-address.ts'
import { ScanCode } from './ScanCode.tsx'
import { Step } from './Step.tsx'

/** Whether a phone reaches the cloud: it opens a page by a code, which reports it. */
export function ReachStep() {
  const { data: test, error, refetch } = useQuery(reachabilityTestQuery)
  if (error !== null)
    return (
      <Step title="Your phone reaches it" state="problem">
        <ErrorState error={error} onRetry={refetch} />
      </Step>
    )
  if (test === undefined) return <Step title="Your phone reaches it" state="waiting" />
  return <CodeStep code={test.code} onRenew={() => void refetch()} />
}

function CodeStep({ code, onRenew }: { readonly code: string; readonly onRenew: () => void }) {
  const { data: state = 'waiting' } = useQuery(reachabilityStateQuery(code))
  const address = useCloudAddress()
  if (state === 'reached')
    return (
      <Step
        title="Your phone reaches it"
        state="done"
        status="A device has opened the page of the code: it reaches this cloud."
      />
    )
  if (state === 'ended')
    return (
      <Step title="Your phone reaches it" state="problem" status="The code has expired.">
        <Button onPress={onRenew}>Show a new code</Button>
      </Step>
    )
  return (
    <Step
      title="Your phone reaches it"
      state="waiting"
      status="Scan this code with the camera of the phone. The page that opens needs no sign-in."
    >
      <ScanCode
        labels={{
          qrCode: 'QR code with the page that tests the connection',
          address: 'Page that tests the connection',
        }}
        address={`${address}/glasses/reach#code=${code}`}
      >
        <p className="muted">
          If the page does not open, the phone is in another network, a firewall is between, or it does not
          trust the certificate.
        </p>
      </ScanCode>
    </Step>
  )
}

/** Returns the address at which other devices reach the cloud; that of the page until the public one is known. */
export function useCloudAddress(): string {
  const { data } = useQuery(reachabilityTestQuery)
  const url = cloudUrl()
  return data === undefined ? url : cloudAddress(data.publicUrl, url)
}
