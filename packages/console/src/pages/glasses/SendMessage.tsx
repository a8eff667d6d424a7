import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { TextField } from '../../components/TextField.tsx'
import { checkFrame } from '../../simulator/frame-check.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { useAct } from './use-simulator.ts'

const EXAMPLE = '{ "type": "VAD", "status": true }'

/** Sends any text frame, checked as it is typed. An invalid one can be sent as well: clouds must bear it. */
export function SendMessage({ simulator }: { readonly simulator: Simulator }) {
  const [text, setText] = useState(EXAMPLE)
  const act = useAct(simulator)
  const { check } = checkFrame(text, 'sent')
  return (
    <Card
      title="Send a message"
      description="Anything that glasses and phones may send, or that they should not."
    >
      <TextField
        label="Message"
        lines={6}
        value={text}
        onChange={setText}
        {...(check.result === 'invalid'
          ? { error: check.reason }
          : {
              description:
                check.result === 'valid'
                  ? 'Matches the schema of its type.'
                  : 'The contract has no message of this type: apps that subscribe to it receive it as it is.',
            })}
      />
      <div>
        <Button onPress={() => act((glasses) => glasses.sendRaw(text))}>Send</Button>
      </div>
    </Card>
  )
}
