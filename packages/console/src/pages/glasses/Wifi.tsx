import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { TextField } from '../../components/TextField.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import { useAct } from './use-simulator.ts'

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
    <Card
      title="Wi-Fi of the glasses"
      description={ssid === undefined ? 'Not connected' : `Connected to ${ssid}`}
    >
      {request !== undefined && (
        <Notice tone="warning" title="An app asks you to set up Wi-Fi">
          {request}
        </Notice>
      )}
      <ActionForm submitLabel="Join" onSubmit={async (fields) => simulator.setWifi(fields.get('ssid') ?? '')}>
        <TextField
          name="ssid"
          label="Network"
          defaultValue="home"
          isRequired
          maxLength={200}
          autoComplete="off"
        />
      </ActionForm>
      <div>
        <Button onPress={() => act(() => simulator.setWifi(undefined))}>Leave the network</Button>
      </div>
    </Card>
  )
}
