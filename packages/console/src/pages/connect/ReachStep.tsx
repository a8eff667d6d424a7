import { useQuery } from '@tanstack/react-query'
import { reachabilityStateQuery, reachabilityTestQuery } from '../../api/reachability.ts'
import { Button } from '../../components/Button.tsx'
import { ErrorState } from '../../components/States.tsx'
import { connectTexts } from './connect.texts.ts'
import { ScanCode } from './ScanCode.tsx'
import { Step } from './Step.tsx'
import { useCloudAddress } from './use-cloud-address.ts'

const texts = connectTexts.reach

/** Whether a phone reaches the cloud: it opens a page by a code, which reports it. */
export function ReachStep() {
  const { data: test, error, refetch } = useQuery(reachabilityTestQuery)
  if (error !== null)
    return (
      <Step title={texts.title} state="problem">
        <ErrorState error={error} onRetry={refetch} />
      </Step>
    )
  if (test === undefined) return <Step title={texts.title} state="waiting" />
  return <CodeStep code={test.code} onRenew={() => void refetch()} />
}

function CodeStep({ code, onRenew }: { readonly code: string; readonly onRenew: () => void }) {
  const { data: state = 'waiting' } = useQuery(reachabilityStateQuery(code))
  const address = useCloudAddress()
  if (state === 'reached') return <Step title={texts.title} state="done" status={texts.reached} />
  if (state === 'ended')
    return (
      <Step title={texts.title} state="problem" status={texts.ended}>
        <Button onPress={onRenew}>{texts.renew}</Button>
      </Step>
    )
  return (
    <Step title={texts.title} state="waiting" status={texts.waiting}>
      <ScanCode labels={texts} address={`${address}/glasses/reach#code=${code}`}>
        <p className="muted">{texts.fails}</p>
      </ScanCode>
    </Step>
  )
}
