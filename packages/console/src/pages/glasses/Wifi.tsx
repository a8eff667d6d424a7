import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { TextField } from '../../components/TextField.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import { deviceTexts } from './device.texts.ts'
import { useAct } from './use-simulator.ts'

const texts = deviceTexts.wifi

export interface WifiProps {
  readonly simulator: Simulator
  readonly ssid: string | undefined
  /** Why an app asks for Wi-Fi; undefined if none does. */
  readonly request: string | undefined
}

/** The Wi-Fi of the glasses. */
export function Wifi({ simulator, ssid, request }: WifiProps) {
  const act = useAct(simulator)
  return (
    <Card title={texts.title} description={ssid === undefined ? texts.notConnected : texts.connected(ssid)}>
      {request !== undefined && (
        <Notice tone="warning" title={texts.requested}>
          {request}
        </Notice>
      )}
      <ActionForm
        submitLabel={texts.join}
        onSubmit={async (fields) => simulator.setWifi(fields.get('ssid') ?? '')}
      >
        <TextField
          name="ssid"
          label={texts.network}
          defaultValue="home"
          isRequired
          maxLength={200}
          autoComplete="off"
        />
      </ActionForm>
      <div>
        <Button onPress={() => act(() => simulator.setWifi(undefined))}>{texts.leave}</Button>
      </div>
    </Card>
  )
}
