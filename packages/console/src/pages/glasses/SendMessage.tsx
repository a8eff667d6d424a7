import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { TextField } from '../../components/TextField.tsx'
import { checkFrame } from '../../simulator/frame-check.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { recordingTexts } from './recording.texts.ts'
import { useAct } from './use-simulator.ts'

const texts = recordingTexts.send

const EXAMPLE = '{ "type": "VAD", "status": true }'

/** Sends any text frame, checked as it is typed. An invalid one can be sent as well: clouds must bear it. */
export function SendMessage({ simulator }: { readonly simulator: Simulator }) {
  const [text, setText] = useState(EXAMPLE)
  const act = useAct(simulator)
  const { check } = checkFrame(text, 'sent')
  return (
    <Card title={texts.title} description={texts.description}>
      <TextField
        label={texts.message}
        lines={6}
        value={text}
        onChange={setText}
        {...(check.result === 'invalid'
          ? { error: check.reason }
          : {
              description: check.result === 'valid' ? texts.valid : texts.unknown,
            })}
      />
      <div>
        <Button onPress={() => act((glasses) => glasses.sendRaw(text))}>{texts.send}</Button>
      </div>
    </Card>
  )
}
