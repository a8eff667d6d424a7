import type { AudioFormat } from '@glasses-cloud/contract'
import { Mic, MicOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { type Capture, captureMicrophone, decodeSoundFile } from '../../simulator/microphone.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import styles from './GlassesPage.module.css'
import { PhoneRecognition } from './PhoneRecognition.tsx'
import { useAct } from './use-simulator.ts'

const texts = {
  languages: {
    'en-US': 'English',
    'de-DE': 'German',
    'es-ES': 'Spanish',
    'fr-FR': 'French',
    'ja-JP': 'Japanese',
  },
  formats: {
    pcm: 'PCM, 256 kbit/s',
    lc3_20: 'LC3, 16 kbit/s',
    lc3_40: 'LC3, 32 kbit/s',
    lc3_60: 'LC3, 48 kbit/s',
  },
} as const

const LANGUAGES = Object.entries(texts.languages).map(([value, label]) => ({ value, label }))

/** How sound is encoded: PCM, or LC3 with frames of so many bytes. */
const FORMATS = {
  pcm: { format: 'pcm' },
  lc3_20: { format: 'lc3', frameSizeBytes: 20 },
  lc3_40: { format: 'lc3', frameSizeBytes: 40 },
  lc3_60: { format: 'lc3', frameSizeBytes: 60 },
} as const satisfies Record<string, AudioFormat>
/** Time between two recognized words. */
const WORD_MS = 120

type Format = keyof typeof FORMATS
const FORMAT_OPTIONS = (['pcm', 'lc3_20', 'lc3_40', 'lc3_60'] as const).map((value) => ({
  value,
  label: texts.formats[value],
}))

export interface VoiceProps {
  readonly simulator: Simulator
  readonly requiredData: readonly string[]
}

/** What the wearer says: typed words, the microphone of the computer, or a sound file. */
export function Voice({ simulator, requiredData }: VoiceProps) {
  const [language, setLanguage] = useState('en-US')
  const [format, setFormat] = useState<Format>('pcm')
  const act = useAct(simulator)

  const play = useAction(
    async (file: File) => {
      const pcm = await decodeSoundFile(file).catch(() => {
        throw new Error('The browser cannot decode this file.')
      })
      const { framesSent } = await simulator.glasses.playAudio(pcm)
      if (framesSent === 0) throw new Error('Nobody listens to sound now.')
    },
    { onFailure: reportFailure },
  )

  return (
    <Card
      title="Voice"
      description={
        requiredData.length === 0
          ? 'No app listens now. Start an app that uses the microphone.'
          : `The cloud asks for: ${requiredData.join(', ')}`
      }
    >
      <ActionForm
        submitLabel="Speak"
        onSubmit={async (fields) => {
          const options = { wordMs: WORD_MS, language }
          const { resultsSent } = await simulator.glasses.speak(fields.get('words') ?? '', options)
          if (resultsSent === 0)
            throw new Error(
              'No app listens to words that the phone recognizes. Use the microphone or a sound file, or let the phone recognize speech.',
            )
        }}
      >
        <TextField
          name="words"
          label="What you say"
          placeholder="Say something to your glasses"
          isRequired
          autoComplete="off"
        />
        <Select label="Language" options={LANGUAGES} value={language} onChange={setLanguage} />
      </ActionForm>
      <PhoneRecognition />
      <div className={styles.row}>
        <LiveMicrophone simulator={simulator} />
        <FileTrigger
          acceptedFileTypes={['audio/*']}
          onSelect={(files) => {
            if (files?.[0] !== undefined) play.run(files[0])
          }}
        >
          <Button isPending={play.isPending}>Play a sound file</Button>
        </FileTrigger>
      </div>
      <Select
        label="Sound is sent as"
        options={FORMAT_OPTIONS}
        value={format}
        onChange={(chosen) => {
          setFormat(chosen)
          act((glasses) => glasses.configureAudio(FORMATS[chosen]))
        }}
      />
      <h3>Voice activity</h3>
      <div className={styles.row}>
        <Button onPress={() => act((glasses) => glasses.sendVad(true))}>Somebody starts to speak</Button>
        <Button onPress={() => act((glasses) => glasses.sendVad(false))}>Somebody stops</Button>
      </div>
    </Card>
  )
}

/** Sends the microphone of the computer while the cloud asks for sound, and shows its level. */
function LiveMicrophone({ simulator }: Pick<VoiceProps, 'simulator'>) {
  const [capture, setCapture] = useState<Capture>()
  const meter = useRef<HTMLMeterElement>(null)
  useEffect(() => () => capture?.stop(), [capture])

  const start = useAction(
    async () =>
      setCapture(
        await captureMicrophone((pcm, level) => {
          if (meter.current !== null) meter.current.value = level
          // Frames during a reconnection are lost, as with real glasses.
          if (simulator.getState().connection === 'connected')
            simulator.glasses.sendAudioFrame(pcm).catch(() => {})
        }),
      ),
    { onFailure: reportFailure },
  )

  if (capture === undefined) {
    return (
      <Button onPress={() => start.run()}>
        <Mic aria-hidden />
        Use the microphone
      </Button>
    )
  }
  return (
    <>
      <Button onPress={() => setCapture(undefined)}>
        <MicOff aria-hidden />
        Stop the microphone
      </Button>
      <meter ref={meter} aria-label="Level" min={0} max={1} />
    </>
  )
}
