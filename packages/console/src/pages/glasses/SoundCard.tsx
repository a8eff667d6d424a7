import type { AudioFormat } from '@glasses-cloud/contract'
import { Button } from '../../components/Button.tsx'
import { FileButton } from '../../components/FileButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { useAction } from '../../components/use-action.ts'
import { decodeSoundFile } from '../../simulator/microphone.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { listeningOf } from './next-step.ts'
import { PhoneRecognition } from './PhoneRecognition.tsx'
import styles from './panels.module.css'
import { useAct, useToolState } from './use-simulator.ts'

const LANGUAGES = [
  { value: 'en-US', label: 'English' },
  { value: 'de-DE', label: 'German' },
  { value: 'es-ES', label: 'Spanish' },
  { value: 'fr-FR', label: 'French' },
  { value: 'ja-JP', label: 'Japanese' },
]

/** How sound is encoded: PCM, or LC3 with frames of so many bytes. */
const FORMATS = {
  pcm: { format: 'pcm' },
  lc3_20: { format: 'lc3', frameSizeBytes: 20 },
  lc3_40: { format: 'lc3', frameSizeBytes: 40 },
  lc3_60: { format: 'lc3', frameSizeBytes: 60 },
} as const satisfies Record<string, AudioFormat>

type Format = keyof typeof FORMATS
const FORMAT_OPTIONS = [
  { value: 'pcm', label: 'PCM, 256 kbit/s' },
  { value: 'lc3_20', label: 'LC3, 16 kbit/s' },
  { value: 'lc3_40', label: 'LC3, 32 kbit/s' },
  { value: 'lc3_60', label: 'LC3, 48 kbit/s' },
] as const

export interface SoundCardProps {
  readonly simulator: Simulator
  readonly requiredData: readonly string[]
  /** BCP 47. */
  readonly language: string
  readonly onLanguageChange: (language: string) => void
}

/** How speech reaches the cloud: language, recognition, sound files, encoding and voice activity. */
export function SoundCard({ simulator, requiredData, language, onLanguageChange }: SoundCardProps) {
  const [format, setFormat] = useToolState<Format>('sound.format', 'pcm')
  const act = useAct(simulator)

  const play = useAction(
    async (file: File) => {
      const pcm = await decodeSoundFile(file).catch(() => {
        throw new Error('The browser cannot decode this file.')
      })
      const { framesSent } = await simulator.glasses.playAudio(pcm)
      if (framesSent === 0) throw new Error('No app listens to sound now.')
    },
    { about: String(listeningOf(requiredData).toSound) },
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
      <Select label="Language" options={LANGUAGES} value={language} onChange={onLanguageChange} />
      <PhoneRecognition />
      <Select
        label="Sound is sent as"
        options={FORMAT_OPTIONS}
        value={format}
        onChange={(chosen) => {
          setFormat(chosen)
          act((glasses) => glasses.configureAudio(FORMATS[chosen]))
        }}
      />
      <div>
        <FileButton accept={['audio/*']} isPending={play.isPending} onFile={play.run}>
          Play a sound file
        </FileButton>
      </div>
      {play.error !== undefined && <Notice tone="danger" title={play.error.message} />}
      <h3>Voice activity</h3>
      <div className={styles.row}>
        <Button onPress={() => act((glasses) => glasses.sendVad(true))}>Somebody starts to speak</Button>
        <Button onPress={() => act((glasses) => glasses.sendVad(false))}>Somebody stops</Button>
      </div>
    </Card>
  )
}
